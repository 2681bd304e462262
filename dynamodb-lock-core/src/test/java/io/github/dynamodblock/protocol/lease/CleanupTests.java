/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.Set;

import io.github.dynamodblock.ItemChange;
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

class CleanupTests {

	private final Release cleanup = cleanup();

	@Test
	void theClaimThatIsFoundIsReleasedAndNoOther() {
		assertThat(this.cleanup.start(at(0))).isInstanceOf(Step.Read.class);
		assertReleases(this.cleanup.answered(new Answer.Found(ours("claim-2")), at(10)), "claim-2");
		assertThat(this.cleanup.answered(new Answer.Applied(null), at(20))).isEqualTo(Step.Released.freed(false));
	}

	@Test
	void whatIsFreeOrAnotherOwnersIsLeftAlone() {
		for (LockRecord found : new LockRecord[] { theirs("a"), ours("of-another-acquisition"),
				released(ours("claim-1")) }) {
			Release cleanup = cleanup();
			cleanup.start(at(0));
			assertThat(cleanup.answered(new Answer.Found(found), at(10))).isEqualTo(Step.Released.not(found));
		}
	}

	@Test
	void aClaimThatIsAppliedAfterAnUnansweredReleaseIsReleased() {
		this.cleanup.start(at(0));
		this.cleanup.answered(new Answer.Found(ours("claim-1")), at(10));
		assertThat(this.cleanup.answered(unknown(), at(20))).isInstanceOf(Step.Wait.class);
		assertReleases(this.cleanup.wake(at(100)), "claim-1");
		LockRecord later = ours("claim-2").toBuilder().fencingToken(102L).build();
		assertThat(this.cleanup.answered(new Answer.Refused(later), at(110))).isInstanceOf(Step.Wait.class);
		assertReleases(this.cleanup.wake(at(200)), "claim-2");
	}

	@Test
	void callsThatAreNotAnsweredEndItAfterTenSeconds() {
		this.cleanup.start(at(0));
		assertThat(this.cleanup.answered(unknown(), at(5000))).isInstanceOf(Step.Wait.class);
		assertThat(this.cleanup.wake(at(5100))).isInstanceOf(Step.Read.class);
		assertThat(this.cleanup.answered(unknown(), at(10_000))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		this.cleanup.start(at(0));
		this.cleanup.answered(new Answer.Found(ours("claim-1")), at(10));
		assertThat(this.cleanup.answered(new Answer.Refused(null), at(20))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(this.cleanup.answered(new Answer.Found(ours("claim-2")), at(30))).isInstanceOf(Step.Wait.class);
		assertReleases(this.cleanup.wake(at(100)), "claim-2");
	}

	private static Release cleanup() {
		return Release.cleanUp(KEY, TERMS, Set.of("claim-1", "claim-2"), false, ItemChange.none(), Given.numbered());
	}

	private static void assertReleases(Step step, String version) {
		assertThat(((LockWrite.Release) ((Step.Write) step).write()).expected()).containsExactly(version);
	}

}
