/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What every lock store does. The protocol rests on this and on nothing else.
 */
abstract class LockStoreContract extends ItemChangeContract {

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
	void eachClaimReservesFencingTokensAboveTheSeedOrTheLastOnes() {
		assertThat(applied(claim("alice", "v1", null)).fencingToken()).hasValue(SEED + 32);
		renew("v2", "v1", LEASE);
		release("v3", Set.of("v2"));
		assertThat(found().fencingToken()).hasValue(SEED + 32);
		assertThat(applied(claim("bob", "v4", null)).fencingToken()).hasValue(SEED + 64);
		assertThat(applied(claim("carol", "v5", "v4")).fencingToken()).hasValue(SEED + 96);
	}

	@Test
	void aLaterSeedDoesNotMoveTheCount() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		LockRecord wanted = wanted("bob", "v3").build();
		Answer answer = store().send(new Step.Write(Writes.claim(wanted, SEED * 2, null, null), LIMIT));
		assertThat(applied(answer).fencingToken()).hasValue(SEED + 64);
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
	void theNextRenewalShowsTheLastMarkAndRemovesIt() {
		LockRecord held = applied(claim("alice", "v1", null));
		assertThat(renew("v2", "v1", LEASE)).isEqualTo(new Answer.Applied(null));
		assertThat(mark("bob")).usingRecursiveComparison()
			.isEqualTo(held.toBuilder().recordVersionNumber("v2").build());
		assertThat(mark("carol")).usingRecursiveComparison().isEqualTo(found());
		assertThat(renew("v3", "v2", LEASE)).isEqualTo(new Answer.Applied(null, "carol"));
		assertThat(renew("v4", "v3", LEASE)).isEqualTo(new Answer.Applied(null));
	}

	@Test
	void aReleaseShowsAMarkWhetherItKeepsTheItemOrDeletesIt() {
		claim("alice", "v1", null);
		mark("bob");
		assertThat(release("v2", Set.of("v1"))).isEqualTo(new Answer.Applied(null, "bob"));
		claim("bob", "v3", null);
		mark("alice");
		assertThat(delete("v4", Set.of("v3"))).isEqualTo(new Answer.Applied(null, "alice"));
	}

	@Test
	void aMarkOfAReleasedLockIsForTheNextHolder() {
		claim("alice", "v1", null);
		release("v2", Set.of("v1"));
		assertThat(mark("bob").isReleased()).isTrue();
		assertThat(applied(claim("carol", "v3", null)).attributes()).isEmpty();
		assertThat(release("v4", Set.of("v3"))).isEqualTo(new Answer.Applied(null, "bob"));
	}

	@Test
	void aMarkIsNoneOfTheApplicationsAttributes() {
		claim("alice", "v1", null);
		assertThat(mark("bob").attributes()).isEmpty();
		assertThat(found().attributes()).isEmpty();
	}

	@Test
	void aMarkCreatesNoItem() {
		assertThat(store().send(new Step.Mark(this.key, "bob", LIMIT))).isEqualTo(new Answer.Found(null));
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
	}

	@Test
	void deletingReleaseRemovesTheItem() {
		claim("alice", "v1", null);
		assertThat(delete("v3", Set.of("v1", "v2"))).isInstanceOf(Answer.Applied.class);
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
	}

	@Test
	void aClaimForAnItemThatExistsIsRefusedWithoutOneAndTakesAReleasedLock() {
		Precondition existing = new Precondition(false, true, null);
		assertThat(claim(wanted("alice", "v1").build(), ItemChange.none(), existing))
			.isEqualTo(new Answer.Refused(null));
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
		claim("alice", "v1", null);
		assertThat(refused(claim(wanted("bob", "v2").build(), ItemChange.none(), existing)).ownerName())
			.isEqualTo("alice");
		release("v3", Set.of("v1"));
		assertThat(applied(claim(wanted("bob", "v4").build(), ItemChange.none(), existing)).ownerName())
			.isEqualTo("bob");
	}

	@Test
	void aClaimOfAnAdoptedVersionTakesItOnlyWhileItIsHeld() {
		Precondition adopted = new Precondition(false, false, "v1");
		assertThat(claim(wanted("bob", "v2").build(), ItemChange.none(), adopted)).isEqualTo(new Answer.Refused(null));
		claim("alice", "v1", null);
		assertThat(applied(claim(wanted("bob", "v2").build(), ItemChange.none(), adopted)).ownerName())
			.isEqualTo("bob");
		assertThat(refused(claim(wanted("carol", "v3").build(), ItemChange.none(), adopted)).ownerName())
			.isEqualTo("bob");
		release("v1", Set.of("v2"));
		assertThat(refused(claim(wanted("carol", "v4").build(), ItemChange.none(), adopted)).isReleased()).isTrue();
		assertThat(found().isReleased()).isTrue();
	}

	@Test
	void everyWriteMergesAndRemovesTheApplicationsAttributes() {
		ItemChange first = ItemChange.none().data(bytes("one")).attribute("a", ONE).attribute("b", ONE);
		LockRecord held = applied(claim(wanted("alice", "v1").build(), first, Precondition.FREE));
		assertThat(held.attributes()).isEqualTo(Map.of("a", ONE, "b", ONE));
		ItemChange second = ItemChange.none().removeData().attribute("the name: #c", TWO).removeAttributes("a", "none");
		store().send(new Step.Write(new LockWrite.Renew(this.key, "v2", "v1", LEASE, second, Timestamps.NONE), LIMIT));
		assertThat(found().attributes()).isEqualTo(Map.of("b", ONE, "the name: #c", TWO));
		assertThat(found().data()).isEmpty();
		ItemChange third = ItemChange.none().data(bytes("three")).attribute("b", TWO);
		store().send(new Step.Write(new LockWrite.Release(this.key, "v3", Set.of("v2"), false, third, null), LIMIT));
		assertThat(found().attributes()).isEqualTo(Map.of("b", TWO, "the name: #c", TWO));
		assertThat(found().data()).hasValue(bytes("three"));
		assertThat(found().isReleased()).isTrue();
	}

	@Test
	void everyWriteChangesAsManyAttributesAsAChangeMayName() {
		ItemChange change = ItemChange.none()
			.attributes(IntStream.range(0, 50)
				.boxed()
				.collect(Collectors.toMap((number) -> "ours" + number, (number) -> ONE)))
			.removeAttributes(IntStream.range(0, 50).mapToObj((number) -> "other" + number).toArray(String[]::new))
			.data(bytes("one"));
		LockRecord held = applied(claim(wanted("alice", "v1").build(), change, Precondition.FREE.orVersion("v0")));
		assertThat(held.attributes()).isEqualTo(change.attributes());
		Timestamps timestamps = new Timestamps(null, ACQUIRED_AT, ACQUIRED_AT);
		assertThat(store()
			.send(new Step.Write(new LockWrite.Renew(this.key, "v2", "v1", LEASE, change, timestamps), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
		assertThat(store().send(
				new Step.Write(new LockWrite.Release(this.key, "v3", Set.of("v2"), false, change, ACQUIRED_AT), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
	}

	@Test
	void everyWriteStoresOrRemovesTheEndOfTheLease() {
		Instant end = ACQUIRED_AT.plus(LEASE);
		Timestamps timestamps = new Timestamps(null, null, end);
		LockRecord held = applied(store().send(new Step.Write(new LockWrite.Claim(wanted("alice", "v1").build(),
				ItemChange.none(), Precondition.FREE, SEED, timestamps, false), LIMIT)));
		assertThat(held.leaseEnds()).hasValue(end);
		Timestamps later = new Timestamps(null, null, end.plusSeconds(1));
		store().send(new Step.Write(new LockWrite.Renew(this.key, "v2", "v1", LEASE, ItemChange.none(), later), LIMIT));
		assertThat(found().leaseEnds()).hasValue(end.plusSeconds(1));
		renew("v3", "v2", LEASE);
		assertThat(found().leaseEnds()).isEmpty();
		store().send(new Step.Write(new LockWrite.Renew(this.key, "v4", "v3", LEASE, ItemChange.none(), later), LIMIT));
		release("v5", Set.of("v4"));
		assertThat(found().leaseEnds()).isEmpty();
	}

	@Test
	void theNameIsThatOfTheLastClaimAndStaysUntilTheNextOne() {
		LockRecord held = applied(claim(wanted("alice", "v1").name("orders").build(), null));
		assertThat(held.name()).hasValue("orders");
		renew("v2", "v1", LEASE);
		release("v3", Set.of("v2"));
		assertThat(found().name()).hasValue("orders");
		assertThat(applied(claim(wanted("bob", "v4").name("invoices").build(), null)).name()).hasValue("invoices");
		assertThat(applied(claim(wanted("carol", "v5").build(), "v4")).name()).isEmpty();
	}

	@Test
	void theTimeOfRenewalIsThatOfTheLastClaimOrHeartbeatAndGoesWithTheRelease() {
		LockRecord held = applied(store().send(new Step.Write(new LockWrite.Claim(wanted("alice", "v1").build(),
				ItemChange.none(), Precondition.FREE, SEED, new Timestamps(ACQUIRED_AT, null, null), false), LIMIT)));
		assertThat(held.renewedAt()).hasValue(ACQUIRED_AT);
		Timestamps later = new Timestamps(ACQUIRED_AT.plusSeconds(5), null, null);
		store().send(new Step.Write(new LockWrite.Renew(this.key, "v2", "v1", LEASE, ItemChange.none(), later), LIMIT));
		assertThat(found().renewedAt()).hasValue(ACQUIRED_AT.plusSeconds(5));
		assertThat(found().acquiredAt()).hasValue(ACQUIRED_AT);
		release("v3", Set.of("v2"));
		assertThat(found().renewedAt()).isEmpty();
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
		assertThat(found()).usingRecursiveComparison().isEqualTo(held);
		// An eventually consistent read may be behind.
		await().untilAsserted(
				() -> assertThat(read(false)).asInstanceOf(InstanceOfAssertFactories.type(Answer.Found.class))
					.extracting(Answer.Found::record)
					.usingRecursiveComparison()
					.isEqualTo(held));
	}

	@Test
	void aClaimIsAppliedIfAndOnlyIfItsConditionHoldsForTheItem() {
		RandomConditions random = new RandomConditions(4711);
		String last = "v";
		int applied = 0;
		int refused = 0;
		for (int round = 0; round < 200; round++) {
			Set<String> present = (round == 0) ? Set.of() : found().attributes().keySet();
			ItemChange attributes = ItemChange.none()
				.removeAttributes(present.toArray(String[]::new))
				.attributes(random.attributes());
			applied(claim(wanted("alice", "a" + round).build(), attributes, Precondition.FREE.orVersion(last)));
			last = "a" + round;
			if (round % 2 == 0) {
				last = "r" + round;
				release(last, Set.of("a" + round));
			}
			LockRecord before = found();
			RandomConditions.Known known = random.condition();
			ItemCondition condition = known.condition();
			Answer answer = claim(wanted("bob", "b" + round).build(), ItemChange.none(),
					Precondition.FREE.orVersion(last).with(condition));
			if (known.meaning().test(before.attributes())) {
				assertThat(answer).as("%s on %s", condition, before).isInstanceOf(Answer.Applied.class);
				last = "b" + round;
				applied++;
			}
			else {
				assertThat(answer).as("%s on %s", condition, before).isInstanceOf(Answer.Refused.class);
				assertThat(refused(answer)).usingRecursiveComparison().isEqualTo(before);
				refused++;
			}
		}
		assertThat(applied).isGreaterThan(50);
		assertThat(refused).isGreaterThan(50);
	}

	@Test
	void aConditionOfAClaimWithoutItemIsEvaluatedWithoutAttributes() {
		Precondition exists = Precondition.FREE.with(ItemCondition.exists("a"));
		assertThat(claim(wanted("alice", "v1").build(), ItemChange.none(), exists)).isEqualTo(new Answer.Refused(null));
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
		Precondition notExists = Precondition.FREE.with(ItemCondition.notExists("a"));
		ItemChange change = ItemChange.none().attribute("a", ONE);
		applied(claim(wanted("alice", "v1").build(), change, notExists));
		release("v2", Set.of("v1"));
		assertThat(refused(claim(wanted("bob", "v3").build(), change, notExists)).attributes()).containsEntry("a", ONE);
		applied(claim(wanted("bob", "v3").build(), change, exists));
	}

	@Test
	void aConditionAppliesToEveryStateInWhichAClaimMayTakeTheLock() {
		ItemCondition condition = ItemCondition.lessThan("tick", TWO);
		claim(wanted("alice", "v1").build(), ItemChange.none().attribute("tick", TWO), Precondition.FREE);
		List<Precondition> states = List.of(Precondition.FREE.orVersion("v1"), Precondition.only("v1"),
				new Precondition(false, true, "v1"));
		for (Precondition state : states) {
			LockRecord wanted = wanted("alice", "v2").build();
			assertThat(refused(claim(wanted, ItemChange.none(), state.with(condition))).recordVersionNumber())
				.isEqualTo("v1");
		}
		for (Precondition state : states) {
			applied(claim(wanted("alice", "v1").build(), ItemChange.none(),
					state.orVersion(found().recordVersionNumber()).with(condition.not())));
			renew("v1", found().recordVersionNumber(), LEASE);
		}
	}

	@Test
	void theLargestConditionsFitIntoOneRequest() {
		ItemChange change = ItemChange.none().attribute("a", ONE);
		Precondition state = Precondition.FREE.orVersion("v0");
		applied(claim(wanted("alice", "v1").build(), change, state.with(RandomConditions.widest())));
		release("v2", Set.of("v1"));
		applied(claim(wanted("alice", "v3").build(), change, state.with(RandomConditions.deepest())));
	}

	@Test
	void anItemThatIsNotALockIsReportedAndLeftAlone() {
		putForeignItem(this.key);
		assertNotALock(claim("alice", "v1", null));
		assertNotALock(claim("alice", "v1", "v0"));
		assertNotALock(renew("v2", "v1", LEASE));
		assertNotALock(release("v2", Set.of("v1")));
		assertNotALock(delete("v2", Set.of("v1")));
		assertNotALock(claim(wanted("alice", "v1").build(), ItemChange.none(), new Precondition(false, false, "v0")));
		assertNotALock(read(true));
	}

}
