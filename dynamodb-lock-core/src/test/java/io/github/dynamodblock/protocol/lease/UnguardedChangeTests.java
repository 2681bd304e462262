/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.LEASE;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class UnguardedChangeTests {

	private static final ItemChange CHANGE = ItemChange.none().attribute("paused", AttributeValue.fromBool(true));

	private static final Answer NO_ITEM = new Answer.Found(null);

	private static final Answer AN_ITEM = new Answer.Found(theirs("a"));

	private final UnguardedChange change = new UnguardedChange(LockRecord.builder(KEY, "me", LEASE, "").build(), CHANGE,
			TERMS, Given.numbered());

	@Test
	void anItemThatExistsIsChanged() {
		assertThat(this.change.start(at(0))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertChanges(this.change.answered(AN_ITEM, at(10)));
		LockRecord changed = theirs("a").toBuilder().change(CHANGE).build();
		assertThat(this.change.answered(new Answer.Applied(changed), at(20))).isEqualTo(new Step.Changed(changed));
	}

	@Test
	void aMissingItemIsCreatedAsThatOfAReleasedLockWithAFreshVersion() {
		this.change.start(at(0));
		assertCreates(this.change.answered(NO_ITEM, at(10)), "mine-1");
		assertThat(this.change.answered(unknown(), at(20))).isInstanceOf(Step.Wait.class);
		assertCreates(this.change.wake(at(100)), "mine-2");
	}

	@Test
	void anItemThatIsCreatedAtTheSameTimeIsChangedAfterAPause() {
		this.change.start(at(0));
		this.change.answered(NO_ITEM, at(10));
		assertThat(this.change.answered(new Answer.Refused(theirs("a")), at(20))).isInstanceOf(Step.Wait.class);
		assertChanges(this.change.wake(at(100)));
	}

	@Test
	void anItemThatIsDeletedAtTheSameTimeIsCreatedAfterAReadAndAPause() {
		this.change.start(at(0));
		this.change.answered(AN_ITEM, at(10));
		assertThat(this.change.answered(new Answer.Refused(null), at(20))).isInstanceOf(Step.Read.class);
		assertThat(this.change.answered(NO_ITEM, at(30))).isInstanceOf(Step.Wait.class);
		assertCreates(this.change.wake(at(100)), "mine-2");
	}

	@Test
	void refusalsThatNothingExplainsAreRepeatedForTheTimeOfTwoCallsOnly() {
		long now = 0;
		this.change.start(at(now));
		Step step = this.change.answered(AN_ITEM, at(now));
		while (now < 2 * TERMS.callLimitNanos() / 1_000_000) {
			assertChanges(step);
			assertThat(this.change.answered(new Answer.Refused(null), at(now))).isInstanceOf(Step.Read.class);
			assertThat(this.change.answered(AN_ITEM, at(now))).isInstanceOf(Step.Wait.class);
			now += 100;
			step = this.change.wake(at(now));
		}
		this.change.answered(new Answer.Refused(null), at(now));
		assertThat(this.change.answered(AN_ITEM, at(now))).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("could not be confirmed; read the lock again"));
	}

	@Test
	void anAnswerWithoutTheItemIsFollowedByARead() {
		this.change.start(at(0));
		this.change.answered(AN_ITEM, at(10));
		assertThat(this.change.answered(new Answer.Applied(null), at(20))).isInstanceOf(Step.Read.class);
	}

	@Test
	void aFailureEndsIt() {
		LockStoreException failure = new LockStoreException("not permitted", null);
		this.change.start(at(0));
		assertThat(this.change.answered(new Answer.Failed(failure), at(10))).isEqualTo(new Step.Failed(failure));
	}

	private static void assertChanges(Step step) {
		LockWrite.Change write = (LockWrite.Change) ((Step.Write) step).write();
		assertThat(write.created()).isNull();
		assertThat(write.change()).isSameAs(CHANGE);
	}

	private static void assertCreates(Step step, String version) {
		LockWrite.Change write = (LockWrite.Change) ((Step.Write) step).write();
		assertThat(write.recordVersionNumber()).isEqualTo(version);
		assertThat(write.change()).isSameAs(CHANGE);
		assertThat(write.created()).usingRecursiveComparison()
			.isEqualTo(LockRecord.builder(KEY, "me", LEASE, version).released(true).build());
	}

}
