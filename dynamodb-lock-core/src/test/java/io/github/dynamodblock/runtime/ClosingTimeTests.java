/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.Hang;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long the close of a client takes when nothing ends.
 */
class ClosingTimeTests {

	private static final Duration TIME = Duration.ofSeconds(3);

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	@Test
	void oneDeadlineIsForReleasesListenersAndThreadsTogether() throws Exception {
		CountDownLatch over = new CountDownLatch(1);
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.faults); Hang hang = Hang.beyondTheirLimit()) {
			ClientState client = new ClientState(VirtualClient.settings("closing", this.table, blocking(over)),
					new ThreadedEnvironment(new DynamoDbLockStore(dynamoDb, this.table), null, null));
			new DefaultLockClient(client).acquire("k");
			this.faults.inject(hang, LockCalls::isRelease);
			long begin = System.nanoTime();
			DefaultLockClient.end(client, true, TIME);
			// A deadline for each would take at least twice as long.
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIME.multipliedBy(2));
			assertThat(hang.hanging()).isOne();
		}
		finally {
			over.countDown();
		}
	}

	/** A listener whose call ends neither by itself nor by an interrupt. */
	private static LockListener blocking(CountDownLatch over) {
		return new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				while (over.getCount() > 0) {
					try {
						over.await();
					}
					catch (InterruptedException ex) {
						// It goes on blocking.
					}
				}
			}
		};
	}

}
