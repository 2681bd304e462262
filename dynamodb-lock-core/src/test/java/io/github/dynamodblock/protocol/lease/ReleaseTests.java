/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class ReleaseTests {

	private static final Answer APPLIED = new Answer.Applied(null);

	private final Course lease = Course.granted(ours("granted"), TERMS);

	private final Release release = new Release(this.lease.ending().lease().renewals(), false, ItemChange.none(),
			Given.numbered());

	@Test
	void isOneWrite() {
		assertThat(this.release.start(at(1000))).isInstanceOf(Step.Write.class);
		assertThat(this.release.answered(APPLIED, at(1010))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void aSuccessorsLockIsLeftAlone() {
		this.release.start(at(1000));
		LockRecord successors = theirs("a");
		assertThat(this.release.answered(new Answer.Refused(successors), at(1010)))
			.isEqualTo(Step.Released.not(successors));
	}

	@Test
	void saysWhetherAnotherOwnerWaits() {
		this.release.start(at(1000));
		assertThat(this.release.answered(new Answer.Applied(null, "them"), at(1010)))
			.isEqualTo(Step.Released.freed(true));
		assertThat(this.release.answered(new Answer.Applied(null, "me"), at(1010)))
			.isEqualTo(Step.Released.freed(false));
	}

	@Test
	void isRepeatedWhileItIsNotAnsweredWithAFreshVersionEachTime() {
		assertThat(version(this.release.start(at(1000)))).isEqualTo("mine-1");
		assertThat(this.release.answered(unknown(), at(1500))).isInstanceOf(Step.Wait.class);
		assertThat(version(this.release.wake(at(1600)))).isEqualTo("mine-2");
	}

	@Test
	void afterAnUnansweredReleaseAnotherVersionMeansReleased() {
		this.release.start(at(1000));
		this.release.answered(unknown(), at(1500));
		this.release.wake(at(1600));
		assertThat(this.release.answered(new Answer.Refused(theirs("a")), at(1610)))
			.isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseAnotherOwnerMayHaveTheSameTokenSinceTheItemWasDeleted() {
		this.release.start(at(1000));
		this.release.answered(unknown(), at(1500));
		this.release.wake(at(1600));
		LockRecord successors = theirs("a").toBuilder()
			.fencingToken(ours("granted").fencingToken().orElseThrow())
			.build();
		assertThat(this.release.answered(new Answer.Refused(successors), at(1610)))
			.isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseALateClaimOfItsOwnerMayHaveTheSameTokenSinceTheItemWasDeleted() {
		LockRecord held = ours("granted").toBuilder().acquiredAt(Instant.ofEpochSecond(2)).build();
		Release release = new Release(Course.granted(held, TERMS).ending().lease().renewals(), true, ItemChange.none(),
				Given.numbered());
		release.start(at(1000));
		release.answered(unknown(), at(1500));
		release.wake(at(1600));
		LockRecord renewed = held.toBuilder().recordVersionNumber("renewed").build();
		LockRecord claimed = renewed.toBuilder().acquiredAt(Instant.ofEpochSecond(1)).build();
		assertThat(release.answered(new Answer.Refused(renewed), at(1610))).isEqualTo(Step.Released.not(renewed));
		assertThat(release.answered(new Answer.Refused(claimed), at(1620))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseTheLeasesOwnClaimMayBeBackSinceTheItemWasDeleted() {
		LockRecord claimed = ours("granted").toBuilder().acquiredAt(Instant.ofEpochSecond(2)).build();
		Course renewed = Course.granted(claimed, TERMS).renewing("renewed", at(500)).answered(APPLIED, at(510));
		Release release = new Release(renewed.ending().lease().renewals(), true, ItemChange.none(), Given.numbered());
		release.start(at(1000));
		release.answered(unknown(), at(1500));
		release.wake(at(1600));
		assertThat(release.answered(new Answer.Refused(claimed), at(1610))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseAMissingItemMeansReleased() {
		this.release.start(at(1000));
		this.release.answered(unknown(), at(1500));
		this.release.wake(at(1600));
		assertThat(this.release.answered(new Answer.Refused(null), at(1610))).isInstanceOf(Step.Read.class);
		assertThat(this.release.answered(new Answer.Found(null), at(1620))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void aRefusedDeletionOfItsOwnVersionIsFollowedByAnUpdateAtOnceSinceTheItemIsKept() {
		Release release = deletion();
		assertThat(write(release.start(at(1000))).deleteItem()).isTrue();
		LockWrite.Release update = write(release.answered(new Answer.Refused(ours("granted")), at(1010)));
		assertThat(update.deleteItem()).isFalse();
		assertThat(update.expected()).containsExactly("granted");
		assertThat(update.expiresAt()).isNotNull();
		assertThat(release.answered(APPLIED, at(1020))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void aKeptItemIsReleasedByAnUpdateAlsoIfTheDeletionHadNoAnswer() {
		Release release = deletion();
		release.start(at(1000));
		release.answered(unknown(), at(1500));
		assertThat(write(release.wake(at(1600))).deleteItem()).isTrue();
		assertThat(write(release.answered(new Answer.Refused(ours("granted")), at(1610))).deleteItem()).isFalse();
	}

	private Release deletion() {
		return new Release(this.lease.ending().lease().renewals(), true, ItemChange.none(), Given.numbered());
	}

	private static LockWrite.Release write(Step step) {
		return (LockWrite.Release) ((Step.Write) step).write();
	}

	@Test
	void aReleaseThatTheSdkSentTwiceRecognisesWhatItWrote() {
		this.release.start(at(1000));
		assertThat(this.release.answered(new Answer.Refused(released(ours("mine-1"))), at(1010)))
			.isEqualTo(Step.Released.freed(false));
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		this.release.start(at(1000));
		assertThat(this.release.answered(new Answer.Refused(null), at(1010))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		Step step = this.release.answered(new Answer.Found(ours("granted")), at(1020));
		assertThat(step).isInstanceOf(Step.Wait.class);
		assertThat(this.release.wake(at(1100))).isInstanceOf(Step.Write.class);
	}

	@ParameterizedTest
	@MethodSource("withoutASign")
	void isRepeatedForTenSecondsHoweverLittleOfTheLeaseIsLeft(Answer answer) {
		assertThat(this.release.start(at(9700))).isInstanceOfSatisfying(Step.Write.class,
				(write) -> assertThat(write.limitNanos()).isEqualTo(Step.Call.LONGEST_NANOS));
		assertThat(this.release.answered(answer, at(14_700))).isInstanceOf(Step.Wait.class);
		assertThat(this.release.wake(at(14_800))).isInstanceOfSatisfying(Step.Write.class,
				(write) -> assertThat(write.limitNanos()).isEqualTo(at(4_900).holderNanos()));
		assertThat(this.release.answered(APPLIED, at(14_900))).isEqualTo(Step.Released.freed(false));
	}

	@ParameterizedTest
	@MethodSource("withoutASign")
	void failsWhenTheLeaseIsOverAndSaysThatTheLockExpires(Answer answer) {
		this.release.start(at(9700));
		Step end = this.release.answered(answer, at(19_700));
		assertThat(end).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("orders-42")
					.hasMessageContaining("the lock expires"));
	}

	@Test
	void aRefusedRequestIsTriedAgainButNotForAsLongAsTheLeaseLasts() {
		Answer denied = new Answer.Failed(new LockStoreException("denied", null));
		this.release.start(at(1000));
		assertThat(this.release.answered(denied, at(1010))).isInstanceOf(Step.Wait.class);
		this.release.wake(at(1100));
		assertThat(this.release.answered(denied, at(1110))).isInstanceOf(Step.Wait.class);
		this.release.wake(at(1200));
		assertThat(this.release.answered(denied, at(1210))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("denied"));
	}

	@Test
	void afterAReleaseThatCertainlyHadNoEffectAnotherVersionMeansLost() {
		this.release.start(at(1000));
		this.release.answered(new Answer.Failed(new LockStoreException("denied", null)), at(1010));
		this.release.wake(at(1100));
		LockRecord successors = theirs("a");
		assertThat(this.release.answered(new Answer.Refused(successors), at(1110)))
			.isEqualTo(Step.Released.not(successors));
	}

	@Test
	void aMissingItemIsNotReleased() {
		this.release.start(at(1000));
		this.release.answered(new Answer.Refused(null), at(1010));
		assertThat(this.release.answered(new Answer.Found(null), at(1020))).isEqualTo(Step.Released.not(null));
	}

	@Test
	void aMissingTableEndsItAtOnce() {
		this.release.start(at(1000));
		LockTableException missing = new LockTableException("locks", LockTableException.Problem.MISSING, "missing",
				null);
		assertThat(this.release.answered(new Answer.Failed(missing), at(1010))).isEqualTo(new Step.Failed(missing));
	}

	@Test
	void aTableWithAnotherKeySchemaIsARefusal() {
		Answer other = new Answer.Failed(
				new LockTableException("locks", LockTableException.Problem.WRONG_KEY_SCHEMA, "another key", null));
		this.release.start(at(1000));
		assertThat(this.release.answered(other, at(1010))).isInstanceOf(Step.Wait.class);
		this.release.wake(at(1100));
		assertThat(this.release.answered(other, at(1110))).isInstanceOf(Step.Wait.class);
		this.release.wake(at(1200));
		assertThat(this.release.answered(other, at(1210))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("did not succeed")
					.hasMessageContaining("another key"));
	}

	@Test
	void aReleaseThatWaitedForItsSlotIsSentOnceAfterItsTime() {
		Step.Call call = (Step.Call) this.release.start(at(1000));
		Step.Call sent = this.release.sending(call, () -> at(60_000));
		assertThat(sent).isNotNull();
		assertThat(sent.limitNanos()).isEqualTo(LeaseTerms.SHORTEST_CALL_LIMIT_NANOS);
		assertThat(version(sent)).isEqualTo(version(call));
		assertThat(this.release.answered(unknown(), at(60_200))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("could not be confirmed"));
	}

	@Test
	void aRepetitionThatWaitedForItsSlotIsNotSentAfterItsTime() {
		send(this.release.start(at(1000)), 1000);
		this.release.answered(unknown(), at(1500));
		Step.Call repeated = (Step.Call) this.release.wake(at(1600));
		assertThat(this.release.sending(repeated, () -> at(60_000))).isNull();
		assertThat(this.release.wake(at(60_000))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aRepetitionThatWaitedForItsSlotHasTheTimeThatIsLeft() {
		send(this.release.start(at(1000)), 1000);
		this.release.answered(unknown(), at(1500));
		Step.Call repeated = (Step.Call) this.release.wake(at(1600));
		Step.Call later = this.release.sending(repeated, () -> at(8000));
		assertThat(later).isNotNull();
		assertThat(later.limitNanos()).isLessThan(repeated.limitNanos());
	}

	@Test
	void aCleanupThatWaitedForItsSlotReleasesWhatItReads() {
		Release cleanup = Release.cleanUp(Given.KEY, TERMS, Set.of("mine"), false, ItemChange.none(), Given.numbered());
		Step.Call read = (Step.Call) cleanup.start(at(0));
		assertThat(cleanup.sending(read, () -> at(30_000))).isInstanceOf(Step.Read.class);
		Step.Call write = (Step.Call) cleanup.answered(new Answer.Found(ours("mine")), at(30_010));
		assertThat(cleanup.sending(write, () -> at(40_000))).isInstanceOf(Step.Write.class);
	}

	private void send(Step step, long millis) {
		assertThat(this.release.sending((Step.Call) step, () -> at(millis))).isNotNull();
	}

	private static String version(Step step) {
		return ((Step.Write) step).write().recordVersionNumber();
	}

	/** DynamoDB did not answer, or turned the call away. */
	private static Stream<Answer> withoutASign() {
		return Stream.of(unknown(), new Answer.NotApplied(new LockStoreException("throttled", null)));
	}

}
