/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
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

class RetentionTests {

	private final Course lease = Course.granted(ours("granted"), TERMS);

	@Test
	void theRestOfTheTimeBecomesTheLease() {
		Operation retention = retention(this.lease);
		LockWrite.Renew write = renewal(retention.start(at(1000)));
		assertThat(write.expected()).isEqualTo("granted");
		assertThat(write.leaseDuration()).isBetween(Duration.ofMillis(1500), Duration.ofMillis(1501));
		assertThat(retention.answered(new Answer.Applied(null), at(1010))).isInstanceOf(Step.Settled.class);
	}

	@Test
	void aHeartbeatThatWasAppliedFirstIsFollowed() {
		Operation retention = retention(this.lease.renewing("heartbeat", at(900)));
		retention.start(at(1000));
		assertThat(retention.answered(new Answer.Refused(ours("heartbeat")), at(1010))).isInstanceOf(Step.Wait.class);
		assertThat(renewal(retention.wake(at(1030))).expected()).isEqualTo("heartbeat");
		assertThat(retention.answered(new Answer.Refused(released(theirs("a"))), at(1040)))
			.isInstanceOf(Step.Settled.class);
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		Operation retention = retention(this.lease.renewing("heartbeat", at(900)));
		retention.start(at(1000));
		assertThat(retention.answered(new Answer.Refused(null), at(1010))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(retention.answered(new Answer.Found(ours("heartbeat")), at(1020))).isInstanceOf(Step.Wait.class);
		assertThat(renewal(retention.wake(at(1040))).expected()).isEqualTo("heartbeat");
	}

	@Test
	void callsWithoutAnAnswerEndItWithoutAReport() {
		Operation retention = retention(this.lease);
		retention.start(at(1000));
		assertThat(retention.answered(unknown(), at(2000))).isInstanceOf(Step.Wait.class);
		assertThat(renewal(retention.wake(at(2100))).expected()).isEqualTo("granted");
		assertThat(retention.answered(unknown(), at(20_000))).isInstanceOf(Step.Settled.class);
	}

	private static Operation retention(Course lease) {
		return new Retention(lease.ending().lease().renewals(), Duration.ofMillis(1500), ItemChange.none(),
				Given.numbered());
	}

	private static LockWrite.Renew renewal(Step step) {
		return (LockWrite.Renew) ((Step.Write) step).write();
	}

}
