/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Ending;
import io.github.dynamodblock.protocol.lease.GuardedWrite;
import io.github.dynamodblock.protocol.lease.Heartbeats;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseEffects;
import io.github.dynamodblock.protocol.lease.Release;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.protocol.lease.RetriedRenewal;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Lease}: swaps its values atomically, so that heartbeats, the holder and
 * the closing client share no lock, and carries out what follows, in the order of the
 * swaps. Thread-safe.
 */
final class LeaseRunner implements LeaseEffects {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRunner.class);

	/** How long a thread may take to set the alarm; more is a pause. */
	private static final long PAUSE_NANOS = 10_000_000L;

	private final AtomicReference<Lease> lease;

	private final LeaseHandle handle;

	private final boolean deleteOnRelease;

	private final ClientState client;

	private final Environment environment;

	private final ListenerDispatcher.Notifications notifications;

	private final ItemMutex calls;

	/** The number of swaps that the thread which carries out effects has not yet seen. */
	private final AtomicInteger swaps = new AtomicInteger();

	/** Owned by the thread that carries out effects, as is the next field. */
	private Timer.@Nullable Task alarm;

	private long alarmAt = Lease.NEVER;

	private volatile boolean rung;

	/** The release, which recognises its earlier writes if it is repeated. */
	private volatile @Nullable Release release;

	LeaseRunner(Lease granted, LeaseHandle handle, boolean deleteOnRelease, ClientState client,
			ListenerDispatcher.Notifications notifications) {
		this.lease = new AtomicReference<>(granted);
		this.handle = handle;
		this.deleteOnRelease = deleteOnRelease;
		this.client = client;
		this.environment = client.environment();
		this.calls = new ItemMutex(this.environment.watch());
		this.notifications = notifications;
	}

	/** Returns the lease as it was swapped last, without reading the clock. */
	Lease last() {
		return Objects.requireNonNull(this.lease.get());
	}

	/**
	 * Returns the lease at a time. If the lease is over at that time, this ends it: a
	 * late answer must not revive a lease that a caller saw as lost.
	 */
	Lease at(ClockReading now) {
		Lease last = last();
		return (last.isLive() && now.holderNanos() >= last.changesAt()) ? input((lease, at) -> lease) : last;
	}

	Lease present() {
		return at(this.environment.now());
	}

	/**
	 * Makes a transition at the present time.
	 * @param transition gives the next value; may be called more than once
	 */
	Lease input(BiFunction<Lease, ClockReading, Lease> transition) {
		while (true) {
			Lease before = last();
			ClockReading now = this.environment.now();
			Lease after = transition.apply(before.at(now), now);
			if (after == before) {
				return after;
			}
			if (this.lease.compareAndSet(before, after)) {
				carryOut();
				return after;
			}
		}
	}

	/** One thread at a time carries out effects, and no other waits for it. */
	private void carryOut() {
		if (this.swaps.getAndIncrement() == 0) {
			Callbacks.deferredDuring(() -> {
				int seen = 1;
				do {
					Lease decided = Objects.requireNonNull(this.lease.getAndUpdate(Lease::carriedOut));
					decided.effects().forEach((effect) -> Callbacks.runCompletely(() -> effect.accept(this)));
					setAlarm(last().dueAt());
					seen = this.swaps.addAndGet(-seen);
				}
				while (seen != 0);
			});
		}
	}

	private void setAlarm(long due) {
		if (!this.rung && due >= this.alarmAt && due != Lease.NEVER) {
			return;
		}
		ClockReading now;
		do {
			this.rung = false;
			this.alarmAt = due;
			if (this.alarm != null) {
				this.alarm.cancel();
				this.alarm = null;
			}
			if (due == Lease.NEVER) {
				return;
			}
			now = this.environment.now();
			this.alarm = this.environment.watch().schedule(due - now.holderNanos(), this::ring);
			// Again after a pause of this thread, which makes the alarm late.
		}
		while (this.environment.now().holderNanos() - now.holderNanos() > PAUSE_NANOS);
	}

	private void ring() {
		this.rung = true;
		input((lease, now) -> lease);
		carryOut();
	}

	@Override
	public void heartbeat() {
		sendHeartbeat(null);
	}

	@Override
	public void heartbeatOnDemand() {
		sendHeartbeat(ResultFuture.thread(last().waiter()));
	}

	private void sendHeartbeat(@Nullable Executor thread) {
		HeartbeatCall heartbeat = new HeartbeatCall(this.environment.randomness().recordVersionNumber());
		this.calls.send(heartbeat, (call) -> this.environment.send(call, thread));
	}

	private void answered(String version, Answer answer) {
		double fraction = this.environment.randomness().fraction();
		Lease lease = input((sent, now) -> sent.answered(version, answer, now, fraction));
		int failures = lease.heartbeats().failures();
		if (lease.isLive() && failures > 0) {
			logger.debug("Heartbeat of lock '{}' was not confirmed ({} in a row): {}", lease.renewals().key(), failures,
					answer);
		}
	}

	@Override
	public void renewed(Lease lease) {
		this.client.observations()
			.wrote(lease.renewals().record(), lease.heartbeats().sentAt(), this.environment.now());
		reportRecurring(LockListener::onRenewed);
	}

	@Override
	public void renewalFailed(Throwable cause) {
		reportRecurring((listener, lock) -> listener.onRenewalFailed(lock, cause));
	}

	private void reportRecurring(BiConsumer<LockListener, HeldLock> event) {
		this.notifications.sendRecurring((listener) -> event.accept(listener, this.handle));
	}

	@Override
	public void report(BiConsumer<LockListener, HeldLock> event) {
		this.notifications.send((listener) -> event.accept(listener, this.handle));
	}

	@Override
	public void expiring() {
		reportRecurring(LockListener::onExpiring);
		this.client.log().expiring(this.handle, last().heartbeats());
	}

	@Override
	public void recovered() {
		reportRecurring(LockListener::onRecovered);
		this.client.log().recovered(this.handle);
	}

	@Override
	public void lost(LossReason reason) {
		report((listener, lock) -> listener.onLost(lock, reason));
		this.client.log().lost(this.handle, reason, last().heartbeats());
	}

	@Override
	public void ended() {
		this.handle.ended();
	}

	/**
	 * Commits a transaction if the lock is held.
	 * @return how that ended; fails only if the client is closed meanwhile
	 */
	CompletableFuture<Step.End> commit(Object transaction, Executor thread) {
		CompletableFuture<Step.End> ended = new CompletableFuture<>();
		this.client.pending(ended);
		GuardedWrite write = new GuardedWrite(this::last, transaction, this.environment.randomness());
		Consumer<StoreCall> calls = (call) -> this.calls.send(call, (turn) -> this.environment.send(turn, thread));
		new OperationRunner(write, this.environment, CallKind.HOLDER, calls, (wait) -> {
		}, (end) -> {
			if (end instanceof Step.Lost lost) {
				input((lease, now) -> lease.lost(lost.reason()));
			}
			ended.complete(end);
		}).begin();
		return ended;
	}

	/**
	 * Closes the handle on behalf of its holder, or repeats a release that failed.
	 * @return the outcome; fails if it stays unknown
	 */
	CompletableFuture<ReleaseOutcome> release(ReleaseRequest request, Executor thread) {
		Ending mine = Ending.awaited(request, new ResultFuture<>());
		Lease lease = input((held, now) -> held.release(mine, now));
		boolean isMine = lease.endsAs(mine);
		if (lease.isLive()) {
			return CompletableFuture.completedFuture(isMine ? ReleaseOutcome.KEPT : ReleaseOutcome.ALREADY_RELEASED);
		}
		if (isMine) {
			begin(mine, thread);
		}
		if (lease.lossReason() != null) {
			// The caller's process may end next: the item is released before.
			return outcome(lease).exceptionally((problem) -> ReleaseOutcome.LOST);
		}
		return isMine ? outcome(lease) : outcome(lease).thenApply((outcome) -> switch (outcome) {
			case LOST, DETACHED -> outcome;
			default -> ReleaseOutcome.ALREADY_RELEASED;
		});
	}

	private static CompletableFuture<ReleaseOutcome> outcome(Lease ended) {
		Ending ending = ended.ending();
		return (ending == null) ? CompletableFuture.completedFuture(ReleaseOutcome.LOST)
				: ResultFuture.of(ending.outcome());
	}

	/**
	 * Ends the lock because its client closes.
	 * @param releases whether to release the lock, or to leave it until its lease ends
	 * @return completed when nothing more is sent for it
	 */
	CompletableFuture<ReleaseOutcome> close(boolean releases) {
		Ending closing = Ending.background(ReleaseRequest.create(), new ResultFuture<>());
		return outcome(input((lease, now) -> lease.close(releases, closing, now)));
	}

	@Override
	public void release(Ending ending) {
		begin(ending, this.environment.background());
	}

	private void begin(Ending ending, Executor thread) {
		this.client.pending(ResultFuture.of(ending.outcome()));
		Lease left = last();
		WaitQueue.Waiter heir = canBeHandedOn(left, ending) ? this.handle.handOn(left) : null;
		if (heir != null) {
			// Listeners and callers run when the next holder has the lock.
			Callbacks.deferredDuring(() -> {
				input((leaving, now) -> leaving.released(ending, Step.Released.freed(false)));
				heir.onTurn(left);
			});
			return;
		}
		Operation operation = operation(ending);
		new OperationRunner(operation, this.environment, CallKind.RELEASE, thread, (ended) -> {
			// If a lock cannot be left for the rest of its holdAtLeast, its lease goes
			// on.
			Step.End end = (operation instanceof Release) ? ended : new Step.Settled();
			Lease lease = input((releasing, now) -> releasing.released(ending, end));
			if (end instanceof Step.Failed failed && (!ending.awaited() || lease.lossReason() != null)) {
				// No caller receives the failure.
				LockLog.warn(logger, failed.failure());
			}
			if (ended instanceof Step.Failed failed && end != ended) {
				logger.warn(
						"Lock '{}' is not kept for the rest of its holdAtLeast, but expires one lease after its last "
								+ "heartbeat: its client closed, and a last renewal was not confirmed. Error: {}",
						left.renewals().key(), LockLog.text(failed.failure()));
			}
		}).begin();
	}

	/**
	 * Whether everything that the release would change is written by the next acquisition
	 * anyway.
	 */
	private boolean canBeHandedOn(Lease left, Ending ending) {
		ReleaseRequest request = ending.request();
		return ending.awaited() && request.change().isNone() && !request.deleteOnRelease().orElse(this.deleteOnRelease)
				&& this.release == null && !this.client.isClosing() && left.lossReason() == null && !left.isContended()
				&& left.renewals().canBeHandedOn(this.environment.now());
	}

	private Operation operation(Ending ending) {
		Lease last = last();
		ReleaseRequest request = ending.request();
		long rest = last.holdRest(this.environment.now());
		if (rest > 0) {
			// The item stores whole milliseconds, and the lock must not be free too
			// early.
			return new RetriedRenewal(last.renewals(), Duration.ofMillis(rest / 1_000_000 + 1), request.change(),
					this.environment.randomness());
		}
		boolean deletes = request.deleteOnRelease().orElse(this.deleteOnRelease);
		Release repeated = this.release;
		if (repeated != null) {
			repeated.askAgain(deletes, request.change());
			return repeated;
		}
		Release first = new Release(last.renewals(), deletes, request.change(), this.environment.randomness());
		this.release = first;
		return first;
	}

	/**
	 * The heartbeat of a lease that ends sooner goes first. A retry comes after first
	 * attempts for leases that end up to half a lease later. A heartbeat that is probably
	 * too late comes last: the time is better spent on a lock that can be kept.
	 */
	private final class HeartbeatCall implements StoreCall {

		private final String version;

		HeartbeatCall(String version) {
			this.version = version;
		}

		@Override
		public Priority priority() {
			Renewals renewals = last().renewals();
			Heartbeats heartbeats = last().heartbeats();
			if (heartbeats.isTooLate(renewals, LeaseRunner.this.environment.now())) {
				return new Priority(CallKind.HUNG_HEARTBEAT, Long.MAX_VALUE);
			}
			long head = (heartbeats.failures() == 0) ? renewals.terms().validityNanos() / 2 : 0;
			return new Priority(heartbeats.hung() ? CallKind.HUNG_HEARTBEAT : CallKind.HEARTBEAT,
					renewals.deadline() - head);
		}

		@Override
		public Step.@Nullable Call next() {
			return input((lease, now) -> lease.sending(this.version, now)).call();
		}

		@Override
		public void answered(Answer answer) {
			Callbacks.deferredDuring(() -> LeaseRunner.this.answered(this.version, answer));
		}

	}

}
