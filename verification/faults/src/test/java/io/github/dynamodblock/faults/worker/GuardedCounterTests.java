/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.nio.file.Path;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.faults.Database;
import io.github.dynamodblock.faults.checker.CommittedUpdate;
import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.table.LockTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Update;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(180)
class GuardedCounterTests {

	@TempDir
	private Path directory;

	@Test
	void updatesAreListedInTheOrderOfTheirCommitsHoweverTheyAreSent() throws Exception {
		try (Database database = new Database(this.directory);
				DynamoDbClient dynamoDb = DynamoDbLocal.client(database.endpoint().toString())) {
			LockTable.of(dynamoDb, "locks").createIfMissing();
			LockTable.of(dynamoDb, GuardedCounter.TABLE).createIfMissing();
			assertThat(GuardedCounter.read(dynamoDb, 3)).isZero();
			assertThat(GuardedCounter.updates(dynamoDb, 3)).isEmpty();

			try (LockClient client = LockClient.builder(dynamoDb).tableName("locks").build()) {
				HeldLock lock = client.acquire(LockRequest.of("lock-3").automaticRenewal(false));
				assertThat(CounterWrites.guarded(lock, update("one", 0))).isEqualTo(Outcome.ACKNOWLEDGED);
				assertThat(CounterWrites.composed(dynamoDb, lock, update("two", 1))).isEqualTo(Outcome.ACKNOWLEDGED);
				client.forceRelease(lock.key(), client.ownerName());
				assertThat(CounterWrites.composed(dynamoDb, lock, update("three", 2))).isEqualTo(Outcome.REFUSED);
				assertThat(CounterWrites.guarded(lock, update("four", 2))).isEqualTo(Outcome.REFUSED);
			}
			assertThat(CounterWrites.unguarded(dynamoDb, update("five", 2))).isEqualTo(Outcome.ACKNOWLEDGED);
			assertThat(GuardedCounter.read(dynamoDb, 3)).isEqualTo(3);
			assertThat(GuardedCounter.updates(dynamoDb, 3)).containsExactly(new CommittedUpdate("one", "grant", 0),
					new CommittedUpdate("two", "grant", 1), new CommittedUpdate("five", "grant", 2));
		}
	}

	private static Update update(String id, long read) {
		return GuardedCounter.update(3, "grant", id, read);
	}

}
