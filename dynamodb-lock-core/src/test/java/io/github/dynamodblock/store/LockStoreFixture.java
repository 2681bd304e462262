/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One lock in a store under test, and the writes to it.
 */
abstract class LockStoreFixture {

	static final long LIMIT = Duration.ofSeconds(20).toNanos();

	static final Duration LEASE = Duration.ofSeconds(20);

	static final long SEED = 1_700_000_000_000_000L;

	static final Instant ACQUIRED_AT = Instant.ofEpochMilli(1_700_000_000_123L);

	static final AttributeValue ONE = AttributeValue.fromN("1");

	static final AttributeValue TWO = AttributeValue.fromN("2");

	final LockKey key = LockKey.of("orders-" + UUID.randomUUID());

	/** The store under test. It may hold other locks, but none under new keys. */
	abstract LockStore store();

	/** Puts something under the key that is not a lock. */
	abstract void putForeignItem(LockKey key);

	Answer claim(String owner, String version, @Nullable String expired) {
		return claim(wanted(owner, version).build(), expired);
	}

	Answer claim(LockRecord wanted, @Nullable String expired) {
		return store().send(new Step.Write(Writes.claim(wanted, SEED, null, expired), LIMIT));
	}

	Answer claim(LockRecord wanted, ItemChange change, Precondition precondition) {
		return store().send(
				new Step.Write(new LockWrite.Claim(wanted, change, precondition, SEED, Timestamps.NONE, false), LIMIT));
	}

	LockRecord.Builder wanted(String owner, String version) {
		return LockRecord.builder(this.key, owner, LEASE, version).acquiredAt(ACQUIRED_AT);
	}

	Answer renew(String version, String expected, Duration lease) {
		return store().send(new Step.Write(Writes.renew(this.key, version, expected, lease, null), LIMIT));
	}

	Answer release(String version, Set<String> expected) {
		return store().send(new Step.Write(Writes.release(this.key, version, expected, null, false), LIMIT));
	}

	Answer delete(String version, Set<String> expected) {
		return store().send(new Step.Write(Writes.release(this.key, version, expected, null, true), LIMIT));
	}

	LockRecord mark(String waiting) {
		Answer answer = store().send(new Step.Mark(this.key, waiting, LIMIT));
		assertThat(answer).isInstanceOf(Answer.Found.class);
		return Objects.requireNonNull(((Answer.Found) answer).record());
	}

	Answer read(boolean consistent) {
		return store().send(new Step.Read(this.key, consistent, LIMIT));
	}

	LockRecord found() {
		Answer answer = read(true);
		assertThat(answer).isInstanceOf(Answer.Found.class);
		LockRecord record = ((Answer.Found) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	static LockRecord applied(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Applied.class);
		LockRecord record = ((Answer.Applied) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	static LockRecord refused(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Refused.class);
		LockRecord record = ((Answer.Refused) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	static void assertNotALock(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		assertThat(((Answer.Failed) answer).failure()).isInstanceOf(LockTableException.class)
			.extracting((failure) -> ((LockTableException) failure).problem())
			.isEqualTo(LockTableException.Problem.NOT_A_LOCK);
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
