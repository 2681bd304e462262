/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The kinds of job records that nodes write, each by a short run in virtual time. The
 * latest tick is the one at 0:02.
 */
@SuppressWarnings("ImmutableEnumChecker") // the runs are lambdas without state
enum RecordedJobs {

	/** Its node died in the first run. */
	STARTED(3, Jobs::start, "crashed 0:2, rerun", "started 0:2 #2"),

	/** Its node died when it had run the tick again. */
	STARTED_AGAIN(3, (jobs) -> {
		jobs.start();
		HandDrivenNode next = jobs.watching();
		jobs.owner().crash();
		jobs.nodes().pass(Jobs.LEASES);
		next.crash();
	}, "crashed 0:2, rerun", "started 0:2 #3"),

	SUCCEEDED(3, (jobs) -> {
		jobs.start();
		jobs.end(null);
	}),

	FAILED(3, (jobs) -> {
		jobs.start();
		jobs.end(new IllegalStateException("no paper"));
	}),

	TIMED_OUT(3, (jobs) -> {
		jobs.start();
		jobs.nodes().pass(Jobs.HOLD_AT_MOST.plus(Jobs.LEASES));
	}),

	/** Of a job that may not run again. */
	INTERRUPTED(1, Jobs::interrupt),

	/** Another node starts it again, as the same attempt. */
	RETURNED(3, Jobs::interrupt, "started 0:2 #1"),

	/** Of a job that may not run again. */
	CRASHED(1, (jobs) -> {
		jobs.start();
		jobs.watching();
		jobs.owner().crash();
		jobs.nodes().pass(Jobs.LEASES);
	}),

	PAUSED(3, (jobs) -> {
		jobs.start();
		jobs.end(null);
		try (LockClient client = LockClient.builder(jobs.dynamoDb()).tableName("locks").build()) {
			client.change(HandDrivenNode.KEY, JobRecord.pause("maintenance"));
		}
	});

	private final int attempts;

	private final Consumer<Jobs> recording;

	private final List<String> events;

	RecordedJobs(int attempts, Consumer<Jobs> recording, String... events) {
		this.attempts = attempts;
		this.recording = recording;
		this.events = List.of(events);
	}

	/** The name of its file. */
	String kind() {
		return "job-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	static RecordedJobs of(String kind) {
		return valueOf(kind.substring("job-".length()).toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	/** How often the job may run for a tick. */
	int attempts() {
		return this.attempts;
	}

	/** What a node does about the tick when it finds such a record. */
	List<String> events() {
		return this.events;
	}

	/** Writes such a record. */
	Map<String, AttributeValue> write() {
		Jobs jobs = new Jobs(this.attempts);
		this.recording.accept(jobs);
		return jobs.item();
	}

	/** Nodes with a job that has run before. */
	static final class Jobs {

		static final Duration LEASES = SimulatedProcess.LEASE.multipliedBy(3);

		static final Duration HOLD_AT_MOST = Duration.ofSeconds(10);

		private final InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks");

		private final HandDrivenNode.Nodes nodes;

		private final HandDrivenNode owner;

		Jobs(int attempts) {
			this.nodes = new HandDrivenNode.Nodes(new DynamoDbLockStore(this.dynamoDb, SimulatedProcess.SCHEMA))
				.holdAtMost(HOLD_AT_MOST)
				.attempts(attempts);
			this.owner = this.nodes.up();
			this.nodes.run(this.owner, 1);
			this.nodes.passTo(2);
		}

		InMemoryDynamoDb dynamoDb() {
			return this.dynamoDb;
		}

		HandDrivenNode.Nodes nodes() {
			return this.nodes;
		}

		HandDrivenNode owner() {
			return this.owner;
		}

		/** The owner starts the tick, and runs it for a second. */
		void start() {
			this.owner.tick();
			this.nodes.pass(Duration.ofSeconds(1));
		}

		void end(@Nullable Throwable failure) {
			this.owner.end(failure);
			this.nodes.pass(Duration.ofSeconds(1));
		}

		/** A shutdown interrupts the run. */
		void interrupt() {
			start();
			this.owner.runs().close();
			this.owner.runs().interrupt();
			end(new IllegalStateException("interrupted"));
		}

		/** A node that was refused the tick, and watches the run. */
		HandDrivenNode watching() {
			HandDrivenNode node = this.nodes.up();
			node.tick();
			this.nodes.pass(Duration.ofMillis(500));
			return node;
		}

		Map<String, AttributeValue> item() {
			return this.dynamoDb
				.getItem((request) -> request.tableName("locks")
					.key(Map.of("key", AttributeValue.fromS(HandDrivenNode.KEY.partition())))
					.consistentRead(true))
				.item();
		}

	}

}
