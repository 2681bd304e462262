/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
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

/**
 * Releases by force.
 */
class ForcedTests {

	private final Release release = Release.forced(KEY, "them", TERMS, false, Given.numbered());

	@Test
	void aConsistentReadShowsWhichVersionIsReleased() {
		assertThat(this.release.start(at(0))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertReleases(this.release.answered(new Answer.Found(theirs("a")), at(10)), "a");
		assertThat(this.release.answered(new Answer.Applied(null), at(20))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void aRenewalInBetweenIsFollowedAfterAPause() {
		this.release.start(at(0));
		this.release.answered(new Answer.Found(theirs("a")), at(10));
		assertThat(this.release.answered(new Answer.Refused(theirs("b")), at(20))).isInstanceOf(Step.Wait.class);
		assertReleases(this.release.wake(at(100)), "b");
	}

	@Test
	void renewalsAreFollowedForTenSecondsOnly() {
		this.release.start(at(0));
		Step step = this.release.answered(new Answer.Found(theirs("0")), at(0));
		for (int millis = 100; millis < 10_000; millis += 100) {
			assertThat(step).isInstanceOf(Step.Write.class);
			assertThat(this.release.answered(new Answer.Refused(theirs("" + millis)), at(millis)))
				.isInstanceOf(Step.Wait.class);
			step = this.release.wake(at(millis));
		}
		assertThat(this.release.answered(new Answer.Refused(theirs("last")), at(10_000)))
			.isInstanceOf(Step.Failed.class);
	}

	@Test
	void anotherOwnersLockAndAFreeOneAreLeftAlone() {
		for (LockRecord found : new LockRecord[] { ours("v"), released(theirs("a")), null }) {
			this.release.start(at(0));
			assertThat(this.release.answered(new Answer.Found(found), at(10))).isEqualTo(Step.Released.not(found));
		}
	}

	@Test
	void afterAnUnansweredReleaseALaterOwnerMeansReleased() {
		this.release.start(at(0));
		this.release.answered(new Answer.Found(theirs("a")), at(10));
		this.release.answered(unknown(), at(20));
		assertReleases(this.release.wake(at(100)), "a");
		assertThat(this.release.answered(new Answer.Refused(ours("v")), at(110))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseALaterGrantToTheSameOwnerIsLeftAlone() {
		this.release.start(at(0));
		this.release.answered(new Answer.Found(theirs("a")), at(10));
		this.release.answered(unknown(), at(20));
		this.release.wake(at(100));
		LockRecord later = theirs("later").toBuilder().fencingToken(200L).build();
		assertThat(this.release.answered(new Answer.Refused(later), at(110))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void afterAnUnansweredReleaseARenewalIsFollowed() {
		this.release.start(at(0));
		this.release.answered(new Answer.Found(theirs("a")), at(10));
		this.release.answered(unknown(), at(20));
		this.release.wake(at(100));
		assertThat(this.release.answered(new Answer.Refused(theirs("b")), at(110))).isInstanceOf(Step.Wait.class);
		assertReleases(this.release.wake(at(200)), "b");
	}

	private static void assertReleases(Step step, String version) {
		assertThat(((LockWrite.Release) ((Step.Write) step).write()).expected()).containsExactly(version);
	}

}
