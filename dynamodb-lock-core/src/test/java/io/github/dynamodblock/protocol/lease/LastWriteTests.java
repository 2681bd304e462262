/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class LastWriteTests {

	private static final Answer APPLIED = new Answer.Applied(null);

	private final HeldLease lease = HeldLease.granted(ours("granted"), TERMS, at(0).holderNanos());

	@Test
	void retainingMakesTheRestOfTheTimeTheLease() {
		Operation retention = LastWrite.retain(this.lease.ending(), Duration.ofMillis(1500), ItemChange.none(),
				Given.numbered());
		LockWrite.Renew write = (LockWrite.Renew) ((Step.Write) retention.start(at(1000))).write();
		assertThat(write.expected()).isEqualTo("granted");
		assertThat(write.leaseDuration()).isBetween(Duration.ofMillis(1500), Duration.ofMillis(1501));
		assertThat(retention.answered(APPLIED, at(1010))).isInstanceOf(Step.Settled.class);
	}

	@Test
	void retainingFollowsAHeartbeatThatWasAppliedFirst() {
		HeldLease renewing = this.lease.renewing("heartbeat", at(900)).ending();
		Operation retention = LastWrite.retain(renewing, Duration.ofMillis(1500), ItemChange.none(), Given.numbered());
		retention.start(at(1000));
		Step again = retention.answered(new Answer.Refused(ours("heartbeat")), at(1010));
		assertThat(((LockWrite.Renew) ((Step.Write) again).write()).expected()).isEqualTo("heartbeat");
		assertThat(retention.answered(new Answer.Refused(released(theirs("a"))), at(1020)))
			.isInstanceOf(Step.Settled.class);
	}

	@Test
	void aCleanupReleasesTheClaimThatIsFoundAndNoOther() {
		Operation cleanup = cleanup();
		assertThat(cleanup.start(at(0))).isInstanceOf(Step.Read.class);
		Step release = cleanup.answered(new Answer.Found(ours("claim-2")), at(10));
		assertThat(((LockWrite.Release) ((Step.Write) release).write()).expected()).containsExactly("claim-2");
		assertThat(cleanup.answered(APPLIED, at(20))).isInstanceOf(Step.Settled.class);
	}

	@Test
	void aCleanupLeavesWhatIsFreeOrAnotherOwnersAlone() {
		for (LockRecord found : new LockRecord[] { theirs("a"), ours("of-another-acquisition"),
				released(ours("claim-1")) }) {
			Operation cleanup = cleanup();
			cleanup.start(at(0));
			assertThat(cleanup.answered(new Answer.Found(found), at(10))).isInstanceOf(Step.Settled.class);
		}
	}

	@Test
	void fiveFailedCallsEndItWithoutAReport() {
		Operation cleanup = cleanup();
		cleanup.start(at(0));
		for (int failure = 1; failure < 5; failure++) {
			assertThat(cleanup.answered(unknown(), at(failure * 1000L))).isInstanceOf(Step.Wait.class);
			assertThat(cleanup.wake(at(failure * 1000L + 500))).isInstanceOf(Step.Read.class);
		}
		assertThat(cleanup.answered(unknown(), at(5000))).isInstanceOf(Step.Settled.class);
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		Operation cleanup = cleanup();
		cleanup.start(at(0));
		cleanup.answered(new Answer.Found(ours("claim-1")), at(10));
		assertThat(cleanup.answered(new Answer.Refused(null), at(20))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		Step release = cleanup.answered(new Answer.Found(ours("claim-2")), at(30));
		assertThat(((LockWrite.Release) ((Step.Write) release).write()).expected()).containsExactly("claim-2");
	}

	private static Operation cleanup() {
		return LastWrite.cleanUp(KEY, TERMS, Set.of("claim-1", "claim-2"), false, ItemChange.none(), Given.numbered());
	}

}
