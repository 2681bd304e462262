/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.terms;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which slot of a semaphore an acquisition asks, and what it makes of the answers. The
 * first of three slots is number 1.
 */
class SlotsTests {

	private static final LockRequest REQUEST = LockRequest.of("k").permits(3);

	private static final LockKey FIRST = LockKey.of("k#1");

	private static final LockKey SECOND = LockKey.of("k#2");

	private static final LockKey THIRD = LockKey.of("k#0");

	private final Observations observations = new Observations(1000);

	private final Lines lines = new Lines();

	@Test
	void theNextSlotIsAskedWhenOneIsHeldAndNoneIsAskedTwiceInATry() {
		Acquisition attempt = acquisition(REQUEST, 0);
		assertThat(claimed(attempt.start(at(0)))).isEqualTo(FIRST);
		assertThat(claimed(attempt.answered(held(FIRST, "a"), at(10)))).isEqualTo(SECOND);
		assertThat(claimed(attempt.answered(held(SECOND, "b"), at(20)))).isEqualTo(THIRD);
		assertThat(attempt.answered(held(THIRD, "c"), at(30))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void itBeginsAtASlotThatItsClientNeitherHoldsNorAsksForAndStandsInLinesOnlyWhenNoneIsLeft() {
		this.lines.taken.addAll(List.of(FIRST, SECOND));
		Acquisition waiter = acquisition(REQUEST, 60_000);
		assertThat(claimed(waiter.start(at(0)))).isEqualTo(THIRD);
		assertThat(this.lines.entered).isEmpty();
		Step.Wait wait = (Step.Wait) waiter.answered(held(THIRD, "c"), at(10));
		assertThat(this.lines.entered).containsExactly(FIRST, SECOND);
		assertThat(Objects.requireNonNull(wait.holder()).key()).isEqualTo(THIRD);
	}

	@Test
	void keysAndLinesAreMadeWhenTheyAreNeeded() {
		Acquisition first = acquisition(LockRequest.of("k").permits(100), 60_000);
		first.start(at(0));
		assertThat(first.keys()).hasSize(1);
		assertThat(this.lines.asked).isOne();
	}

	@Test
	void whatThisClientHoldsIsNotWaitedForWithoutTime() {
		this.lines.taken.addAll(List.of(FIRST, SECOND, THIRD));
		this.lines.held = record(SECOND, "own");
		assertThat(acquisition(REQUEST, 0).start(at(0))).isInstanceOf(Step.Denied.class);
		assertThat(this.lines.entered).isEmpty();
	}

	@Test
	void readsHaveALimitOfHalfASecond() {
		Acquisition waiter = waiting(60_000);
		assertThat(((Step.Read) waiter.wake(at(100))).limitNanos()).isEqualTo(Duration.ofMillis(500).toNanos());
	}

	@Test
	void aSlotWithoutAnAnswerBacksOffAloneAndItsUnansweredClaimIsFollowedByARead() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		assertThat(claimed(waiter.answered(unknown(), at(1000)))).isEqualTo(SECOND);
		assertThat(claimed(waiter.answered(held(SECOND, "b"), at(1010)))).isEqualTo(THIRD);
		assertThat(waiter.answered(held(THIRD, "c"), at(1020))).isInstanceOf(Step.Wait.class);
		assertThat(waiter.wake(at(1040))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.key()).isEqualTo(FIRST));
		Step step = waiter.answered(new Answer.Found(record(FIRST, "mine-1")), at(1050));
		assertThat(step).isInstanceOfSatisfying(Step.Granted.class,
				(granted) -> assertThat(granted.sentAt()).isEqualTo(at(0).holderNanos()));
	}

	@Test
	void aReadWithoutAnAnswerKeepsNoOtherSlotBack() {
		Acquisition waiter = waiting(60_000);
		LockKey hung = polled(waiter.wake(at(100)));
		Step next = waiter.answered(unknown(), at(600));
		assertThat(polled(next)).isNotEqualTo(hung);
	}

	@Test
	void whileTwoSlotsHaveAnUnansweredClaimNoOtherOneIsClaimed() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(unknown(), at(1000));
		assertThat(waiter.answered(unknown(), at(2000))).isInstanceOf(Step.Wait.class);
		assertThat(((Step.Read) waiter.wake(at(2100))).key()).isEqualTo(FIRST);
		assertThat(waiter.keys()).doesNotContain(THIRD);
		assertThat(claimed(waiter.answered(new Answer.Found(record(FIRST, "a")), at(2110))))
			.as("one of them is answered")
			.isEqualTo(THIRD);
	}

	@Test
	void twoHungSlotsStopNoOther() {
		Acquisition waiter = acquisition(LockRequest.of("k").permits(4), 60_000);
		Set<LockKey> hung = new HashSet<>();
		Map<LockKey, Integer> read = new HashMap<>();
		long now = 0;
		Step step = waiter.start(at(now));
		while (now < 20_000) {
			if (step instanceof Step.Wait wait) {
				now = Math.max(now, (wait.untilObserverNanos() - at(0).observerNanos()) / 1_000_000 + 1);
				step = waiter.wake(at(now));
				continue;
			}
			LockKey key = (step instanceof Step.Write write) ? write.write().key() : key(step);
			boolean hangs = step instanceof Step.Read && (hung.contains(key) || (hung.size() < 2 && hung.add(key)));
			now += hangs ? 500 : 10;
			if (!hangs && step instanceof Step.Read) {
				read.merge(key, 1, Integer::sum);
			}
			Answer held = (step instanceof Step.Write) ? held(key, "a")
					: new Answer.Found(record(key, "a" + now / 1000));
			step = waiter.answered(hangs ? unknown() : held, at(now));
		}
		assertThat(read).hasSize(2).allSatisfy((key, times) -> assertThat(times).isGreaterThan(10));
	}

	private static LockKey key(Step step) {
		return (step instanceof Step.Mark mark) ? mark.key() : ((Step.Read) step).key();
	}

	@Test
	void aThrottledSlotStopsNoOther() {
		Acquisition waiter = waiting(60_000);
		LockKey throttled = polled(waiter.wake(at(100)));
		Step pause = waiter.answered(new Answer.NotApplied(new IllegalStateException("throttled")), at(110));
		assertThat(pause).isInstanceOf(Step.Wait.class);
		assertThat(polled(waiter.wake(at(1000)))).isNotEqualTo(throttled);
	}

	@Test
	void oneTurnIsEnoughWhileACallIsUnderWay() {
		this.lines.taken.addAll(List.of(FIRST, SECOND));
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(held(THIRD, "c"), at(10));
		assertThat(waiter.wake(at(100))).isInstanceOf(Step.Read.class);
		assertThat(waiter.turn(FIRST, at(101))).isTrue();
		assertThat(waiter.turn(SECOND, at(102))).isFalse();
		assertThat(claimed(waiter.answered(new Answer.Found(record(THIRD, "c")), at(110)))).isEqualTo(FIRST);
	}

	@Test
	void eachUnansweredClaimHasACleanupByTheKeyOfItsSlot() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(unknown(), at(1000));
		waiter.answered(unknown(), at(2000));
		waiter.abandon();
		assertThat(waiter.wake(at(2001))).isInstanceOf(Step.End.class);
		Map<LockKey, Operation> cleanups = waiter.ended();
		assertThat(cleanups).containsOnlyKeys(FIRST, SECOND);
		cleanups.forEach((key, cleanup) -> {
			assertThat(((Step.Read) cleanup.start(at(2002))).key()).isEqualTo(key);
			String version = key.equals(FIRST) ? "mine-1" : "mine-2";
			Step.Write release = (Step.Write) cleanup.answered(new Answer.Found(record(key, version)), at(2010));
			assertThat(release.write()).isInstanceOfSatisfying(LockWrite.Release.class,
					(write) -> assertThat(write.expected()).containsExactly(version));
		});
		assertThat(waiter.left()).isEmpty();
	}

	@Test
	void aReadThatShowsAnotherOwnerMayLagAndLeavesTheCleanupOfAnUnansweredClaim() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(unknown(), at(1000));
		waiter.answered(held(SECOND, "b"), at(1010));
		waiter.answered(held(THIRD, "c"), at(1020));
		assertThat(waiter.wake(at(1040))).isEqualTo(new Step.Read(FIRST, false, Duration.ofMillis(500).toNanos()));
		waiter.answered(new Answer.Found(record(FIRST, "a")), at(1050));
		waiter.abandon();
		assertThat(waiter.wake(at(1051))).isInstanceOf(Step.End.class);
		assertThat(waiter.ended()).containsOnlyKeys(FIRST);
	}

	@Test
	void aGrantOfOneSlotLeavesTheCleanupOfAnother() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(unknown(), at(1000));
		assertThat(waiter.answered(new Answer.Applied(record(SECOND, "mine-2")), at(1010)))
			.isInstanceOf(Step.Granted.class);
		assertThat(waiter.ended()).containsOnlyKeys(FIRST);
		assertThat(waiter.left()).as("the lease has the turn").isEmpty();
	}

	@Test
	void aVersionIsRecognisedByItsOwnSlotAlone() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(unknown(), at(1000));
		assertThat(claimed(waiter.answered(held(SECOND, "mine-1"), at(1010)))).isEqualTo(THIRD);
	}

	@Test
	void itIsRefusedForTheHeldSlotWhoseLeaseEndsFirst() {
		Acquisition attempt = acquisition(REQUEST, 0);
		attempt.start(at(0));
		attempt.answered(held(FIRST, "a"), at(10));
		LockRecord shortest = record(SECOND, "b").toBuilder().leaseDuration(Duration.ofSeconds(1)).build();
		attempt.answered(new Answer.Refused(shortest), at(20));
		Step.Denied denied = (Step.Denied) attempt.answered(held(THIRD, "c"), at(30));
		assertThat(denied.holder()).isEqualTo(shortest);
		assertThat(denied.leaseRemainingNanos()).isEqualTo(Duration.ofMillis(990).toNanos());
	}

	@Test
	void aHeldSlotComesBeforeAnUnmetConditionBeforeAMissingItem() {
		LockRequest request = REQUEST.onlyIfItemExists(true).condition(ItemCondition.exists("ready"));
		Answer unmet = new Answer.Refused(released(record(SECOND, "b")));
		Acquisition absent = acquisition(request, 0);
		absent.start(at(0));
		noItem(absent);
		assertThat(claimed(absent.answered(new Answer.Found(null), at(2)))).isEqualTo(SECOND);
		assertThat(claimed(absent.answered(unmet, at(3)))).isEqualTo(THIRD);
		noItem(absent);
		assertThat(absent.answered(new Answer.Found(null), at(5))).isInstanceOf(Step.ConditionNotMet.class);
		Acquisition held = acquisition(request, 0);
		held.start(at(0));
		noItem(held);
		held.answered(new Answer.Found(null), at(2));
		held.answered(unmet, at(3));
		assertThat(held.answered(held(THIRD, "c"), at(4))).isInstanceOf(Step.Denied.class);
	}

	private static void noItem(Acquisition asked) {
		assertThat(asked.answered(new Answer.Refused(null), at(1))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aSlotThatIsNotAskedAgainLeavesItsTurn() {
		Acquisition waiter = acquisition(REQUEST.condition(ItemCondition.exists("ready")), 60_000);
		waiter.start(at(0));
		waiter.answered(new Answer.Refused(released(record(FIRST, "a"))), at(10));
		assertThat(waiter.left()).containsExactly(FIRST);
		assertThat(waiter.left()).isEmpty();
	}

	@Test
	void oneShownSlotIsNotEnoughForARefusal() {
		Acquisition waiter = acquisition(REQUEST, 1000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(500));
		assertThat(waiter.overdue(Map.of(), at(1000))).isNull();
		waiter.answered(held(SECOND, "b"), at(1001));
		assertThat(waiter.overdue(Map.of(), at(1002))).isNull();
		assertThat(waiter.answered(held(THIRD, "c"), at(1003))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aCallThatFailedIsAFailureAlthoughOtherSlotsAreHeld() {
		Acquisition waiter = acquisition(REQUEST, 1000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(SECOND, "b"), at(20));
		waiter.answered(unknown(), at(990));
		assertThat(waiter.overdue(Map.of(), at(1000))).isNull();
		assertThat(waiter.overdue(Map.of(), at(11_000))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasRootCauseMessage("no answer"));
	}

	@Test
	void theWaitInALineEndsWithWhatTheOneAheadKnows() {
		this.lines.taken.add(SECOND);
		Acquisition waiter = acquisition(REQUEST, 1000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(THIRD, "c"), at(20));
		assertThat(waiter.overdue(Map.of(), at(1000))).isNull();
		assertThat(waiter.overdue(Map.of(SECOND, new Step.Denied(record(SECOND, "b"), null)), at(1000)))
			.isInstanceOf(Step.Denied.class);
		assertThat(waiter.overdue(Map.of(), at(11_000))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("earlier call from this client"));
	}

	@Test
	void thoseBehindLearnAboutTheirOwnSlot() {
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		assertThat(waiter.evidence(FIRST, at(11))).isInstanceOf(Step.Denied.class);
		assertThat(waiter.evidence(SECOND, at(11))).isNull();
		assertThat(waiter.news()).containsExactly(FIRST);
	}

	@Test
	void aTurnThatComesEndsAWaitAtOnce() {
		this.lines.taken.add(SECOND);
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(THIRD, "c"), at(20));
		assertThat(waiter.turn(SECOND, at(21))).isTrue();
		assertThat(claimed(waiter.wake(at(21)))).isEqualTo(SECOND);
	}

	@Test
	void aTurnThatComesDuringACallIsUsedAfterIt() {
		this.lines.taken.add(SECOND);
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(THIRD, "c"), at(20));
		LockKey polled = ((Step.Read) waiter.wake(at(100))).key();
		assertThat(waiter.turn(SECOND, at(101))).isTrue();
		assertThat(claimed(waiter.answered(new Answer.Found(record(polled, "d")), at(110)))).isEqualTo(SECOND);
	}

	@Test
	void aTurnThatComesAfterTheCallerHasLeftIsNotUsed() {
		this.lines.taken.add(SECOND);
		Acquisition waiter = acquisition(REQUEST, 60_000);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(THIRD, "c"), at(20));
		waiter.abandon();
		assertThat(waiter.turn(SECOND, at(21))).isFalse();
		assertThat(waiter.left()).containsExactly(THIRD, FIRST);
	}

	@Test
	void whoLetsOthersPassHasNoTurnMeanwhile() {
		pauseForOthers(FIRST);
		LockRequest lock = REQUEST.slot(1);
		Acquisition patient = acquisition(lock, 60_000);
		Step.Wait pause = (Step.Wait) patient.start(at(0));
		assertThat(pause.untilObserverNanos()).isEqualTo(at(100).observerNanos());
		assertThat(this.lines.asked).isZero();
		assertThat(claimed(acquisition(lock, 0).start(at(1)))).isEqualTo(FIRST);
		this.lines.taken.add(FIRST);
		patient.wake(at(100));
		assertThat(this.lines.entered).containsExactly(FIRST);
	}

	@Test
	void aFreeSlotIsClaimedWhileOthersMayTakeAnother() {
		pauseForOthers(FIRST);
		assertThat(claimed(acquisition(REQUEST, 60_000).start(at(0)))).isEqualTo(SECOND);
	}

	@Test
	void aTurnInWhichOthersComeFirstIsGivenUpButNotThePlaceInTheLine() {
		this.lines.taken.add(FIRST);
		Acquisition patient = acquisition(REQUEST.slot(1), 60_000);
		patient.start(at(0));
		pauseForOthers(FIRST);
		assertThat(patient.turn(FIRST, at(0))).isTrue();
		assertThat(this.lines.paused).containsExactly(FIRST);
		assertThat(patient.wake(at(0))).isInstanceOf(Step.Wait.class);
		this.lines.taken.clear();
		assertThat(claimed(patient.wake(at(100)))).isEqualTo(FIRST);
	}

	@Test
	void theSlotThatWasMarkedLongestAgoIsMarkedAndNoneWithinHalfASecondOfAnother() {
		Acquisition waiter = waiting(60_000);
		List<LockKey> marked = new ArrayList<>();
		long last = 0;
		Step step = waiter.wake(at(100));
		for (long now = 100; marked.size() < 3; now += 10) {
			if (step instanceof Step.Mark mark) {
				assertThat(now - last).isGreaterThanOrEqualTo(500);
				last = now;
				marked.add(mark.key());
			}
			LockKey asked = (step instanceof Step.Mark mark) ? mark.key()
					: (step instanceof Step.Read read) ? read.key() : null;
			step = (asked != null) ? waiter.answered(new Answer.Found(record(asked, "v" + now / 2000)), at(now))
					: (((Step.Wait) step).untilObserverNanos() <= at(now).observerNanos()) ? waiter.wake(at(now))
							: step;
		}
		assertThat(marked).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	@Test
	void aHundredSlotsArePolledInTurnAndAtMostAsOftenAsFourLocks() {
		Map<LockKey, Integer> reads = polls(100);
		int sum = reads.values().stream().mapToInt(Integer::intValue).sum();
		int lock = polls(1).values().stream().mapToInt(Integer::intValue).sum();
		assertThat(sum).isBetween(3 * lock, 4 * lock);
		int fewest = reads.values().stream().mapToInt(Integer::intValue).min().orElseThrow();
		int most = reads.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
		assertThat(reads).hasSize(100);
		assertThat(most - fewest).isLessThanOrEqualTo(2);
	}

	/** How often each slot is read in a minute whose holders renew every second. */
	private Map<LockKey, Integer> polls(int permits) {
		Acquisition waiter = acquisition(LockRequest.of("polled-" + permits).permits(permits), 600_000);
		Map<LockKey, Integer> reads = new HashMap<>();
		long nanos = 0;
		Step step = waiter.start(at(0));
		while (nanos < Duration.ofMinutes(1).toNanos()) {
			if (step instanceof Step.Wait wait) {
				nanos = wait.untilObserverNanos();
				step = waiter.wake(Given.atNanos(nanos));
				continue;
			}
			LockKey key = (step instanceof Step.Write write) ? ((LockWrite.Claim) write.write()).wanted().key()
					: (step instanceof Step.Read read) ? read.key() : ((Step.Mark) step).key();
			LockRecord seen = record(key, "v" + nanos / 1_000_000_000).toBuilder()
				.leaseDuration(Duration.ofSeconds(20))
				.build();
			if (!(step instanceof Step.Write)) {
				reads.merge(key, 1, Integer::sum);
			}
			boolean claim = step instanceof Step.Write;
			nanos += 5_000_000;
			step = waiter.answered(claim ? new Answer.Refused(seen) : new Answer.Found(seen), Given.atNanos(nanos));
		}
		return reads;
	}

	@Test
	void aSlotThatWasReadLongAgoIsReadAgainBeforeItIsTakenOver() {
		Acquisition waiter = acquisition(LockRequest.of("k").permits(5), 600_000);
		Step step = waiter.start(at(0));
		for (int i = 0; i < 5; i++) {
			LockKey key = claimed(step);
			step = waiter.answered(held(key, "a"), at(0));
		}
		LockKey key = ((Step.Read) waiter.wake(at(4000))).key();
		step = waiter.answered(new Answer.Found(record(key, "b")), at(4010));
		while (step instanceof Step.Wait wait) {
			step = waiter.wake(Given.atNanos(wait.untilObserverNanos()));
		}
		LockKey next = ((Step.Read) step).key();
		assertThat(next).isNotEqualTo(key);
		step = waiter.answered(new Answer.Found(record(next, "a")), at(4100));
		assertThat(claimed(step)).isEqualTo(next);
		assertThat(((LockWrite.Claim) ((Step.Write) step).write()).precondition().version()).isEqualTo("a");
	}

	/** All slots are held by others. */
	private Acquisition waiting(long waitMillis) {
		Acquisition waiter = acquisition(REQUEST, waitMillis);
		waiter.start(at(0));
		waiter.answered(held(FIRST, "a"), at(10));
		waiter.answered(held(SECOND, "b"), at(20));
		waiter.answered(held(THIRD, "c"), at(30));
		return waiter;
	}

	private void pauseForOthers(LockKey key) {
		this.observations.sawNoOtherOwner(released(record(key, "mine-0")), 0);
		this.observations.pauseForOthers(key, Duration.ofMillis(100).toNanos(), at(0));
	}

	private Acquisition acquisition(LockRequest request, long waitMillis) {
		return new Acquisition(terms(request, waitMillis), this.observations, Given.numbered(), this.lines);
	}

	private static Answer held(LockKey key, String version) {
		return new Answer.Refused(record(key, version));
	}

	private static LockRecord record(LockKey key, String version) {
		return LockRecord.builder(key, "them", Duration.ofSeconds(4), version).fencingToken(100L).build();
	}

	private static LockKey polled(Step step) {
		return (step instanceof Step.Mark mark) ? mark.key() : ((Step.Read) step).key();
	}

	private static LockKey claimed(Step step) {
		assertThat(step).isInstanceOf(Step.Write.class);
		return ((LockWrite.Claim) ((Step.Write) step).write()).wanted().key();
	}

	/**
	 * The queues of a client.
	 */
	private static final class Lines implements Turns {

		/** Other acquisitions have their turns. */
		private final Set<LockKey> taken = new HashSet<>();

		private final List<LockKey> entered = new ArrayList<>();

		private final List<LockKey> paused = new ArrayList<>();

		private int asked;

		/** What {@link #holder} returns. */
		private @Nullable LockRecord held;

		@Override
		public boolean takeIfFree(LockKey key) {
			this.asked++;
			return !this.taken.contains(key);
		}

		@Override
		public boolean enter(LockKey key) {
			this.entered.add(key);
			return !this.taken.contains(key);
		}

		@Override
		public void pause(LockKey key) {
			this.paused.add(key);
		}

		@Override
		public @Nullable LockRecord holder(LockKey key) {
			return this.held;
		}

	}

}
