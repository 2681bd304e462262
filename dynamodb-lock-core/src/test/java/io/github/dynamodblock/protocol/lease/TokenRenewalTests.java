/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.numbered;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Renewals of detached locks.
 */
class TokenRenewalTests {

	private final Renewals lease = Renewals.granted(ours("v0"), TERMS, 0);

	private final TokenRenewal renewal = new TokenRenewal(this.lease, RenewRequest.create(), numbered());

	@Test
	void theReadThatSettlesAMissingItemIsRepeatedAfterAPauseIfItIsNotAnswered() {
		assertThat(this.renewal.start(at(0))).isInstanceOf(Step.Write.class);
		assertThat(this.renewal.answered(new Answer.Refused(null), at(10))).isInstanceOf(Step.Read.class);
		assertThat(this.renewal.answered(unknown(), at(20))).isInstanceOf(Step.Wait.class);
		assertThat(this.renewal.wake(at(100))).isInstanceOf(Step.Read.class);
		assertThat(this.renewal.answered(new Answer.Found(null), at(110))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOfSatisfying(LockLostException.class,
						(lost) -> assertThat(lost.reason()).isEqualTo(LossReason.ITEM_MISSING)));
	}

}
