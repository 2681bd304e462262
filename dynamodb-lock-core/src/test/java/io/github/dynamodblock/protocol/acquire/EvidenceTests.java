/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.Map;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Renewals;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.terms;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an acquisition without a lock is denied, and when it has failed.
 */
class EvidenceTests {

	private final Observations observations = new Observations(100);

	private final Randomness randomness = Given.numbered();

	@Test
	void aCallUnderWayIsAwaitedWhenTheWaitIsOverAndAFreeLockIsGranted() {
		Acquisition acquisition = acquisition(5);
		acquisition.start(at(0));
		assertThat(acquisition.overdue(Map.of(), at(5))).isNull();
		granted(acquisition.answered(applied("mine-1"), at(10)));
	}

	@Test
	void anOwnerThatWasSeenIsReportedWhenTheWaitIsOverInTheMiddleOfAPoll() {
		Acquisition acquisition = acquisition(100);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		assertThat(acquisition.wake(at(85))).isInstanceOf(Step.Read.class);
		Step.End end = acquisition.overdue(Map.of(), at(100));
		assertThat(end).isNotNull();
		assertThat(denied(end).holder()).extracting(LockRecord::ownerName).isEqualTo("them");
	}

	@Test
	void anOwnerThatIsOnlyRememberedIsNotReportedBeforeThePollIsAnswered() {
		tryAt(0, theirs("a"));
		Acquisition acquisition = acquisition(5);
		assertThat(acquisition.start(at(1))).isInstanceOf(Step.Read.class);
		assertThat(acquisition.overdue(Map.of(), at(5))).isNull();
		claim(acquisition.answered(new Answer.Found(released(theirs("b"))), at(11)));
		granted(acquisition.answered(applied("mine-2"), at(21)));
	}

	@Test
	void aClaimOfALockThatWasSeenFreeIsAwaitedWhenTheWaitIsOver() {
		Acquisition acquisition = acquisition(100);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		acquisition.wake(at(90));
		claim(acquisition.answered(new Answer.Found(released(theirs("b"))), at(97)));
		assertThat(acquisition.overdue(Map.of(), at(100))).isNull();
		Step.Denied denied = denied(acquisition.answered(new Answer.Refused(theirs("c")), at(107)));
		assertThat(denied.holder()).extracting(LockRecord::recordVersionNumber).isEqualTo("c");
	}

	@Test
	void aClaimThatHangsAfterTheHolderReleasedIsAFailureOfTheStore() {
		Acquisition acquisition = acquisition(100);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		acquisition.wake(at(90));
		claim(acquisition.answered(new Answer.Found(released(theirs("b"))), at(97)));
		assertThat(acquisition.overdue(Map.of(), at(100))).isNull();
		acquisition.answered(unknown(), at(4997));
		claim(acquisition.wake(at(5050)));
		assertThat(acquisition.overdue(Map.of(), at(9903))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasRootCauseMessage("no answer"));
	}

	@Test
	void aStoreThatHasNotAnsweredYetIsNotReportedAsAnOwnerOfTheLock() {
		Acquisition acquisition = acquisition(1000);
		Step.Call call = (Step.Call) acquisition.start(at(0));
		assertThat(acquisition.sending(call, () -> at(0))).isNotNull();
		assertThat(acquisition.overdue(Map.of(), at(10_799))).isNull();
		assertThat(acquisition.overdue(Map.of(), at(10_803))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("has not answered yet"));
	}

	@Test
	void aCallThatHasNoSlotASecondAfterTheWaitIsNotAwaited() {
		Acquisition acquisition = acquisition(1000);
		acquisition.start(at(0));
		assertThat(acquisition.overdue(Map.of(), at(1999))).isNull();
		assertThat(acquisition.overdue(Map.of(), at(2000))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("maxConcurrentCalls"));
	}

	@Test
	void anAttemptInAShortWaitIsRepeatedAsASingleAttemptIsIfItIsNotAnswered() {
		Acquisition acquisition = acquisition(5);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(100));
		assertThat(acquisition.overdue(Map.of(), at(100))).isNull();
		claim(acquisition.wake(at(150)));
		granted(acquisition.answered(applied("mine-2"), at(160)));
	}

	@Test
	void aLeaseThatEndsWhenTheWaitIsOverIsTakenOver() {
		Acquisition acquisition = acquisition(4000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(0));
		assertThat(acquisition.overdue(Map.of(), at(4000))).isNull();
		assertThat(claim(acquisition.wake(at(4000))).precondition().version()).isEqualTo("a");
	}

	@Test
	void aFreeLockWhoseItemCannotBeClaimedIsNotBusy() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		Answer refused = new Answer.Refused(released(theirs("a")));
		assertThat(acquisition.answered(refused, at(10))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("is marked as released"));
	}

	@Test
	void noAnswersAtAllFailWithTheLastCause() {
		Acquisition acquisition = acquisition(1_039);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(500));
		Step end = acquisition.wake(at(9900));
		assertThat(end).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("orders-42")
					.hasMessageContaining("could not be acquired within 1 s: A DynamoDB call failed. Error: ")
					.hasRootCauseMessage("no answer"));
	}

	@Test
	void severalFailedCallsAreCounted() {
		Acquisition acquisition = acquisition(1000);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(100));
		acquisition.wake(at(200));
		acquisition.answered(unknown(), at(300));
		assertThat(acquisition.wake(at(9900))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure())
					.hasMessageContaining(": 2 consecutive DynamoDB calls failed. Last error: "));
	}

	private void tryAt(long millis, LockRecord seen) {
		Acquisition acquisition = acquisition(0);
		Step first = acquisition.start(at(millis));
		Answer answer = (first instanceof Step.Read) ? new Answer.Found(seen) : new Answer.Refused(seen);
		denied(acquisition.answered(answer, at(millis)));
	}

	private Acquisition acquisition(long waitMillis) {
		return new Acquisition(terms(waitMillis), this.observations, this.randomness);
	}

	private static Answer applied(String version) {
		return new Answer.Applied(ours(version));
	}

	private static LockWrite.Claim claim(Step step) {
		assertThat(step).isInstanceOf(Step.Write.class);
		return (LockWrite.Claim) ((Step.Write) step).write();
	}

	private static Renewals granted(Step step) {
		assertThat(step).isInstanceOf(Step.Granted.class);
		Step.Granted granted = (Step.Granted) step;
		return Renewals.granted(granted.record(), TERMS, granted.sentAt());
	}

	private static Step.Denied denied(Step step) {
		assertThat(step).isInstanceOf(Step.Denied.class);
		return (Step.Denied) step;
	}

}
