/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the listener of one request is told, step by step, in virtual time on a real
 * table.
 */
class ListenerDispatcherTests extends VirtualTimeTest {

	private final Recorder told = new Recorder();

	private final LockRequest request = LockRequest.of("k").listener(this.told);

	@Test
	void anAcquisitionThatNeedNotWaitTellsOnlyItsGrant() {
		one().release(one().acquire(this.request));
		assertThat(this.told.events).containsExactly("acquired", "released");
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void waitingIsToldOnceWithTheHolderHoweverOftenTheWaiterLooks() {
		LeaseHandle held = two().acquire("k");
		AcquisitionTask waiter = one().start(this.request.waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(20));
		assertThat(this.told.events).containsExactly("waiting for two");
		two().release(held);
		time().pass(Duration.ofSeconds(1));
		one().release(granted(waiter));
		assertThat(this.told.events).containsExactly("waiting for two", "acquired", "released");
	}

	@Test
	void waitingInLineIsToldOnceAlthoughTheLineMoves() {
		LeaseHandle held = one().acquire("k");
		AcquisitionTask first = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		one().start(this.request.waitTime(Duration.ofMinutes(1)));
		one().release(held);
		time().pass(Duration.ofSeconds(1));
		one().release(granted(first));
		time().pass(Duration.ofSeconds(1));
		assertThat(this.told.events).containsExactly("waiting for one", "acquired");
	}

	@Test
	void waitingBehindACallWhoseEndIsNotKnownNamesNobody() {
		one().environment().next(Fault.REQUEST_LOST);
		one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		one().start(this.request.waitTime(Duration.ofMinutes(1)));
		assertThat(this.told.events).containsExactly("waiting for null");
	}

	@Test
	void aTryThatIsRefusedDoesNotWait() {
		two().acquire("k");
		AcquisitionTask task = one().start(this.request);
		time().pass(VirtualEnvironment.CALL);
		refused(task);
		assertThat(this.told.events).containsExactly("not acquired");
		assertThat(this.told.refusals).singleElement()
			.isInstanceOfSatisfying(LockNotGrantedException.class, (refusal) -> assertThat(refusal.record())
				.hasValueSatisfying((holder) -> assertThat(holder.ownerName()).isEqualTo("two")));
		assertThat(this.told.waited).containsExactly(VirtualEnvironment.CALL);
	}

	@Test
	void aWaitThatEndsWithoutTheLockIsToldWithItsLengthAndReason() {
		two().acquire("k");
		one().start(this.request.waitTime(Duration.ofSeconds(5)));
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.events).containsExactly("waiting for two", "not acquired");
		assertThat(this.told.waited).containsExactly(Duration.ofSeconds(5));
		assertThat(this.told.refusals).singleElement().isInstanceOf(LockNotGrantedException.class);
	}

	@Test
	void aListenerThatIsToldLateIsToldTheSame() {
		two().acquire("k");
		Recorder late = new Recorder();
		AtomicBoolean slow = new AtomicBoolean(true);
		VirtualClient three = client("three",
				(settings) -> new ClientSettings("three", VirtualClient.TERMS, settings.waitTime(), null, false, null,
						settings.observationCapacity(), true, List.of(new LockListener() {
							@Override
							public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
								if (slow.getAndSet(false)) {
									time().pass(Duration.ofSeconds(3));
								}
								ListenerDispatcherTests.this.told.onAcquireFailed(request, waited, reason);
							}
						}), settings.rules()));
		three.start(LockRequest.of("k").listener(late).waitTime(Duration.ofSeconds(5)));
		time().pass(Duration.ofMinutes(1));
		assertThat(late.waited).containsExactly(Duration.ofSeconds(5)).isEqualTo(this.told.waited);
		assertThat(late.refusals).singleElement().isSameAs(this.told.refusals.get(0));
	}

	@Test
	void whoeverWaitsOrIsRefusedIsToldWithTheRequestAsItWasMade() {
		two().acquire("k");
		LockRequest named = this.request.name("orders").waitTime(Duration.ofSeconds(5));
		one().start(named);
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.events).containsExactly("waiting for two", "not acquired");
		assertThat(this.told.requests).containsExactly(named, named);
	}

	@Test
	void aFailureAMissingItemAndACloseAreToldAsWhatTheyAre() {
		one().environment().next(Fault.REFUSED);
		one().start(this.request);
		time().pass(Duration.ofSeconds(1));
		one().start(this.request.onlyIfItemExists(true));
		time().pass(Duration.ofSeconds(1));
		two().acquire("k");
		one().start(this.request.waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(1));
		assertThat(one().endEverything(true)).isDone();
		assertThat(this.told.events).containsExactly("not acquired", "not acquired", "waiting for two", "not acquired");
		assertThat(this.told.refusals).hasExactlyElementsOfTypes(LockStoreException.class,
				LockNotGrantedException.class, LockClientClosedException.class);
	}

	@Test
	void aCallerThatLeavesIsToldOnce() {
		two().acquire("k");
		AcquisitionTask task = one().start(this.request.waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(1));
		task.cancel();
		time().pass(Duration.ofMinutes(2));
		assertThat(this.told.events).containsExactly("waiting for two", "not acquired");
	}

	@Test
	void everyConfirmedHeartbeatIsTold() {
		one().acquire(this.request);
		int before = one().environment().sent();
		time().pass(Duration.ofMinutes(1));
		// The answer to the last one may still be under way.
		assertThat(this.told.count("renewed")).isBetween(one().environment().sent() - before - 1,
				one().environment().sent() - before);
	}

	@Test
	void anUnconfirmedHeartbeatIsReportedWithItsCauseAndTheNextOneEndsTheWarning() {
		one().acquire(this.request);
		one().environment().next(Fault.REQUEST_LOST, Fault.ANSWER_LOST);
		time().pass(Duration.ofMillis(9500));
		assertThat(this.told.events).startsWith("acquired", "renewal failed: the test lost this answer", "expiring",
				"renewal failed: the test lost this answer", "recovered", "renewed");
	}

	@Test
	void aRefusedHeartbeatIsToldWithItsCause() {
		one().acquire(this.request);
		one().environment().next(Fault.REFUSED);
		time().pass(Duration.ofMillis(2700));
		assertThat(this.told.events).startsWith("acquired", "renewal failed: the test refused this call", "renewed");
	}

	@Test
	void aLossIsTheLastThingThatIsTold() {
		one().acquire(this.request);
		silence(one());
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.count("lost EXPIRED")).isEqualTo(1);
		assertThat(this.told.events).endsWith("lost EXPIRED").contains("expiring").doesNotContain("renewed");
	}

	@Test
	void aReleaseThatIsRefusedIsToldWithItsCauseAsTheOnlyEnd() {
		LeaseHandle lock = one().acquire(this.request);
		one().environment().next(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(2));
		assertThat(outcome).isCompletedExceptionally();
		assertThat(this.told.events).containsExactly("acquired", "release failed");
		assertThat(this.told.refusals).singleElement()
			.isInstanceOf(LockStoreException.class)
			.isSameAs(outcome.handle((value, failure) -> failure).join());
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.events).as("after one that succeeds").containsExactly("acquired", "release failed");
	}

	@Test
	void aReleaseThatNobodyAnswersIsToldWhenItIsGivenUp() {
		LeaseHandle lock = one().acquire(this.request);
		silence(one());
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(9));
		assertThat(this.told.events).containsExactly("acquired");
		time().pass(Duration.ofMinutes(1));
		assertThat(outcome).isCompletedExceptionally();
		assertThat(this.told.events).containsExactly("acquired", "release failed");
	}

	@Test
	void aReleaseAtTheEndOfTheTimeToBeHeldAtLeastIsToldToHaveFailed() {
		LeaseHandle lock = one().acquire(this.request.holdAtLeast(Duration.ofSeconds(1)));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.KEPT);
		one().environment().next(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.events).containsExactly("acquired", "release failed");
	}

	@Test
	void aReleaseThatFindsTheLockGoneAfterARefusalIsToldAsALoss() {
		LeaseHandle lock = one().acquire(this.request);
		one().deleteRow("k");
		one().environment().next(Fault.REFUSED);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofMinutes(1));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(this.told.events).containsExactly("acquired", "lost ITEM_MISSING");
	}

	@Test
	void aDetachedLockIsToldAndThenNothingMore() throws InterruptedException {
		one().acquire(this.request).detach();
		time().pass(Duration.ofMinutes(1));
		assertThat(this.told.events).containsExactly("acquired", "detached");
	}

	@Test
	void everyListenerOfARequestIsNotifiedAlthoughOneThrows() {
		Recorder first = new Recorder();
		Recorder second = new Recorder();
		one().acquire(LockRequest.of("k").listener(first).listener(new LockListener() {
			@Override
			public void onAcquired(HeldLock held) {
				throw new IllegalStateException("the test's listener fails");
			}
		}).listener(second));
		time().pass(Duration.ofMinutes(1));
		assertThat(first.events).startsWith("acquired", "renewed");
		assertThat(second.events).isEqualTo(first.events);
	}

	@Test
	void aListenerThatThrowsIsNoHarm() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").listener(new LockListener() {
			@Override
			public void onAcquired(HeldLock held) {
				throw new IllegalStateException("the test's listener fails");
			}

			@Override
			public void onRenewed(HeldLock held) {
				throw new AssertionError("the test's listener fails");
			}
		}));
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
	}

	private static final class Recorder implements LockListener {

		private final List<String> events = new ArrayList<>();

		private final List<LockException> refusals = new ArrayList<>();

		private final List<Duration> waited = new ArrayList<>();

		private final List<LockRequest> requests = new ArrayList<>();

		private int count(String event) {
			return (int) this.events.stream().filter(event::equals).count();
		}

		@Override
		public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
			this.requests.add(request);
			this.events.add("waiting for " + ((holder == null) ? null : holder.ownerName()));
		}

		@Override
		public void onAcquired(HeldLock lock) {
			this.events.add("acquired");
		}

		@Override
		public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
			this.requests.add(request);
			this.events.add("not acquired");
			this.waited.add(waited);
			this.refusals.add(reason);
		}

		@Override
		public void onRenewed(HeldLock lock) {
			this.events.add("renewed");
		}

		@Override
		public void onRenewalFailed(HeldLock lock, Throwable cause) {
			this.events.add("renewal failed: " + cause.getMessage());
		}

		@Override
		public void onExpiring(HeldLock lock) {
			this.events.add("expiring");
		}

		@Override
		public void onRecovered(HeldLock lock) {
			this.events.add("recovered");
		}

		@Override
		public void onReleased(HeldLock lock) {
			this.events.add("released");
		}

		@Override
		public void onReleaseFailed(HeldLock lock, LockException cause) {
			this.events.add("release failed");
			this.refusals.add(cause);
		}

		@Override
		public void onDetached(HeldLock lock) {
			this.events.add("detached");
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			this.events.add("lost " + reason);
		}

	}

}
