/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callbacks on an executor that runs them at once, on the client's own thread: they find
 * the client as if nothing else were under way. In virtual time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
class CallbacksTests extends VirtualTimeTest {

	private static final LockRequest REQUEST = LockRequest.of("k").waitTime(Duration.ofMinutes(1));

	private final List<Exception> blocked = new ArrayList<>();

	CallbacksTests() {
		super(new SimulatedTable());
	}

	@AfterEach
	void nobodyWasBlocked() {
		assertThat(this.blocked).isEmpty();
	}

	@Test
	void aListenerThatIsToldOfAWaitMayHaveAnotherThreadCancelIt() {
		two().acquire("k");
		AtomicReference<@Nullable CompletableFuture<HeldLock>> future = new AtomicReference<>();
		LockRequest request = REQUEST.listener(new LockListener() {
			@Override
			public void onWaiting(LockRequest waiting, @Nullable LockRecord holder) {
				elsewhere(() -> Objects.requireNonNull(future.get()).cancel(true));
			}
		});
		future.set(one().client().acquireAsync(request, Runnable::run));
		time().pass(Duration.ofSeconds(1));
		assertThat(future.get()).isCancelled();
	}

	@Test
	void callbacksThatCancelEachOthersAcquisitionsEndThemAll() {
		LeaseHandle other = two().acquire("k");
		List<CompletableFuture<HeldLock>> futures = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			CompletableFuture<HeldLock> future = one().client().acquireAsync(REQUEST, Runnable::run);
			future.whenComplete((lock, problem) -> elsewhere(() -> futures.forEach((each) -> each.cancel(true))));
			futures.add(future);
		}
		two().release(other);
		time().pass(Duration.ofSeconds(5));
		assertThat(futures.stream().filter(CompletableFuture::isCancelled)).hasSize(9);
		assertThat(futures.get(0).join().isHeld()).isTrue();
	}

	@Test
	void aListenerThatIsToldOfALossMayAcquireTheLockAtOnce() {
		AtomicReference<@Nullable AcquisitionTask> again = new AtomicReference<>();
		one().acquire(LockRequest.of("k").automaticRenewal(false).listener(new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				elsewhere(() -> again.set(one().start(LockRequest.of("k").waitTime(LEASE))));
			}
		}));
		time().pass(LEASE.multipliedBy(2));
		assertThat(granted(Objects.requireNonNull(again.get())).isHeld()).isTrue();
	}

	@Test
	void aCallbackMayReleaseTheLockThatItIsGrantedAndAcquireItOnceMore() {
		List<HeldLock> granted = new ArrayList<>();
		CompletableFuture<HeldLock> second = one().client().acquireAsync(REQUEST, Runnable::run).thenCompose((lock) -> {
			granted.add(lock);
			elsewhere(() -> ((LeaseHandle) lock).beginRelease(ReleaseRequest.create()));
			return one().client().acquireAsync(REQUEST, Runnable::run);
		});
		time().pass(Duration.ofSeconds(1));
		assertThat(second.join().fencingToken()).isGreaterThan(granted.get(0).fencingToken());
	}

	@Test
	void aListenerThatIsToldOfAHeartbeatMayDemandTheNext() {
		List<CompletableFuture<Lease>> renewals = new ArrayList<>();
		List<Boolean> completed = new ArrayList<>();
		one().acquire(LockRequest.of("k").listener(new LockListener() {
			@Override
			public void onRenewed(HeldLock lock) {
				if (renewals.isEmpty()) {
					renewals.add(((LeaseHandle) lock).demand(RenewRequest.create()));
					time().pass(VirtualEnvironment.CALL);
					completed.add(renewals.get(0).isDone());
				}
			}
		}));
		time().pass(LEASE);
		assertThat(completed).containsExactly(true);
	}

	@Test
	void aListenerThatIsToldOfATimeoutFindsTheTurnFree() {
		two().acquire("k");
		List<Boolean> free = new ArrayList<>();
		one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)).listener(new LockListener() {
			@Override
			public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
				free.add(one().state().queue().enter(request.key(), (key) -> {
				}));
			}
		}));
		time().pass(Duration.ofSeconds(2));
		assertThat(free).containsExactly(true);
	}

	@Test
	void aCallbackMayCloseTheClient() {
		LeaseHandle held = one().acquire("held");
		AcquisitionTask waiting = one().start(LockRequest.of("held").waitTime(Duration.ofMinutes(1)));
		CompletableFuture<HeldLock> last = one().client().acquireAsync(REQUEST, Runnable::run);
		last.thenRun(() -> elsewhere(() -> one().endEverything(true)));
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(waiting)).isTrue();
		assertThat(held.isHeld()).isFalse();
		assertThat(last.join().isHeld()).isFalse();
		assertThat(time().pending()).isZero();
	}

	/** Another thread does something, and this one waits for it. */
	private void elsewhere(Runnable action) {
		try {
			CompletableFuture.runAsync(action).get(10, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			// Whatever a listener throws is logged, and would fail no test.
			this.blocked.add(ex);
		}
	}

}
