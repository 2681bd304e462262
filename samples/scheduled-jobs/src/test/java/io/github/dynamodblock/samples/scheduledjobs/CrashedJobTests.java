/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.samples.support.ChildProcess;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static io.github.dynamodblock.samples.scheduledjobs.CrashedJobNode.RUNS;
import static io.github.dynamodblock.samples.scheduledjobs.CrashedJobNode.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A job whose node crashes, in real processes with the defaults of {@code @ScheduledLock}
 * and a short lease.
 */
class CrashedJobTests {

	private static final Duration LEASE = Duration.ofSeconds(6);

	private static final Duration HEARTBEAT = Duration.ofMillis(500);

	private static final int MANY_HEARTBEATS = 10;

	private static final String TABLE = "locks";

	@TempDir
	private Path logs;

	@Test
	void aJobWhoseNodeWasKilledRunsAtTheNextTickThoughEveryProcessWasReplaced() throws Exception {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
			try (Node first = start("first", dynamoDb)) {
				first.awaitLine(RUNS + 1);
				Instant begun = renewedAt(dynamoDb);
				try (Node second = start("second", dynamoDb)) {
					second.awaitLine(SKIPPED + 1);
					awaitHeartbeats(dynamoDb, begun, MANY_HEARTBEATS);
					first.process().kill();
					await().untilTrue(first.ended());
				}
			}
			// The next tick comes later than a lease, as it does for a nightly job. And
			// as
			// a deployment does it, none of the processes is left that saw the owner.
			awaitSilence(dynamoDb);
			try (Node third = start("third", dynamoDb)) {
				third.awaitLine(RUNS + 1);
				assertThat(third.lines()).noneMatch((line) -> line.startsWith(SKIPPED));
			}
		}
	}

	private static Instant renewedAt(EmbeddedDynamoDb dynamoDb) {
		AtomicReference<@Nullable Instant> renewedAt = new AtomicReference<>();
		read(dynamoDb, (reader) -> renewedAt.set(record(reader).renewedAt().orElseThrow()));
		return Objects.requireNonNull(renewedAt.get());
	}

	private static void awaitHeartbeats(EmbeddedDynamoDb dynamoDb, Instant begun, int count) {
		Instant enough = begun.plus(HEARTBEAT.multipliedBy(count));
		read(dynamoDb, (reader) -> await().atMost(Duration.ofMinutes(1))
			.until(() -> record(reader).renewedAt().orElseThrow().isAfter(enough)));
	}

	private static void awaitSilence(EmbeddedDynamoDb dynamoDb) {
		read(dynamoDb, (reader) -> await().until(() -> record(reader).isOwnerSilent(Instant.now())));
	}

	private static void read(EmbeddedDynamoDb dynamoDb, Consumer<LockClient> reading) {
		try (DynamoDbClient dynamoDbClient = dynamoDb.newClient((client) -> {
		}); LockClient reader = LockClient.builder(dynamoDbClient).tableName(TABLE).build()) {
			reading.accept(reader);
		}
	}

	private static LockRecord record(LockClient reader) {
		return reader.find("nightly").orElseThrow();
	}

	private Node start(String name, EmbeddedDynamoDb dynamoDb) throws IOException {
		List<String> lines = new CopyOnWriteArrayList<>();
		AtomicBoolean ended = new AtomicBoolean();
		List<String> arguments = List.of("--dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint(),
				"--dynamodb-lock.dynamodb.region=local", "--dynamodb-lock.table.name=" + TABLE,
				"--dynamodb-lock.table.create=if-missing", "--dynamodb-lock.lease-duration=" + LEASE.toMillis() + "ms",
				"--dynamodb-lock.heartbeat-period=" + HEARTBEAT.toMillis() + "ms",
				"--dynamodb-lock.owner-name=" + name);
		ChildProcess process = ChildProcess.start(name, this.logs.resolve(name + ".log"), "96m", CrashedJobNode.class,
				arguments, new ChildProcess.Listener() {

					@Override
					public void onLine(String line) {
						lines.add(line);
					}

					@Override
					public void onEnd(Instant time, int status) {
						ended.set(true);
					}

				});
		return new Node(process, lines, ended);
	}

	/**
	 * A node's process.
	 *
	 * @param process the process
	 * @param lines what it wrote
	 * @param ended whether it has ended
	 */
	private record Node(ChildProcess process, List<String> lines, AtomicBoolean ended) implements AutoCloseable {

		void awaitLine(String expected) {
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(this.lines).as("what the node writes").contains(expected));
		}

		@Override
		public void close() {
			this.process.close();
		}

	}

}
