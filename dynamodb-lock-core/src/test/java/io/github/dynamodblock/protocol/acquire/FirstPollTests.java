/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.Map;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.terms;
import static io.github.dynamodblock.protocol.Given.theirs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an acquisition first polls a lock that the client has just seen held.
 */
class FirstPollTests {

	private final Observations observations = new Observations(100);

	@Test
	void aWaitBeginsWithTheNextPollInTheScheduleOfTheOneBefore() {
		seenAt(0);
		Acquisition next = acquisition(500, 10);
		assertThat(next.start(at(10))).isInstanceOfSatisfying(Step.Wait.class, (wait) -> {
			assertThat(wait.untilObserverNanos()).isEqualTo(at(45).observerNanos());
			assertThat(wait.holder()).extracting(LockRecord::ownerName).isEqualTo("them");
		});
		assertThat(next.wake(at(45))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isFalse());
	}

	@Test
	void aWaitPollsAtOnceWhenItsPollIsDue() {
		seenAt(0);
		assertThat(acquisition(500, 45).start(at(45))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aWaitPollsAtOnceIfItIsOverBeforeItsPollIsDue() {
		seenAt(0);
		assertThat(acquisition(34, 10).start(at(10))).isInstanceOf(Step.Read.class);
		assertThat(acquisition(35, 10).start(at(10))).isInstanceOf(Step.Wait.class);
		assertThat(acquisition(0, 10).start(at(10))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aWaitThatEndsWhenItsFirstPollIsDueStillPolls() {
		seenAt(0);
		Acquisition next = acquisition(35, 10);
		next.start(at(10));
		assertThat(next.overdue(Map.of(), at(45))).isNull();
		assertThat(next.wake(at(45))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aWaitThatBeginsJustBeforeTheObservedLeaseEndsTakesOverAtItsEnd() {
		seenAt(0);
		seenAt(3990);
		Acquisition next = acquisition(500, 3991);
		assertThat(next.start(at(3991))).isInstanceOfSatisfying(Step.Wait.class,
				(wait) -> assertThat(wait.untilObserverNanos()).isEqualTo(at(4000).observerNanos()));
		assertThat(next.wake(at(4000))).isInstanceOfSatisfying(Step.Write.class,
				(write) -> assertThat(((LockWrite.Claim) write.write()).precondition().version()).isEqualTo("a"));
	}

	@Test
	void anAbandonedWaitForTheFirstPollBeginsNoCall() {
		seenAt(0);
		Acquisition next = acquisition(500, 10);
		next.start(at(10));
		next.abandon();
		assertThat(next.wake(at(20))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void anAcquisitionThatIsAbandonedBeforeItBeginsDoesNotWaitForItsFirstPoll() {
		seenAt(0);
		Acquisition next = acquisition(500, 10);
		next.abandon();
		assertThat(next.start(at(10))).isInstanceOf(Step.End.class);
	}

	private void seenAt(long millis) {
		this.observations.saw(theirs("a"), at(millis).observerNanos(), null);
	}

	private Acquisition acquisition(long waitMillis, long nowMillis) {
		return new Acquisition(terms(waitMillis, nowMillis), this.observations, Given.numbered());
	}

}
