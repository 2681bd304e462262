/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Missing;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Times are in milliseconds; the answer to a call comes ten later unless it is said
 * otherwise. An expiry of 100 belongs to the first lease, whenever it began.
 */
class LockCheckerTests {

	private static final long ROUND_TRIP = 10;

	private static final String LOCK = "lock";

	/** A time of day after the seconds of all expiries, so that they do not matter. */
	private static final long LONG_AFTER = 1_000_000;

	@Test
	void locksOneAfterTheOtherPass() {
		Verdict verdict = check(acquire("a", 0, 2, 1), renew("a", 500, 2, "k", new Granted(4, 102, 1)),
				look("a", 3500, new Taken(102)), acquire("b", 3700, new Refused()), release("a", 3800, new Released()),
				acquire("b", 3900, 2, 2), acquire("c", 7000, 2, 3), release("c", 7100, new Released()));

		assertThat(verdict.line())
			.isEqualTo("OK two clients with one lock: 0, lost: 0; 3 grants, 1 renewals, 0 late copies, "
					+ "1 takeovers after a lease, 0 renewals and releases after the client's own lease");
		assertThat(verdict.passed()).isTrue();
	}

	@Test
	void twoHoldersOfOneLockFail() {
		assertFails("two clients held one lock: 1, the first: a (token 1, from one) and b (token 2, from one) held lock"
				+ " for 1.490 s", acquire("a", 0, 2, 1), acquire("b", 500, 2, 2));
	}

	@Test
	void holderWithinALeaseThatWasRenewedIsASecondOne() {
		assertFails("two clients held one lock: 1", acquire("a", 0, 2, 1),
				renew("a", 500, 2, "k", new Granted(4, 102, 1)), acquire("b", 3000, 2, 2));
	}

	@Test
	void shortHoldWithinALongOneIsFoundAndSoIsTheNext() {
		assertFails("two clients held one lock: 2", acquire("a", 0, 5, 1), acquire("b", 500, 2, 2),
				release("b", 600, new Released()), acquire("c", 1000, 2, 3));
	}

	@Test
	void locksOfTwoNamesAreHeldAtATime() {
		Call other = call(Request.acquire("other", "b", 2), 500, new Granted(2, 100, 1));

		assertThat(check(acquire("a", 0, 2, 1), other).passed()).isTrue();
	}

	@Test
	void holderThatLetGoBeforeTheReleaseWasAnsweredIsNoSecondOne() {
		Call release = new Call(Request.release(LOCK, "a"), "one", millis(500), millis(500), millis(900), LONG_AFTER, 1,
				new Released());

		assertThat(check(acquire("a", 0, 2, 1), release, acquire("b", 600, 2, 2)).passed()).isTrue();
	}

	@Test
	void leaseIsCountedFromBeforeTheGrantWasSentAndNotFromItsAnswer() {
		Call late = new Call(Request.acquire(LOCK, "a", 2), "one", 0, 0, millis(1900), LONG_AFTER, 1,
				new Granted(2, 100, 1));

		assertThat(check(late, acquire("b", 2000, 2, 2)).passed()).isTrue();
	}

	@Test
	void grantThatWasSentTwiceIsCountedFromTheSecondTime() {
		Call twice = new Call(Request.acquire(LOCK, "a", 2), "two", 0, millis(1500), millis(1510), LONG_AFTER, 2,
				new Granted(2, 100, 1));

		assertThat(check(twice, acquire("b", 3500, 2, 2)).passed()).isTrue();
		assertThat(check(twice, acquire("b", 3400, 2, 2)).passed()).isFalse();
	}

	@Test
	void lockIsHeldThroughTheSecondOfItsExpiry() {
		Call grant = new Call(Request.acquire(LOCK, "a", 2), "one", 0, 0, millis(10), 98_410, 1,
				new Granted(2, 100, 1));

		assertThat(check(grant, acquire("b", 2600, 2, 2)).passed()).isTrue();
		assertFails("two clients held one lock: 1", grant, acquire("b", 2500, 2, 2));
		assertFails("acknowledged and lost: 1", grant, look("a", 2500, new Free()));
		assertFails("acknowledged and lost: 1", grant, renew("a", 2500, 2, "k", new Refused()));
	}

	@Test
	void lockThatWasRenewedIsHeldThroughTheSecondOfItsNewExpiry() {
		Call renewal = new Call(Request.renew(LOCK, "a", 2, "k"), "one", millis(500), millis(500), millis(510), 98_910,
				1, new Granted(4, 102, 1));

		assertThat(check(acquire("a", 0, 2, 1), renewal, acquire("b", 4600, 2, 2)).passed()).isTrue();
		assertFails("two clients held one lock: 1", acquire("a", 0, 2, 1), renewal, acquire("b", 4500, 2, 2));
	}

	@Test
	void renewalThatIsRefusedWithinTheLeaseFails() {
		assertFails("acknowledged and lost: 1, the first: one refused to renew lock of a (token 1, from one)",
				acquire("a", 0, 2, 1), renew("a", 1900, 2, "k", new Refused()));
	}

	@Test
	void renewalThatIsRefusedWithinARenewedLeaseFails() {
		assertFails("acknowledged and lost: 1", acquire("a", 0, 2, 1), renew("a", 500, 2, "k", new Granted(4, 102, 1)),
				renew("a", 3900, 2, "l", new Refused()));
	}

	@Test
	void renewalThatIsRefusedAfterTheLeaseIsTooLate() {
		Verdict verdict = check(acquire("a", 0, 2, 1), renew("a", 1995, 2, "k", new Refused()));

		assertThat(verdict.passed()).isTrue();
		assertThat(verdict.line()).endsWith("1 renewals and releases after the client's own lease");
	}

	@Test
	void releaseThatIsRefusedWithinTheLeaseFails() {
		assertFails("acknowledged and lost: 1, the first: one refused to release lock", acquire("a", 0, 2, 1),
				release("a", 1000, new Refused()));
	}

	@Test
	void releaseThatWasSentTwiceMayBeRefusedSinceTheFirstOneLetOthersIn() {
		Call twice = new Call(Request.release(LOCK, "a"), "two", millis(500), millis(700), millis(710), LONG_AFTER, 2,
				new Refused());

		assertThat(check(acquire("a", 0, 2, 1), twice, acquire("b", 600, 2, 2)).passed()).isTrue();
	}

	@Test
	void releaseThatWasSentTwiceMayNotBeRefusedWithinTheLeaseIfNobodyElseCame() {
		Call twice = new Call(Request.release(LOCK, "a"), "two", millis(500), millis(700), millis(710), LONG_AFTER, 2,
				new Refused());
		String lost = "acknowledged and lost: 1, the first: two refused to release lock of a (token 2, from one)";

		assertFails(lost, acquire("a", 0, 2, 2), twice);
		assertFails(lost, acquire("b", -500, 2, 1), release("b", -400, new Released()), acquire("a", 0, 2, 2), twice);
		assertFails(lost, acquire("a", 0, 2, 2), twice, acquire("b", 720, 2, 3));
		assertFails(lost, acquire("a", 0, 2, 2), twice,
				call(Request.acquire("other", "b", 2), 600, new Granted(2, 100, 3)));
	}

	@Test
	void releaseThatWasSentTwiceMayBeRefusedSinceTheFirstOneLetSomebodyInUnnoticed() {
		Call unnoticed = new Call(Request.acquire(LOCK, "b", 2), "two", millis(490), millis(550), millis(560),
				LONG_AFTER, 2, new Refused());
		Call twice = new Call(Request.release(LOCK, "a"), "two", millis(500), millis(700), millis(710), LONG_AFTER, 2,
				new Refused());

		assertThat(check(acquire("a", 0, 2, 1), unnoticed, twice).passed()).isTrue();
		assertFails("acknowledged and lost: 1", acquire("a", 0, 2, 1), acquire("b", 490, new Refused()), twice);
	}

	@Test
	void releaseThatWasSentTwiceAndIsRefusedAfterTheLeaseIsTooLate() {
		Call twice = new Call(Request.release(LOCK, "a"), "two", millis(1900), millis(2100), millis(2110), LONG_AFTER,
				2, new Refused());

		assertThat(check(acquire("a", 0, 2, 1), twice).line())
			.endsWith("1 renewals and releases after the client's own lease");
	}

	@Test
	void holderThatSeesItsLockFreeFails() {
		assertFails("acknowledged and lost: 1, the first: a (token 1, from one) looked at lock and saw it free",
				acquire("a", 0, 2, 1), look("a", 1000, new Free()));
	}

	@Test
	void holderThatSeesAnotherLeaseFails() {
		assertFails("acknowledged and lost: 1, the first: a (token 1, from one) looked at lock and saw another lease",
				acquire("a", 0, 2, 1), look("a", 1000, new Taken(103)));
	}

	@Test
	void renewalThatWasAddedTwiceFails() {
		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1),
				renew("a", 500, 2, "k", new Granted(6, 104, 1)));
	}

	@Test
	void renewalThatWasAddedAgainWhenItWasRepeatedFails() {
		Call first = renew("a", 500, 2, "k", new Granted(4, 102, 1));

		assertThat(check(acquire("a", 0, 2, 1), first, renew("a", 600, 2, "k", new Granted(4, 102, 1))).passed())
			.isTrue();
		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1), first,
				renew("a", 600, 2, "k", new Granted(6, 104, 1)));
	}

	@Test
	void renewalThatWasNotAddedFails() {
		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1),
				renew("a", 500, 2, "k", new Granted(2, 100, 1)));
	}

	@Test
	void renewalUnderAnotherTokenFails() {
		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1),
				renew("a", 500, 2, "k", new Granted(4, 102, 2)));
	}

	@Test
	void grantForAnotherTimeThanAskedForFails() {
		assertFails("leases with wrong sums: 1", call(Request.acquire(LOCK, "a", 2), 0, new Granted(3, 100, 1)));
	}

	@Test
	void tokenThatFallsFails() {
		assertFails(
				"fencing tokens that do not increase: 1, the first: a (token 5, from one) had lock before b (token 4",
				acquire("b", 3000, 2, 4), acquire("a", 0, 2, 5));
	}

	@Test
	void tokenThatTwoHaveFails() {
		assertFails("fencing tokens that do not increase: 1", acquire("a", 0, 2, 5), acquire("b", 3000, 2, 5));
	}

	@Test
	void tokensOfThoseWhoAskedAtATimeMayBeInEitherOrder() {
		Call slow = new Call(Request.acquire(LOCK, "b", 2), "one", 0, 0, millis(2500), LONG_AFTER, 1,
				new Granted(2, 100, 4));

		assertThat(check(acquire("a", 100, 2, 5), slow).passed()).isTrue();
	}

	@Test
	void lockThatIsShownAsHeldAfterItsReleaseFails() {
		assertFails("not free after the end: 1, the first: lock is shown as held after a", acquire("a", 0, 2, 1),
				release("a", 500, new Released()), look(LockChecker.CLIENT, 600, new Taken(100)));
	}

	@Test
	void lockMayBeShownAsHeldToTheEndOfTheSecondInWhichItsLeaseEnds() {
		List<Call> calls = List.of(acquire("a", 0, 2, 1), look(LockChecker.CLIENT, 2900, new Taken(100)));

		assertThat(LockChecker.check(calls, List.of(), null).passed()).isTrue();
		assertFails("not free after the end: 1", acquire("a", 0, 2, 1), look(LockChecker.CLIENT, 3100, new Taken(100)));
	}

	@Test
	void lockThatIsRefusedToOthersAfterItsReleaseFails() {
		assertFails("not free after the end: 1, the first: lock is refused to others after a", acquire("a", 0, 2, 1),
				release("a", 500, new Released()), acquire(LockChecker.CLIENT, 600, new Refused()));
	}

	@Test
	void acquisitionThatWasSentTwiceMayHaveTheLockUnnoticedForItsLease() {
		Call twice = new Call(Request.acquire(LOCK, "b", 2), "two", millis(600), millis(700), millis(710), LONG_AFTER,
				2, new Refused());
		Call once = acquire("b", 600, new Refused());
		Call[] others = { acquire("a", 0, 2, 1), release("a", 800, new Released()) };

		assertThat(check(others[0], others[1], twice, acquire(LockChecker.CLIENT, 5700, new Refused())).passed())
			.isTrue();
		assertFails("not free after the end: 1", others[0], others[1], twice,
				acquire(LockChecker.CLIENT, 5720, new Refused()));
		assertFails("not free after the end: 1", others[0], others[1], once,
				acquire(LockChecker.CLIENT, 5700, new Refused()));
	}

	@Test
	void acquisitionWithoutAnAnswerMayHaveTheLockUnnoticedForItsLease() {
		Call missing = acquire("b", 600, new Missing());

		assertThat(check(acquire("a", 0, 2, 1), release("a", 500, new Released()), missing,
				look(LockChecker.CLIENT, 1000, new Taken(100)))
			.passed()).isTrue();
		assertFails("not free after the end: 1", acquire("a", 0, 2, 1), release("a", 500, new Released()), missing,
				look(LockChecker.CLIENT, 6000, new Taken(100)));
	}

	@Test
	void lateCopyThatMovesTheEndOfALeaseForwardFails() {
		Call renewal = renew("a", 500, 2, "k", new Granted(4, 102, 1));

		assertFails("leases that ended early: 1, the first: Request[action=ACQUIRE, lock=lock, client=a",
				acquire("a", 0, 2, 1), renewal, late(Request.acquire(LOCK, "a", 2), 600, new Granted(2, 101, 1)));
		assertThat(
				check(acquire("a", 0, 2, 1), renewal, late(Request.acquire(LOCK, "a", 2), 600, new Granted(1, 102, 1)))
					.passed())
			.isTrue();
	}

	@Test
	void renewalThatRestsOnALeaseWhichALateCopyShortenedFails() {
		Call late = late(Request.acquire(LOCK, "a", 2), 100, new Refused());

		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1), late,
				renew("a", 500, 2, "k", new Granted(3, 101, 1)));
	}

	@Test
	void lateCopyOfAnAcquisitionMayLengthenTheLeaseUnlessItHasTheKeyOfTheHold() {
		Call longer = renew("a", 500, 2, "k", new Granted(3, 103, 1));
		Call asLong = renew("a", 500, 2, "k", new Granted(3, 102, 1));
		Request acquisition = Request.acquire(LOCK, "a", 2);
		Call grant = call(acquisition.marked("m"), 0, new Granted(2, 100, 1));
		Call late = late(acquisition.marked("m"), 100, new Granted(1, 100, 1));

		assertThat(check(acquire("a", 0, 2, 1), late(acquisition, 100, new Granted(2, 101, 1)), longer).passed())
			.isTrue();
		assertThat(check(grant, late, asLong).passed()).isTrue();
		assertFails("leases with wrong sums: 1", grant, late, longer);
		assertFails("leases with wrong sums: 1", acquire("a", 0, 2, 1), longer);
	}

	@Test
	void repeatedAcquisitionWithItsKeyMayCountFromTheFirstSending() {
		Request acquisition = Request.acquire(LOCK, "a", 2);

		assertThat(check(twice(acquisition.marked("m"), new Granted(1, 100, 1))).passed()).isTrue();
		assertFails("leases with wrong sums: 1", twice(acquisition, new Granted(1, 100, 1)));
	}

	@Test
	void lateCopyOfAReleaseThatFreesTheNextHoldFails() {
		Call[] calls = { acquire("a", 0, 2, 1), release("a", 100, new Released()), acquire("a", 200, 2, 2) };
		Request copy = Request.release(LOCK, "a").limitedTo(1);

		assertFails("next holds that were freed: 1, the first: Request[action=RELEASE, lock=lock, client=a", calls[0],
				calls[1], calls[2], late(copy, 300, new Released()));
		assertThat(check(calls[0], calls[1], calls[2], late(copy, 300, new Refused())).passed()).isTrue();
		assertThat(check(calls[0], calls[1], calls[2], late(copy, 150, new Released())).passed()).isTrue();
	}

	@Test
	void lateCopyOfAnAcquisitionMayHaveTheLockToTheEndOfItsExpiryAndTheClockBound() {
		Call late = late(Request.acquire(LOCK, "a", 2), 600, new Granted(2, 1002, 2));

		assertThat(check(acquire("a", 0, 2, 1), release("a", 500, new Released()), late,
				acquire(LockChecker.CLIENT, 5600, new Refused()))
			.passed()).isTrue();
		assertFails("not free after the end: 1", acquire("a", 0, 2, 1), release("a", 500, new Released()), late,
				acquire(LockChecker.CLIENT, 5620, new Refused()));
	}

	@Test
	void releaseThatWasSentTwiceMayBeRefusedSinceALateCopyAcquiredTheLock() {
		Call late = late(Request.acquire(LOCK, "a", 2), 5, new Granted(2, 1002, 2));

		assertThat(check(acquire("a", -100, 2, 1), twice(Request.release(LOCK, "a").limitedTo(1), new Refused()), late)
			.passed()).isTrue();
	}

	@Test
	void clientWithoutAProperAnswerFails() {
		Verdict verdict = LockChecker.check(List.of(acquire("a", 0, 2, 1)), List.of("one answered 500"), null);

		assertThat(verdict.line()).isEqualTo("FAILED requests without a proper answer: 1, the first: one answered 500");
	}

	@Test
	void trialInWhichNothingWasGrantedFails() {
		assertFails("something that the run needs did not happen: 1, the first: no lock was granted",
				acquire("a", 0, new Refused()));
	}

	@Test
	void longTrialInWhichTheKilledInstanceGrantedNothingFails() {
		List<Call> calls = List.of(acquire("a", 0, 2, 1), renew("a", 500, 2, "k", new Granted(4, 102, 1)));

		assertThat(LockChecker.check(calls, List.of(), "one").passed()).isTrue();
		assertThat(LockChecker.check(calls, List.of(), "two").line()).isEqualTo(
				"FAILED something that the run needs did not happen: 1, the first: two, which was killed, granted no lock");
	}

	@Test
	void longTrialInWhichNothingWasRenewedFails() {
		List<Call> calls = List.of(acquire("a", 0, 2, 1), renew("a", 2500, 2, "k", new Refused()));

		assertThat(LockChecker.check(calls, List.of(), null).passed()).isTrue();
		assertThat(LockChecker.check(calls, List.of(), "one").line())
			.isEqualTo("FAILED something that the run needs did not happen: 1, the first: no lock was renewed");
	}

	private static Call acquire(String client, long sent, long seconds, long token) {
		return call(Request.acquire(LOCK, client, seconds), sent, new Granted(seconds, 100, token));
	}

	private static Call acquire(String client, long sent, Answer answer) {
		return call(Request.acquire(LOCK, client, 2), sent, answer);
	}

	private static Call renew(String client, long sent, long seconds, String key, Answer answer) {
		return call(Request.renew(LOCK, client, seconds, key), sent, answer);
	}

	private static Call release(String client, long sent, Answer answer) {
		return call(Request.release(LOCK, client), sent, answer);
	}

	private static Call look(String client, long sent, Answer answer) {
		return call(Request.look(LOCK, client), sent, answer);
	}

	private static Call late(Request request, long sent, Answer answer) {
		return call(request.copy(), sent, answer);
	}

	/** Sent when the trial begins, and again a second later. */
	private static Call twice(Request request, Answer answer) {
		return new Call(request, "two", 0, millis(1000), millis(1000 + ROUND_TRIP), LONG_AFTER, 2, answer);
	}

	private static Call call(Request request, long sent, Answer answer) {
		return new Call(request, "one", millis(sent), millis(sent), millis(sent + ROUND_TRIP), LONG_AFTER, 1, answer);
	}

	private static long millis(long time) {
		return TimeUnit.MILLISECONDS.toNanos(time);
	}

	private static Verdict check(Call... calls) {
		return LockChecker.check(Arrays.asList(calls), List.of(), null);
	}

	private static void assertFails(String why, Call... calls) {
		Verdict verdict = LockChecker.check(new ArrayList<>(List.of(calls)), List.of(), null);
		assertThat(verdict.passed()).isFalse();
		assertThat(verdict.line()).startsWith("FAILED ").contains(why);
	}

}
