/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes that crash, cannot reach DynamoDB, or stop while a task runs.
 */
class LostLockTests extends TwoNodes {

	@Test
	void aCrashedNodesLockIsTakenOverAfterOneLeaseWhateverClocksAndLockAtMostForSay() {
		ClockProvider.setClock(Clock.fixed(Instant.parse("2100-01-01T00:00:00Z"), ZoneOffset.UTC));
		try {
			lock(limits(HOUR, HOUR));
			ClockProvider.setClock(Clock.fixed(Instant.parse("2000-01-01T00:00:00Z"), ZoneOffset.UTC));
			this.client.closeWithoutReleasing();
			assertThat(this.otherProvider.lock(anHour())).isEmpty();
			lockOfTheOtherNode();
		}
		finally {
			ClockProvider.setClock(Clock.systemUTC());
		}
	}

	@Test
	void theFirstTryAfterACrashWaitsForTheLeaseAndSucceeds() {
		lock(anHour());
		this.client.closeWithoutReleasing();
		// This node has not seen the lock before, as with a job that runs once a day.
		soon().until(() -> this.otherClient.find("shedlock:job").orElseThrow().isOwnerSilent(Instant.now()));
		assertThat(this.otherProvider.lock(anHour())).isPresent();
	}

	@Test
	void anOwnerThatCannotReachDynamoDbLosesTheLockAndDoesNotDisturbTheNextOwner() {
		TestTable.Access access = new TestTable.Access();
		LockProvider isolated = new DynamoDbLockProvider(this.table.newClient(access));
		SimpleLock lost = isolated.lock(anHour()).orElseThrow();
		access.deny(true);
		SimpleLock later = lockOfTheOtherNode();
		access.deny(false);
		assertThat(lost.extend(HOUR, Duration.ZERO)).isEmpty();
		assertLocked();
		later.unlock();
		assertFree();
	}

	@Test
	void aClosedClientLeavesTheLockOfARunningTaskToItsLease() {
		SimpleLock lock = lock(anHour());
		this.client.close();
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
		lock.unlock();
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
		lockOfTheOtherNode();
	}

}
