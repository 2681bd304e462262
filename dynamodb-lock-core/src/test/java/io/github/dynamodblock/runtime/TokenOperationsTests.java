/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks that are renewed and released by their tokens, in virtual time on a real table.
 */
class TokenOperationsTests extends VirtualTimeTest {

	@Test
	void aRenewalIsOneWriteAndKeepsOwnerAndFencingToken() {
		LockToken first = detached("k");
		LockToken second = two().renew(first);
		assertThat(two().environment().sent()).isEqualTo(1);
		assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
		assertThat(second.ownerName()).isEqualTo("one");
		assertThat(second.recordVersionNumber()).isNotEqualTo(first.recordVersionNumber())
			.isEqualTo(two().row("k").recordVersionNumber());
	}

	@Test
	void onlyTheNewestTokenIsGood() {
		LockToken first = detached("k");
		LockToken second = two().renew(first);
		assertThat(two().lossOnRenewal(first)).isEqualTo(LossReason.STOLEN);
		assertThat(two().refusedToAdopt(first)).isEqualTo(LossReason.STOLEN);
		assertThat(two().release(first)).isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(two().release(second)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(two().release(second)).isEqualTo(ReleaseOutcome.ALREADY_FREE);
		assertThat(two().lossOnRenewal(second)).isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR);
	}

	@Test
	void renewalsInTimeKeepALockFromOthers() {
		LockToken token = detached("k");
		AcquisitionTask waiter = waitFor(two(), "other");
		AcquisitionTask waiting = two().start(request().waitTime(Duration.ofMinutes(5)));
		for (int i = 0; i < 10; i++) {
			time().pass(LEASE.minusSeconds(2));
			token = one().renew(token);
			assertThat(isOver(waiting)).isFalse();
		}
		time().pass(LEASE.plusSeconds(1));
		assertThat(granted(waiting).isHeld()).isTrue();
		assertThat(one().lossOnRenewal(token)).isEqualTo(LossReason.STOLEN);
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aRenewalWhoseAnswerWasLostGivesTheTokenOfTheWriteThatWasApplied() {
		LockToken first = detached("k");
		one().environment().next(Fault.ANSWER_LOST);
		var renewed = one().tokens().renew(first, RenewRequest.create());
		time().pass(LEASE);
		assertThat(renewed).isCompleted();
		assertThat(renewed.join().recordVersionNumber()).isEqualTo(one().row("k").recordVersionNumber());
		assertThat(one().release(renewed.join())).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aRenewalThatNobodyAnswersFailsAndSaysThatTheTokenMayBeUsedUp() {
		LockToken token = detached("k");
		one().environment().next(silence());
		var renewed = one().tokens().renew(token, RenewRequest.create());
		time().pass(Duration.ofSeconds(21));
		assertThat(renewed).isCompletedExceptionally();
		assertThat(renewed.handle((value, problem) -> problem).join()).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("the token may or may not be used up");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aRenewalMakesTheLeaseLongerOrShorterAndChangesWhatIsStored() {
		LockToken token = detached("k");
		ItemChange change = ItemChange.none().attribute("step", AttributeValue.fromS("two"));
		LockToken longer = one().renew(token,
				RenewRequest.create().leaseDuration(Duration.ofMinutes(1)).change(change));
		assertThat(longer.leaseDuration()).isEqualTo(Duration.ofMinutes(1)).isEqualTo(one().row("k").leaseDuration());
		assertThat(one().row("k").attributes()).containsEntry("step", AttributeValue.fromS("two"));
		LockToken same = one().renew(longer);
		assertThat(same.leaseDuration()).isEqualTo(Duration.ofMinutes(1));
		LockToken shorter = one().renew(same, RenewRequest.create().leaseDuration(Duration.ofSeconds(2)));
		assertThat(shorter.leaseDuration()).isEqualTo(Duration.ofSeconds(2)).isEqualTo(one().row("k").leaseDuration());
		assertThat(one().row("k").attributes()).containsEntry("step", AttributeValue.fromS("two"));
		AcquisitionTask waiter = two().start(request().waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofMillis(2200));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aRenewalOfADeletedLockSaysThatItsItemIsMissing() {
		LockToken token = detached("k");
		one().deleteRow("k");
		assertThat(one().lossOnRenewal(token)).isEqualTo(LossReason.ITEM_MISSING);
		assertThat(one().release(token)).isEqualTo(ReleaseOutcome.ALREADY_FREE);
	}

	@Test
	void aReleaseWhoseAnswerWasLostIsAnsweredAsReleased() {
		LockToken token = detached("k");
		one().environment().next(Fault.ANSWER_LOST);
		var outcome = one().tokens().release(token);
		time().pass(LEASE);
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aStaleTokenDoesNotClaimToHaveReleasedWhatWasRenewedSince() {
		LockToken stale = detached("k");
		one().renew(stale);
		one().environment().next(Fault.REQUEST_LOST);
		var outcome = one().tokens().release(stale);
		time().pass(LEASE);
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.HELD_BY_ANOTHER);
		assertThat(one().row("k").isReleased()).isFalse();
	}

	@Test
	void aLockThatALaterOwnerHasReleasedIsFree() {
		LockToken token = detached("k");
		one().release(token);
		two().release(two().acquire("k"));
		assertThat(one().release(token)).isEqualTo(ReleaseOutcome.ALREADY_FREE);
	}

	@Test
	void aMissingTableIsNeverTakenForAFreeLock() {
		LockToken token = detached("k");
		one().deleteTable();
		var released = one().tokens().release(token);
		var renewed = one().tokens().renew(token, RenewRequest.create());
		var forced = one().tokens().forceRelease(LockKey.of("k"), "one");
		time().pass(LEASE);
		for (var end : List.of(released, renewed, forced)) {
			assertThat(end.handle((value, problem) -> problem).join()).isInstanceOfSatisfying(LockTableException.class,
					(missing) -> assertThat(missing.problem()).isEqualTo(LockTableException.Problem.MISSING));
		}
	}

	@Test
	void whoeverWaitsForAnAnswerIsToldWhenTheClientIsClosed() {
		LockToken token = detached("k");
		one().environment().next(silence());
		var released = one().tokens().release(token);
		var renewed = one().tokens().renew(token, RenewRequest.create());
		var forced = one().tokens().forceRelease(LockKey.of("k"), "one");
		one().client().close();
		var tooLate = one().tokens().renew(token, RenewRequest.create());
		for (var end : List.of(released, renewed, forced, tooLate)) {
			assertThat(end.handle((value, problem) -> problem).getNow(null))
				.isInstanceOf(LockClientClosedException.class);
		}
	}

	private LockRequest request() {
		return LockRequest.of("k");
	}

	private static Fault[] silence() {
		Fault[] silence = new Fault[20];
		Arrays.fill(silence, Fault.REQUEST_LOST);
		return silence;
	}

	private LockToken detached(String key) {
		return Objects.requireNonNull(one().acquire(key).detachIfConfirmed());
	}

}
