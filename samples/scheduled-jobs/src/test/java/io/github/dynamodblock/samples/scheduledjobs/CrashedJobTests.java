/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.samples.demo.Console;
import io.github.dynamodblock.samples.demo.Demo;
import io.github.dynamodblock.samples.demo.DemoFailedException;
import io.github.dynamodblock.samples.demo.DynamoDbLocal;
import io.github.dynamodblock.samples.demo.Event;
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

	private final Console console = new Console(System.out);

	private final List<Event> events = new ArrayList<>();

	@TempDir
	private Path logs;

	@Test
	void aJobWhoseNodeWasKilledRunsAtTheNextTickThoughEveryProcessWasReplaced() throws Exception {
		try (Demo demo = new Demo(this.logs, this.console);
				DynamoDbClient dynamoDb = DynamoDbLocal.client(demo.startDynamoDb());
				LockClient reader = LockClient.builder(dynamoDb).tableName(TABLE).build()) {
			demo.listen(this.events::add);
			start(demo, "first");
			awaitFirstTick(demo, "first", RUNS);
			Instant enough = renewedAt(reader).plus(HEARTBEAT.multipliedBy(MANY_HEARTBEATS));
			start(demo, "second");
			awaitFirstTick(demo, "second", SKIPPED);
			await().atMost(Duration.ofMinutes(1)).until(() -> renewedAt(reader).isAfter(enough));
			demo.kill("first");
			// As in a deployment, no process is left that saw the owner. And the next
			// tick
			// comes later than a lease, as it does for a nightly job.
			demo.stopNodes();
			await().until(() -> record(reader).isOwnerSilent(Instant.now()));
			start(demo, "third");
			awaitFirstTick(demo, "third", RUNS);
			assertThat(this.events).noneMatch((event) -> event.node().equals("third") && event.is(SKIPPED));
			demo.kill("third");
		}
	}

	private void awaitFirstTick(Demo demo, String node, String outcome)
			throws InterruptedException, DemoFailedException {
		demo.await(Duration.ofMinutes(1), node + " has no first tick that " + outcome, () -> this.events.stream()
			.anyMatch((event) -> event.node().equals(node) && event.is(outcome) && event.number(0) == 1));
	}

	private static Instant renewedAt(LockClient reader) {
		return record(reader).renewedAt().orElseThrow();
	}

	private static LockRecord record(LockClient reader) {
		return reader.find("nightly").orElseThrow();
	}

	private static void start(Demo demo, String name) throws IOException {
		demo.startNode(name, "96m", List.of(CrashedJobNode.class), "--dynamodb-lock.table.name=" + TABLE,
				"--dynamodb-lock.table.create=if-missing", "--dynamodb-lock.lease-duration=" + LEASE.toMillis() + "ms",
				"--dynamodb-lock.heartbeat-period=" + HEARTBEAT.toMillis() + "ms");
	}

}
