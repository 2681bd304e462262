/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.terms;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an acquisition that waits lets the lock's holder know.
 */
class MarkTests {

	private final Observations observations = new Observations(100);

	@Test
	void aWaiterMarksTheLockInPlaceOfThePollAfterHalfASecond() {
		Acquisition waiter = waiting(60_000, theirs("a"));
		assertThat(waiter.wake(at(499))).isInstanceOf(Step.Read.class);
		waiter.answered(new Answer.Found(theirs("a")), at(499));
		assertThat(waiter.wake(at(544))).isInstanceOfSatisfying(Step.Mark.class, (mark) -> {
			assertThat(mark.key()).isEqualTo(KEY);
			assertThat(mark.waiting()).isEqualTo("me");
		});
	}

	@Test
	void aWaiterWithLessTimeMarksTheLockAfterHalfOfItButNotBeforeTwoPolls() {
		assertThat(waiting(600, theirs("a")).wake(at(299))).isInstanceOf(Step.Read.class);
		assertThat(waiting(600, theirs("a")).wake(at(300))).isInstanceOf(Step.Mark.class);
		LockRecord next = theirs("next").toBuilder().fencingToken(200L).build();
		assertThat(waiting(100, next).wake(at(89))).isInstanceOf(Step.Read.class);
		assertThat(waiting(100, next).wake(at(90))).isInstanceOf(Step.Mark.class);
	}

	@Test
	void aMarkIsRepeatedLessAndLessOftenWhileTheSameHolderHasTheLock() {
		Acquisition waiter = waiting(60_000, theirs("a"));
		long[] marked = new long[4];
		int marks = 0;
		for (long now = 45; marks < marked.length; now += 45) {
			if (waiter.wake(at(now)) instanceof Step.Mark) {
				marked[marks++] = now;
			}
			waiter.answered(new Answer.Found(theirs("v" + now)), at(now));
		}
		assertThat(marked).containsExactly(540, 1080, 2160, 4320);
	}

	@Test
	void theNextHolderSeesAMarkSoonHoweverLongTheFormerOneHadTheLock() {
		Acquisition waiter = waiting(600_000, theirs("a"));
		boolean isMarked = false;
		for (long now = 45; now < 60_000 || !isMarked; now += 45) {
			isMarked = waiter.wake(at(now)) instanceof Step.Mark;
			waiter.answered(new Answer.Found(theirs("v" + now)), at(now));
		}
		LockRecord next = theirs("next").toBuilder().fencingToken(200L).build();
		long begin = 90_000;
		waiter.wake(at(begin));
		waiter.answered(new Answer.Found(next), at(begin));
		assertThat(waiter.wake(at(begin + 45))).isInstanceOf(Step.Mark.class);
	}

	@Test
	void shortWaitsInARowMarkTheLockOfOneHolderLessAndLessOften() {
		List<Long> marked = new ArrayList<>();
		for (long now = 0; now < 60_000; now += 500) {
			Acquisition waiter = new Acquisition(terms(500, now), this.observations, Given.numbered());
			Step step = waiter.start(at(now));
			while (!(step instanceof Step.End)) {
				if (step instanceof Step.Mark) {
					marked.add(now);
				}
				now = (step instanceof Step.Wait wait) ? wait.untilObserverNanos() / 1_000_000 : now;
				step = (step instanceof Step.Wait) ? waiter.wake(at(now))
						: waiter.answered((step instanceof Step.Write) ? new Answer.Refused(theirs("v" + now / 3000))
								: new Answer.Found(theirs("v" + now / 3000)), at(now));
			}
		}
		assertThat(marked).hasSizeBetween(5, 9);
		for (int i = 2; i < marked.size(); i++) {
			assertThat(marked.get(i)).isGreaterThanOrEqualTo(2 * marked.get(i - 1));
		}
	}

	@Test
	void anEarlierTryIsNoMark() {
		Acquisition attempt = new Acquisition(terms(0), this.observations, Given.numbered());
		attempt.start(at(0));
		attempt.answered(new Answer.Refused(theirs("a")), at(0));
		long begin = 60_000;
		Acquisition waiter = new Acquisition(terms(60_000, begin), this.observations, Given.numbered());
		waiter.start(at(begin));
		waiter.answered(new Answer.Refused(theirs("b")), at(begin));
		assertThat(waiter.wake(at(begin + 499))).isInstanceOf(Step.Read.class);
		waiter.answered(new Answer.Found(theirs("b")), at(begin + 499));
		assertThat(waiter.wake(at(begin + 544))).isInstanceOf(Step.Mark.class);
	}

	@Test
	void theAnswerToAMarkIsThatOfAPoll() {
		Acquisition waiter = waiting(60_000, theirs("a"));
		assertThat(waiter.wake(at(600))).isInstanceOf(Step.Mark.class);
		assertThat(waiter.answered(new Answer.Found(released(theirs("b"))), at(605))).isInstanceOf(Step.Write.class);
	}

	@Test
	void aMarkThatIsRejectedIsFollowedByAReadAndFailsNoWait() {
		Acquisition waiter = waiting(60_000, theirs("a"));
		assertThat(waiter.wake(at(600))).isInstanceOf(Step.Mark.class);
		Answer rejected = new Answer.Failed(new LockStoreException("the item is too large", null));
		assertThat(waiter.answered(rejected, at(605))).isInstanceOf(Step.Read.class);
		assertThat(waiter.answered(new Answer.Found(theirs("a")), at(610))).isInstanceOf(Step.Wait.class);
		assertThat(waiter.wake(at(655))).isInstanceOf(Step.Read.class);
		assertThat(waiter.answered(rejected, at(660))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aMarkWithoutAnAnswerIsFollowedByARead() {
		Acquisition waiter = waiting(60_000, theirs("a"));
		assertThat(waiter.wake(at(600))).isInstanceOf(Step.Mark.class);
		Step.Wait pause = (Step.Wait) waiter.answered(unknown(), at(700));
		assertThat(waiter.wake(Given.atNanos(pause.untilObserverNanos()))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aHolderWithoutFencingTokenSeesNoMarksAndGetsNone() {
		LockRecord foreign = theirs("a").toBuilder().fencingToken(null).build();
		assertThat(waiting(60_000, foreign).wake(at(600))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aCallerWhoseWaitIsOverMarksNothing() {
		waiting(0, theirs("a"));
		Acquisition attempt = new Acquisition(terms(0), this.observations, Given.numbered());
		assertThat(attempt.start(at(600))).isInstanceOf(Step.Read.class);
	}

	private Acquisition waiting(long waitMillis, LockRecord holder) {
		Acquisition waiter = new Acquisition(terms(waitMillis), this.observations, Given.numbered());
		waiter.start(at(0));
		waiter.answered(new Answer.Refused(holder), at(0));
		return waiter;
	}

}
