/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.lease.LeaseRunner;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Ends of a lease that come together, fail, or find a loss, in virtual time on a real
 * table.
 */
class LeaseEndTests extends VirtualTimeTest {

	@Test
	void aGrantThatComesTooLateIsClaimedAgainUnlessItsChangeCopies() {
		ItemChange change = ItemChange.none().attribute("attempt", AttributeValue.fromN("1"));
		ItemChange undo = ItemChange.none().attribute("attempt", AttributeValue.fromN("0"));
		for (boolean copies : new boolean[] { false, true }) {
			LockRequest request = LockRequest.of("k" + copies)
				.change(copies ? change.copy("attempt", "before", AttributeValue.fromNul(true)) : change)
				.keptItem(KeptItem.create().undo(undo));
			AcquisitionTask task = one().start(request);
			one().environment().sleep(LEASE);
			time().pass(Duration.ofSeconds(1));
			assertThat(task.outcome().join().end()).isInstanceOf(copies ? Step.Failed.class : Step.Granted.class);
			assertThat(one().row("k" + copies)).returns(copies, LockRecord::isReleased)
				.returns((copies ? undo : change).attributes().get("attempt"),
						(record) -> record.attributes().get("attempt"));
		}
	}

	@Test
	void aLockThatExpiredBeforeItsCallerLeftIsReleasedWithTheUndo() {
		ItemChange undo = ItemChange.none().attribute("attempt", AttributeValue.fromN("0"));
		AcquisitionTask task = one().start(LockRequest.of("k").keptItem(KeptItem.create().undo(undo)));
		time().pass(Duration.ofSeconds(1));
		one().environment().sleep(LEASE);
		task.cancel();
		time().pass(Duration.ofSeconds(1));
		assertThat(one().row("k")).returns(true, LockRecord::isReleased)
			.returns(undo.attributes(), LockRecord::attributes);
	}

	@Test
	void releasesThatComeTogetherAreOneRelease() {
		LeaseHandle lock = one().acquire("k");
		var first = lock.beginRelease(ReleaseRequest.create());
		var second = lock.beginRelease(ReleaseRequest.create());
		assertThat(second).isNotDone();
		time().pass(Duration.ofSeconds(1));
		assertThat(first).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(second).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(one().environment().sent()).isEqualTo(2);
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void aReleaseAfterOneThatFailedTriesAgain() {
		LeaseHandle lock = failToRelease("k");
		assertThat(one().row("k").isReleased()).isFalse();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(events()).containsExactly("one acquired", "one release failed");
	}

	@Test
	void releasesThatComeTogetherAfterOneThatFailedAreOneRelease() {
		LeaseHandle lock = failToRelease("k");
		int sent = one().environment().sent();
		var first = lock.beginRelease(ReleaseRequest.create());
		var second = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(1));
		assertThat(first).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(second).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(one().environment().sent() - sent).isEqualTo(1);
		assertThat(events()).containsExactly("one acquired", "one release failed");
	}

	@Test
	void aHandleWhoseReleaseFailedSaysThatItWasReleased() {
		LeaseHandle lock = failToRelease("k");
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("released by");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::renew);
	}

	@Test
	void aLossThatOnlyTheReleaseFindsIsToldOnce() {
		LeaseHandle lock = one().acquire("k");
		one().deleteRow("k");
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofMinutes(1));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(lock.lossReason()).hasValue(LossReason.ITEM_MISSING);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(events()).containsExactly("one acquired", "one lost ITEM_MISSING");
	}

	@Test
	void aLockThatIsKeptForItsHolderIsToldWhenItIsLost() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofHours(1)));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.KEPT);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(one().client().holds(LockKey.of("k"))).isFalse();
		one().deleteRow("k");
		time().pass(LEASE);
		assertThat(lock.lossReason()).hasValue(LossReason.ITEM_MISSING);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(events()).containsExactly("one acquired", "one lost ITEM_MISSING");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLockThatIsKeptForItsHolderEndsForListenersWhenItsClientCloses() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofHours(1)));
		one().release(lock);
		assertThat(events()).containsExactly("one acquired");
		var ended = one().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isCompleted();
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(events()).containsExactly("one acquired", "one released");
		assertThat(one().state().holdings()).isEmpty();
	}

	@Test
	void aLockIsHeldByItsClientUntilItIsReleasedDetachedOrLost() {
		LockKey key = LockKey.of("k");
		assertThat(one().client().holds(key)).isFalse();
		LeaseHandle released = one().acquire("k");
		assertThat(one().client().holds(key)).isTrue();
		assertThat(two().client().holds(key)).isFalse();
		assertThat(one().client().holds(LockKey.of("other"))).isFalse();
		one().release(released);
		assertThat(one().client().holds(key)).isFalse();
		LeaseHandle detached = one().acquire("k");
		assertThat(detached.detachIfConfirmed()).isNotNull();
		assertThat(one().client().holds(key)).isFalse();
		LeaseHandle lost = one().acquire("lost");
		one().environment().sleep(Duration.ofHours(1));
		assertThat(one().client().holds(lost.key())).isFalse();
	}

	@Test
	void closingWithoutReleasingSendsNothingAndLeavesTheLocksHeld() {
		LeaseHandle lock = one().acquire("k");
		LeaseHandle kept = one().acquire(LockRequest.of("kept").holdAtLeast(Duration.ofHours(1)));
		one().release(kept);
		int sent = one().environment().sent();
		var ended = one().endEverything(false);
		time().pass(Duration.ofMinutes(1));
		assertThat(ended).isDone();
		assertThat(one().environment().sent()).isEqualTo(sent);
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(two().row("kept").isReleased()).isFalse();
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().environment().sent()).isEqualTo(sent);
		assertThat(events()).containsExactlyInAnyOrder("one acquired", "one acquired", "one lost CLOSED",
				"one released");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLockThatCannotBeLeftForTheRestOfItsHoldAtLeastIsLogged() {
		LeaseHandle kept = one().acquire(LockRequest.of("logged").holdAtLeast(Duration.ofHours(1)));
		assertThat(one().release(kept)).isEqualTo(ReleaseOutcome.KEPT);
		List<String> lines = new CopyOnWriteArrayList<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
			@Override
			protected void append(ILoggingEvent event) {
				lines.add(event.getLevel() + " " + event.getFormattedMessage());
			}
		};
		Logger logger = (Logger) LoggerFactory.getLogger(LeaseRunner.class);
		appender.start();
		logger.addAppender(appender);
		try {
			one().environment().next(Fault.REFUSED);
			var ended = one().endEverything(true);
			time().pass(Duration.ofMinutes(1));
			assertThat(ended).isDone();
		}
		finally {
			logger.detachAppender(appender);
		}
		assertThat(lines).filteredOn((line) -> line.contains("Lock 'logged'"))
			.containsExactly("WARN Lock 'logged' is not kept for the rest of its holdAtLeast, but expires one lease "
					+ "after its last heartbeat, because its client closed and the last renewal was not confirmed. "
					+ "Error: the test refused this call");
	}

	@Test
	void aHolderThatReleasesWhileTheClientClosesIsNotToldTwoEnds() {
		LeaseHandle lock = one().acquire("k");
		var ended = one().endEverything(true);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isDone();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one lost CLOSED");
	}

	@Test
	void aClientThatClosesWhileALockIsDeliveredTellsTheGrantAndThenTheLoss() {
		AcquisitionTask task = one().start(LockRequest.of("k"));
		var closed = task.outcome().thenCompose((told) -> one().endEverything(true));
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one lost CLOSED");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aCallerThatLeavesWhileItsLockIsDeliveredTellsTheGrantAndThenTheRelease() {
		AcquisitionTask task = one().start(LockRequest.of("k"));
		var left = leaveAtOnce(task);
		time().pass(Duration.ofSeconds(1));
		assertThat(left).isCompleted();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one released");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLossThatShowsWhileALockIsDeliveredIsToldAfterTheGrant() {
		AcquisitionTask task = one().start(LockRequest.of("k"));
		var left = task.outcome().thenRun(() -> two().deleteRow("k")).thenCompose((nothing) -> leaveAtOnce(task));
		time().pass(Duration.ofSeconds(1));
		assertThat(left).isCompleted();
		assertThat(events()).containsExactly("one acquired", "one lost ITEM_MISSING");
		assertThat(time().pending()).isZero();
	}

	/** Its lock is released before anything else comes of the grant. */
	private CompletableFuture<Void> leaveAtOnce(AcquisitionTask task) {
		return task.outcome().thenRun(() -> {
			task.cancel();
			time().pass(VirtualEnvironment.CALL);
		});
	}

	@Test
	void whoeverReleasesAgainIsToldWhenTheClientIsClosed() {
		LeaseHandle lock = failToRelease("k");
		one().environment().next(Fault.REQUEST_LOST);
		var again = lock.beginRelease(ReleaseRequest.create());
		one().client().close();
		assertThat(again).isCompletedExceptionally();
		assertThat(lock.beginRelease(ReleaseRequest.create())).isCompletedExceptionally();
	}

	private LeaseHandle failToRelease(String key) {
		LeaseHandle lock = one().acquire(key);
		Fault[] silence = new Fault[40];
		Arrays.fill(silence, Fault.REQUEST_LOST);
		one().environment().next(silence);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(LEASE.plusSeconds(6));
		assertThat(outcome.handle((value, problem) -> problem).getNow(null)).isInstanceOf(LockStoreException.class);
		one().environment().forgetFaults();
		return lock;
	}

}
