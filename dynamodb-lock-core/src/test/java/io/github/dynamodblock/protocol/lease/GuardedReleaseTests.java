/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.Transaction;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class GuardedReleaseTests {

	private static final Answer COMMITTED = new Answer.Committed("response");

	private static final Answer CANCELLED = new Answer.Cancelled(new IllegalStateException("refused"));

	private static final Answer CONTENDED = new Answer.Contended(new IllegalStateException("conflict"));

	private static final Transaction ITEMS = new Transaction() {
	};

	private final HeldLease lease = HeldLease.granted(ours("granted"), TERMS, at(0).holderNanos());

	private final GuardedRelease release = release(this.lease);

	private static GuardedRelease release(HeldLease lease) {
		return new GuardedRelease(lease, ITEMS, false, ItemChange.none(), Given.numbered(), at(1000));
	}

	@Test
	void isOneTransactionThatReleasesUnderEachVersionOfTheLease() {
		GuardedRelease release = release(this.lease.renewing("renewed", at(500)));
		Step.Transact sent = (Step.Transact) release.start(at(1000));
		assertThat(sent.transaction()).isSameAs(ITEMS);
		assertThat(sent.guard().fencingToken()).isEqualTo(101);
		assertThat(releaseIn(sent).expected()).containsExactlyInAnyOrder("granted", "renewed");
		assertThat(release.answered(COMMITTED, at(1010))).isEqualTo(Step.Released.FREED);
	}

	@Test
	void isRepeatedUnchangedWhileItIsNotAnswered() {
		Step.Transact first = (Step.Transact) this.release.start(at(1000));
		assertThat(this.release.answered(unknown(), at(1500))).isInstanceOf(Step.Wait.class);
		Step.Transact second = (Step.Transact) this.release.wake(at(1600));
		assertThat(releaseIn(second)).isEqualTo(releaseIn(first));
		assertThat(this.release.answered(COMMITTED, at(1610))).isEqualTo(Step.Released.FREED);
	}

	@Test
	void aConditionOfTheItemsThatDoesNotHoldCancelsIt() {
		this.release.start(at(1000));
		assertThat(this.release.answered(CONTENDED, at(1010))).isInstanceOf(Step.Wait.class);
		this.release.wake(at(1100));
		assertThat(this.release.answered(CANCELLED, at(1110))).isInstanceOf(Step.Cancelled.class);
	}

	@Test
	void afterAnAttemptWithoutAnAnswerItIsUnknownInstead() {
		this.release.start(at(1000));
		this.release.answered(unknown(), at(1500));
		this.release.wake(at(1600));
		assertThat(this.release.answered(CANCELLED, at(1610))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("The release with items of lock")
					.hasMessageContaining("it may have been committed or not"));
	}

	@Test
	void whatDynamoDbRejectsCancelsIt() {
		LockStoreException rejected = new LockStoreException("rejected", null);
		this.release.start(at(1000));
		assertThat(this.release.answered(new Answer.Failed(rejected), at(1010)))
			.isEqualTo(new Step.Cancelled(rejected));
	}

	@Test
	void anotherOwnersLockIsALoss() {
		this.release.start(at(1000));
		assertThat(this.release.answered(new Answer.Refused(theirs("a")), at(1010)))
			.isEqualTo(Step.Released.lost(LossReason.STOLEN));
	}

	@Test
	void aRefusalThatShowsItsOwnVersionIsItsCommit() {
		LockWrite.Release committed = releaseIn((Step.Transact) this.release.start(at(1000)));
		this.release.answered(unknown(), at(1500));
		this.release.wake(at(1600));
		Answer refused = new Answer.Refused(released(ours(committed.recordVersionNumber())));
		assertThat(this.release.answered(refused, at(1610))).isEqualTo(Step.Released.FREED);
	}

	@Test
	void isNotRepeatedAfterAPauseInWhichTheLeaseWasRenewed() {
		HeldLease renewed = HeldLease.granted(ours("granted"), TERMS, at(9000).holderNanos());
		GuardedWrite write = new GuardedWrite(() -> renewed, ITEMS, Given.numbered());
		Step.Call first = (Step.Call) write.start(at(1000));
		assertThat(write.sending(first, () -> at(1010))).isNotNull();
		write.answered(unknown(), at(1500));
		Step.Call second = (Step.Call) write.wake(at(1600));
		assertThat(write.sending(second, () -> at(1610))).isNotNull();
		assertThat(write.sending(second, () -> at(11_000))).isNull();
		assertThat(write.wake(at(11_000))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void isNeitherSentNorRepeatedOnceTheLeaseIsOver() {
		assertThat(release(this.lease).start(at(9900))).isInstanceOf(Step.Cancelled.class);
		this.release.start(at(9000));
		this.release.answered(CONTENDED, at(9010));
		assertThat(this.release.wake(at(9900))).isInstanceOf(Step.Cancelled.class);

		GuardedRelease unanswered = release(this.lease);
		unanswered.start(at(9000));
		unanswered.answered(unknown(), at(9500));
		assertThat(unanswered.wake(at(9900))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void theReleaseAloneRecognisesWhatThisOneDid() {
		LockWrite.Release committed = releaseIn((Step.Transact) this.release.start(at(1000)));
		this.release.answered(unknown(), at(1500));
		Release alone = this.release.alone();
		assertThat(alone.start(at(2000))).isInstanceOf(Step.Write.class);
		Answer refused = new Answer.Refused(released(ours(committed.recordVersionNumber())));
		assertThat(alone.answered(refused, at(2010))).isEqualTo(new Step.Released(ReleaseOutcome.RELEASED));
	}

	private static LockWrite.Release releaseIn(Step.Transact sent) {
		LockWrite.Release release = sent.release();
		assertThat(release).isNotNull();
		return release;
	}

}
