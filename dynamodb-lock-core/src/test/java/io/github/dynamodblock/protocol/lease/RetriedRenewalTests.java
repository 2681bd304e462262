/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Renewals of locks that no handle keeps.
 */
class RetriedRenewalTests {

	private static final Duration LEASE = Duration.ofMillis(1500);

	private final Course lease = Course.granted(ours("granted"), TERMS);

	@Test
	void theReadThatSettlesAMissingItemIsRepeatedAfterAPauseIfItIsNotAnswered() {
		Operation renewal = renewal(this.lease);
		assertThat(renewal.start(at(0))).isInstanceOf(Step.Write.class);
		assertThat(renewal.answered(new Answer.Refused(null), at(10))).isInstanceOf(Step.Read.class);
		assertThat(renewal.answered(unknown(), at(20))).isInstanceOf(Step.Wait.class);
		assertThat(renewal.wake(at(100))).isInstanceOf(Step.Read.class);
		assertThat(renewal.answered(new Answer.Found(null), at(110))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOfSatisfying(LockLostException.class,
						(lost) -> assertThat(lost.reason()).isEqualTo(LossReason.ITEM_MISSING)));
	}

	@Test
	void theRenewedLeaseMayBeAnotherOne() {
		Operation renewal = renewal(this.lease);
		LockWrite.Renew write = written(renewal.start(at(1000)));
		assertThat(write.expected()).isEqualTo("granted");
		assertThat(write.leaseDuration()).isEqualTo(LEASE);
		assertThat(renewal.answered(new Answer.Applied(null), at(1010))).isInstanceOf(Step.Renewed.class);
	}

	@Test
	void aHeartbeatThatWasAppliedFirstIsFollowed() {
		Operation renewal = renewal(this.lease.renewing("heartbeat", at(900)));
		renewal.start(at(1000));
		assertThat(renewal.answered(new Answer.Refused(ours("heartbeat")), at(1010))).isInstanceOf(Step.Wait.class);
		assertThat(written(renewal.wake(at(1030))).expected()).isEqualTo("heartbeat");
		assertThat(renewal.answered(new Answer.Refused(released(theirs("a"))), at(1040)))
			.isInstanceOf(Step.Failed.class);
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		Operation renewal = renewal(this.lease.renewing("heartbeat", at(900)));
		renewal.start(at(1000));
		assertThat(renewal.answered(new Answer.Refused(null), at(1010))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(renewal.answered(new Answer.Found(ours("heartbeat")), at(1020))).isInstanceOf(Step.Wait.class);
		assertThat(written(renewal.wake(at(1040))).expected()).isEqualTo("heartbeat");
	}

	@Test
	void aShorterLeaseLeavesItsCallsNoLessTime() {
		Operation renewal = new RetriedRenewal(this.lease.ending().lease().renewals(), Duration.ofMillis(50),
				ItemChange.none(), Given.numbered());
		assertThat(renewal.start(at(1000))).isInstanceOfSatisfying(Step.Write.class,
				(write) -> assertThat(write.limitNanos()).isEqualTo(TERMS.callLimitNanos()));
		assertThat(renewal.answered(unknown(), at(2000))).isInstanceOf(Step.Wait.class);
	}

	@Test
	void callsWithoutAnAnswerEndIt() {
		Operation renewal = renewal(this.lease);
		renewal.start(at(1000));
		assertThat(renewal.answered(unknown(), at(2000))).isInstanceOf(Step.Wait.class);
		assertThat(written(renewal.wake(at(2100))).expected()).isEqualTo("granted");
		assertThat(renewal.answered(unknown(), at(20_000))).isInstanceOf(Step.Failed.class);
	}

	private static Operation renewal(Course lease) {
		return new RetriedRenewal(lease.ending().lease().renewals(), LEASE, ItemChange.none(), Given.numbered());
	}

	private static LockWrite.Renew written(Step step) {
		return (LockWrite.Renew) ((Step.Write) step).write();
	}

}
