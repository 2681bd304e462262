/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every lock store does. The protocol rests on this and on nothing else.
 */
abstract class LockStoreContract {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final long SEED = 1_700_000_000_000_000L;

	private static final Instant ACQUIRED_AT = Instant.ofEpochMilli(1_700_000_000_123L);

	private final LockKey key = LockKey.of("orders-" + UUID.randomUUID());

	/** The store under test. It may hold other locks, but none under new keys. */
	abstract LockStore store();

	/** Puts something under the key that is not a lock. */
	abstract void putForeignItem(LockKey key);

	@Test
	void claimTakesALockThatHasNoItem() {
		LockRecord record = applied(claim("alice", "v1", null));
		assertThat(record.key()).isEqualTo(this.key);
		assertThat(record.ownerName()).isEqualTo("alice");
		assertThat(record.leaseDuration()).isEqualTo(LEASE);
		assertThat(record.recordVersionNumber()).isEqualTo("v1");
		assertThat(record.isReleased()).isFalse();
		assertThat(record.acquiredAt()).contains(ACQUIRED_AT);
		assertThat(record.data()).isEmpty();
		assertThat(found()).usingRecursiveComparison().isEqualTo(record);
	}

	@Test
	void claimTakesAReleasedLock() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		LockRecord record = applied(claim("bob", "v3", null));
		assertThat(record.ownerName()).isEqualTo("bob");
		assertThat(record.isReleased()).isFalse();
		assertThat(found()).usingRecursiveComparison().isEqualTo(record);
	}

	@Test
	void claimOfAHeldLockIsRefusedWithTheHoldersRecord() {
		LockRecord held = applied(claim("alice", "v1", null));
		LockRecord seen = refused(claim("bob", "v2", null));
		assertThat(seen).usingRecursiveComparison().isEqualTo(held);
		assertThat(found()).usingRecursiveComparison().isEqualTo(held);
	}

	@Test
	void claimOnTheHeldVersionTakesOver() {
		claim("alice", "v1", null);
		LockRecord record = applied(claim("bob", "v2", "v1"));
		assertThat(record.ownerName()).isEqualTo("bob");
		assertThat(record.recordVersionNumber()).isEqualTo("v2");
		assertThat(found()).usingRecursiveComparison().isEqualTo(record);
	}

	@Test
	void claimOnAnotherVersionThanTheHeldOneIsRefused() {
		claim("alice", "v1", null);
		renew("v2", "v1", LEASE);
		LockRecord seen = refused(claim("bob", "v3", "v1"));
		assertThat(seen.recordVersionNumber()).isEqualTo("v2");
		assertThat(found().ownerName()).isEqualTo("alice");
	}

	@Test
	void claimOnAnExpiredVersionTakesALockThatWasReleasedSince() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		assertThat(applied(claim("bob", "v3", "v1")).ownerName()).isEqualTo("bob");
	}

	@Test
	void fencingTokensBeginAboveTheSeedAndGrowByOneFromOwnerToOwner() {
		assertThat(applied(claim("alice", "v1", null)).fencingToken()).hasValue(SEED + 1);
		renew("v2", "v1", LEASE);
		release("v3", Set.of("v2"));
		assertThat(found().fencingToken()).hasValue(SEED + 1);
		assertThat(applied(claim("bob", "v4", null)).fencingToken()).hasValue(SEED + 2);
		assertThat(applied(claim("carol", "v5", "v4")).fencingToken()).hasValue(SEED + 3);
	}

	@Test
	void aLaterSeedDoesNotMoveTheCount() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		LockRecord wanted = wanted("bob", "v3").build();
		Answer answer = store().write(Writes.claim(wanted, SEED * 2, null, null), LIMIT);
		assertThat(applied(answer).fencingToken()).hasValue(SEED + 2);
	}

	@Test
	void claimStoresReplacesAndRemovesData() {
		LockRecord first = applied(claim(wanted("alice", "v1").data(bytes("one")).build(), null));
		assertThat(first.data()).hasValue(bytes("one"));
		LockRecord second = applied(claim(wanted("bob", "v2").data(bytes("two")).build(), "v1"));
		assertThat(second.data()).hasValue(bytes("two"));
		LockRecord third = applied(claim(wanted("carol", "v3").build(), "v2"));
		assertThat(third.data()).isEmpty();
		assertThat(found().data()).isEmpty();
	}

	@Test
	void renewChangesVersionAndLeaseAndNothingElse() {
		LockRecord held = applied(claim(wanted("alice", "v1").data(bytes("one")).build(), null));
		assertThat(renew("v2", "v1", Duration.ofSeconds(5))).isInstanceOf(Answer.Applied.class);
		LockRecord expected = held.toBuilder().recordVersionNumber("v2").leaseDuration(Duration.ofSeconds(5)).build();
		assertThat(found()).usingRecursiveComparison().isEqualTo(expected);
	}

	@Test
	void renewOnAnotherVersionIsRefusedWithTheRecord() {
		claim("alice", "v1", null);
		LockRecord taken = applied(claim("bob", "v2", "v1"));
		LockRecord seen = refused(renew("v3", "v1", LEASE));
		assertThat(seen).usingRecursiveComparison().isEqualTo(taken);
		assertThat(found()).usingRecursiveComparison().isEqualTo(taken);
	}

	@Test
	void renewOfAReleasedLockIsRefused() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		assertThat(refused(renew("v3", "v2", LEASE)).isReleased()).isTrue();
		assertThat(found().isReleased()).isTrue();
	}

	@Test
	void renewAndReleaseOfALockWithoutItemAreRefusedWithoutRecord() {
		assertThat(renew("v2", "v1", LEASE)).isEqualTo(new Answer.Refused(null));
		assertThat(release("v2", Set.of("v1"))).isEqualTo(new Answer.Refused(null));
		assertThat(delete("v2", Set.of("v1"))).isEqualTo(new Answer.Refused(null));
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
	}

	@Test
	void releaseFreesALockThatHasAnyOfItsVersions() {
		claim("alice", "v1", null);
		renew("v3", "v1", LEASE);
		assertThat(release("v4", Set.of("v1", "v2", "v3"))).isInstanceOf(Answer.Applied.class);
		assertThat(found().isReleased()).isTrue();
	}

	@Test
	void releaseTakesAsManyVersionsAsALongOutageLeaves() {
		claim("alice", "v1", null);
		Set<String> versions = IntStream.rangeClosed(1, 400)
			.mapToObj((number) -> "v" + number)
			.collect(Collectors.toSet());
		assertThat(release("w1", versions)).isInstanceOf(Answer.Applied.class);
		assertThat(refused(release("w2", versions)).recordVersionNumber()).isEqualTo("w1");
	}

	@Test
	void releasedLockKeepsOwnerLeaseTokenAndDataButNotItsVersion() {
		LockRecord held = applied(claim(wanted("alice", "v1").data(bytes("one")).build(), null));
		release("v2", Set.of("v1"));
		LockRecord expected = held.toBuilder().recordVersionNumber("v2").released(true).build();
		assertThat(found()).usingRecursiveComparison().isEqualTo(expected);
	}

	@Test
	void staleReleaseDoesNotFreeTheSuccessor() {
		claim("alice", "v1", null);
		LockRecord successor = applied(claim("bob", "v2", "v1"));
		assertThat(refused(release("v3", Set.of("v0", "v1")))).usingRecursiveComparison().isEqualTo(successor);
		assertThat(refused(delete("v3", Set.of("v0", "v1")))).usingRecursiveComparison().isEqualTo(successor);
		assertThat(found()).usingRecursiveComparison().isEqualTo(successor);
	}

	@Test
	void repeatedReleaseIsRefused() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		assertThat(refused(release("v3", Set.of("v1"))).recordVersionNumber()).isEqualTo("v2");
	}

	@Test
	void deletingReleaseRemovesTheItem() {
		claim("alice", "v1", null);
		assertThat(delete("v3", Set.of("v1", "v2"))).isInstanceOf(Answer.Applied.class);
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
	}

	@Test
	void everyLockHasAnItemOfItsOwn() {
		claim("alice", "v1", null);
		LockKey other = LockKey.of(this.key.partition() + "-other");
		LockRecord wanted = LockRecord.builder(other, "bob", LEASE, "v2").build();
		assertThat(applied(claim(wanted, null)).key()).isEqualTo(other);
		assertThat(found().ownerName()).isEqualTo("alice");
	}

	@Test
	void bothKindsOfReadShowTheLock() {
		LockRecord held = applied(claim("alice", "v1", null));
		for (boolean consistent : new boolean[] { true, false }) {
			assertThat(read(consistent)).asInstanceOf(InstanceOfAssertFactories.type(Answer.Found.class))
				.extracting(Answer.Found::record)
				.usingRecursiveComparison()
				.isEqualTo(held);
		}
	}

	@Test
	void anItemThatIsNotALockIsReportedAndLeftAlone() {
		putForeignItem(this.key);
		assertNotALock(claim("alice", "v1", null));
		assertNotALock(claim("alice", "v1", "v0"));
		assertNotALock(renew("v2", "v1", LEASE));
		assertNotALock(release("v2", Set.of("v1")));
		assertNotALock(delete("v2", Set.of("v1")));
		assertNotALock(read(true));
	}

	private Answer claim(String owner, String version, @Nullable String expired) {
		return claim(wanted(owner, version).build(), expired);
	}

	private Answer claim(LockRecord wanted, @Nullable String expired) {
		return store().write(Writes.claim(wanted, SEED, null, expired), LIMIT);
	}

	private LockRecord.Builder wanted(String owner, String version) {
		return LockRecord.builder(this.key, owner, LEASE, version).acquiredAt(ACQUIRED_AT);
	}

	private Answer renew(String version, String expected, Duration lease) {
		return store().write(Writes.renew(this.key, version, expected, lease, null), LIMIT);
	}

	private Answer release(String version, Set<String> expected) {
		return store().write(Writes.release(this.key, version, expected, null, false), LIMIT);
	}

	private Answer delete(String version, Set<String> expected) {
		return store().write(Writes.release(this.key, version, expected, null, true), LIMIT);
	}

	private Answer read(boolean consistent) {
		return store().read(this.key, consistent, LIMIT);
	}

	private LockRecord found() {
		Answer answer = read(true);
		assertThat(answer).isInstanceOf(Answer.Found.class);
		LockRecord record = ((Answer.Found) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	private static LockRecord applied(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Applied.class);
		LockRecord record = ((Answer.Applied) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	private static LockRecord refused(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Refused.class);
		LockRecord record = ((Answer.Refused) answer).record();
		assertThat(record).isNotNull();
		return record;
	}

	private static void assertNotALock(Answer answer) {
		assertThat(answer).isInstanceOf(Answer.Failed.class);
		assertThat(((Answer.Failed) answer).failure()).isInstanceOf(LockTableException.class)
			.extracting((failure) -> ((LockTableException) failure).problem())
			.isEqualTo(LockTableException.Problem.NOT_A_LOCK);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
