/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulated table keeps the contracts that DynamoDB keeps.
 */
class SimulatedTableTests {

	private static final LockKey KEY = LockKey.of("k");

	private long now;

	private final SimulatedTable table = new SimulatedTable((write, before, after) -> {
	}, () -> this.now);

	/** Single calls. */
	@Nested
	class Calls extends LockStoreContract {

		@Override
		LockStore store() {
			return SimulatedTableTests.this.table;
		}

		@Override
		void putForeignItem(LockKey key) {
			SimulatedTableTests.this.table.putForeignItem(key);
		}

		@Override
		boolean hasTimeToLive(LockKey key) {
			return SimulatedTableTests.this.table.hasTimeToLive(key);
		}

	}

	@Test
	void oldReadsGiveWhatTheItemWasSoManyChangesAgo() {
		claim("v1", 1);
		release("v2", "v1");
		claim("v3", 1);
		assertThat(version(this.table.readOld(KEY, 0))).isEqualTo("v3");
		assertThat(version(this.table.readOld(KEY, 1))).isEqualTo("v2");
		assertThat(version(this.table.readOld(KEY, 2))).isEqualTo("v1");
		assertThat(this.table.readOld(KEY, 3)).isEqualTo(new Answer.Found(null));
		assertThat(this.table.readOld(KEY, 4)).isEqualTo(new Answer.Found(null));
	}

	@Test
	void aReplicaThatLagsShowsWhatTheItemWasAtThatTime() {
		this.now = 10;
		claim("v1", 1);
		this.now = 20;
		release("v2", "v1");
		assertThat(this.table.readAsOf(KEY, 9)).isEqualTo(new Answer.Found(null));
		assertThat(version(this.table.readAsOf(KEY, 10))).isEqualTo("v1");
		assertThat(version(this.table.readAsOf(KEY, 19))).isEqualTo("v1");
		assertThat(version(this.table.readAsOf(KEY, 20))).isEqualTo("v2");
	}

	@Test
	void guardedWritesAreAppliedOnlyWhileTheLockIsHeldUnderTheToken() {
		claim("v1", 41);
		assertThat(this.table.guardedWrite(new Guard(KEY, "alice", 73))).isTrue();
		assertThat(this.table.guardedWrite(new Guard(KEY, "alice", 41))).isFalse();
		assertThat(this.table.guardedWrite(new Guard(KEY, "bob", 73))).isFalse();
		release("v2", "v1");
		assertThat(this.table.guardedWrite(new Guard(KEY, "alice", 73))).isFalse();
	}

	@Test
	void timeToLiveDeletesWhatHasExpired() {
		Instant expiresAt = Instant.parse("2026-01-01T00:00:00Z");
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), "v1").build();
		this.table.send(new Step.Write(Writes.claim(wanted, 1, expiresAt, null), 1));
		this.table.expire(KEY, expiresAt);
		assertThat(this.table.lock(KEY)).isNotNull();
		this.table.expire(KEY, expiresAt.plusSeconds(1));
		assertThat(this.table.lock(KEY)).isNull();
	}

	@Test
	void aTableThatIsMadeAnewHasForgottenEverything() {
		claim("v1", 1);
		this.table.dropTable();
		assertThat(this.table.send(new Step.Read(KEY, true, 1))).isInstanceOfSatisfying(Answer.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOfSatisfying(LockTableException.class,
						(missing) -> assertThat(missing.problem()).isEqualTo(LockTableException.Problem.MISSING)));
		this.table.createTable();
		assertThat(this.table.send(new Step.Read(KEY, true, 1))).isEqualTo(new Answer.Found(null));
		assertThat(this.table.readOld(KEY, 3)).isEqualTo(new Answer.Found(null));
	}

	private void claim(String version, long seed) {
		LockRecord wanted = LockRecord.builder(KEY, "alice", Duration.ofSeconds(20), version).build();
		assertThat(this.table.send(new Step.Write(Writes.claim(wanted, seed, null, null), 1)))
			.isInstanceOf(Answer.Applied.class);
	}

	private void release(String version, String expected) {
		assertThat(this.table.send(new Step.Write(Writes.release(KEY, version, Set.of(expected), null, false), 1)))
			.isInstanceOf(Answer.Applied.class);
	}

	private static String version(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Found.class);
		LockRecord record = ((Answer.Found) answer).record();
		assertThat(record).isNotNull();
		return record.recordVersionNumber();
	}

}
