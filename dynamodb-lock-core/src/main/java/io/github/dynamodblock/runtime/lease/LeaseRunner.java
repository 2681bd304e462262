/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.lease;

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
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.acquire.Observation;
import io.github.dynamodblock.protocol.lease.Ending;
import io.github.dynamodblock.protocol.lease.GuardedWrite;
import io.github.dynamodblock.protocol.lease.Heartbeats;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseEffects;
import io.github.dynamodblock.protocol.lease.Release;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.protocol.lease.RetriedRenewal;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.runtime.shared.ListenerDispatcher;
import io.github.dynamodblock.runtime.shared.LockLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Lease}. Swaps its values atomically, so heartbeats, the holder and the
 * closing client never wait for each other, and carries out the effects in the order of
 * the swaps. Thread-safe.
 */
public final class LeaseRunner implements LeaseEffects, ClientState.Holding {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRunner.class);

	/** If setting the alarm takes longer, the thread was paused. */
	private static final long PAUSE_NANOS = 10_000_000L;

	private final AtomicReference<Lease> lease;

	private final ClientState client;

	private final Environment environment;

	private final ListenerDispatcher.Notifications notifications;

	private final HeldLock handle;

	/**
	 * Whether the lease has the turn of its key, so its end begins the next waiter's
	 * turn.
	 */
	private volatile boolean hasTurn;

	/** The number of swaps that the thread that carries out effects has not seen yet. */
	private final AtomicInteger swaps = new AtomicInteger();

	/** Owned by the thread that carries out effects, like the next field. */
	private Timer.@Nullable Task alarm;

	private long alarmAt = Nanos.NEVER;

	private volatile boolean rung;

	/** The release. A repetition reuses it, because it recognizes its earlier writes. */
	private volatile @Nullable Release release;

	public LeaseRunner(Lease granted, HeldLock handle, boolean hasTurn, ClientState client,
			ListenerDispatcher.Notifications notifications) {
		this.lease = new AtomicReference<>(granted);
		this.hasTurn = hasTurn;
		this.client = client;
		this.environment = client.environment();
		this.notifications = notifications;
		this.handle = handle;
	}

	@Override
	public HeldLock handle() {
		return this.handle;
	}

	/**
	 * Returns the last value without reading the clock, so the lease may be over by now.
	 */
	@Override
	public Lease last() {
		return Objects.requireNonNull(this.lease.get());
	}

	/**
	 * Returns the lease at a time. Ends the lease if it is over by then: a late answer
	 * must not revive a lease that a caller saw as lost.
	 */
	@Override
	public Lease at(ClockReading now) {
		Lease last = last();
		return (last.isLive() && now.holderNanos() >= last.changesAt()) ? input((lease, at) -> lease) : last;
	}

	public Lease present() {
		return at(this.environment.now());
	}

	/**
	 * Starts the heartbeats of a lock that its holder has received.
	 * @param takeover reports from which owner it was taken over, or {@code null}
	 */
	public void deliver(@Nullable Consumer<LeaseEffects> takeover) {
		double fraction = this.environment.randomness().fraction();
		ResultFuture<ReleaseOutcome> atLimit = new ResultFuture<>();
		input((lease, now) -> lease.delivered(atLimit, takeover, now, fraction));
	}

	/** Releases a lock that its caller did not receive. */
	public void discard() {
		ItemChange undo = last().request().keptItem().map(KeptItem::undo).orElse(ItemChange.none());
		Ending undoing = Ending.background(ReleaseRequest.create().change(undo), new ResultFuture<>());
		input((lease, now) -> lease.discard(undoing, now));
	}

	@Override
	public void superseded() {
		input((lease, now) -> lease.lost(LossReason.STOLEN));
	}

	/**
	 * Requests a heartbeat without waiting for it.
	 * @return completed with the lease when the heartbeat is confirmed or the lock is no
	 * longer live
	 */
	public CompletableFuture<Lease> renew(RenewRequest request, Executor thread) {
		ResultFuture<Lease> confirmed = new ResultFuture<>(thread);
		input((lease, now) -> lease.renew(request, confirmed));
		return confirmed;
	}

	/**
	 * Applies a transition at the present time.
	 * @param transition returns the next value; may be called more than once
	 */
	public Lease input(BiFunction<Lease, ClockReading, Lease> transition) {
		while (true) {
			Lease before = last();
			ClockReading now = this.environment.now();
			Lease after = transition.apply(before.at(now), now);
			if (after == before) {
				return after;
			}
			assert after.isConsistent() : before + " became " + after;
			if (this.lease.compareAndSet(before, after)) {
				carryOut();
				return after;
			}
		}
	}

	/** One thread at a time carries out effects, and no other thread waits for it. */
	private void carryOut() {
		if (this.swaps.getAndIncrement() == 0) {
			try (Callbacks.Work work = Callbacks.deferred()) {
				int seen = 1;
				do {
					Lease decided = Objects.requireNonNull(this.lease.getAndUpdate(Lease::carriedOut));
					decided.effects().forEach(this::carryOut);
					setAlarm(last().dueAt());
					seen = this.swaps.addAndGet(-seen);
				}
				while (seen != 0);
			}
		}
	}

	/** A failure must not stop later effects. */
	private void carryOut(Consumer<LeaseEffects> effect) {
		try {
			effect.accept(this);
		}
		catch (Throwable ex) {
			Callbacks.report(ex);
		}
	}

	private void setAlarm(long due) {
		if (!this.rung && due >= this.alarmAt && due != Nanos.NEVER) {
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
			if (due == Nanos.NEVER) {
				return;
			}
			now = this.environment.now();
			this.alarm = this.environment.watch().schedule(due - now.holderNanos(), this::ring);
			// A pause of this thread would make the alarm late, so it is set again.
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
		this.environment.send(new HeartbeatCall(this.environment.randomness().recordVersionNumber()), thread);
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
	public void renewed(LockRecord record, long sentAt) {
		this.client.observations().wrote(record, sentAt, this.environment.now());
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
		Lease ended = last();
		LockKey key = ended.renewals().key();
		this.client.remove(key, this);
		if (ended.isContended()) {
			ClockReading now = this.environment.now();
			long pause = Observation.pauseForOthers(now.holderNanos() - ended.claimedAt(),
					ended.renewals().record().leaseDuration(), ended.heartbeats().answeredNanos());
			this.client.observations().pauseForOthers(key, pause, now);
		}
		if (this.hasTurn) {
			this.client.queue().leave(key);
		}
	}

	/**
	 * Starts to commit a transaction if the lock is held.
	 * @return the end; fails only if the client is closed meanwhile
	 */
	public CompletableFuture<Step.End> commit(Object transaction, Executor thread) {
		CompletableFuture<Step.End> ended = new CompletableFuture<>();
		this.client.pending(ended);
		GuardedWrite write = new GuardedWrite(this::last, transaction, this.environment.randomness());
		new WriteRun(write, thread, ended).begin();
		return ended;
	}

	/**
	 * Closes the handle for its holder, or repeats a failed release.
	 * @return the outcome; fails if it stays unknown
	 */
	public CompletableFuture<ReleaseOutcome> release(ReleaseRequest request, Executor thread) {
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
			// Waits for the release, because the caller's process may end next.
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

	@Override
	public CompletableFuture<ReleaseOutcome> close(boolean releases) {
		Ending closing = Ending.background(ReleaseRequest.create(), new ResultFuture<>());
		return outcome(input((lease, now) -> lease.close(releases, closing, now)));
	}

	@Override
	public void release(Ending ending) {
		begin(ending, this.environment.background());
	}

	private void begin(Ending ending, Executor thread) {
		this.client.pending(ResultFuture.of(ending.outcome()));
		Runnable handOn = handOn(ending);
		if (handOn != null) {
			// Listeners and callers are notified when the next holder has the lock.
			try (Callbacks.Work work = Callbacks.deferred()) {
				input((leaving, now) -> leaving.released(ending, Step.Released.freed(false)));
				handOn.run();
			}
			return;
		}
		Operation operation = operation(ending);
		new OperationRunner(operation, this.environment, CallKind.RELEASE, thread, (ended) -> {
			// If the last renewal for holdAtLeast fails, the lease continues as it is.
			Step.End end = (operation instanceof Release) ? ended : new Step.Settled();
			Lease lease = input((releasing, now) -> releasing.released(ending, end));
			if (end instanceof Step.Failed failed && (!ending.awaited() || lease.lossReason() != null)) {
				// No caller receives the failure.
				LockLog.unreleased(last().renewals().key(), failed.failure());
			}
			if (ended instanceof Step.Failed failed && end != ended) {
				logger
					.warn("Lock '{}' is not kept for the rest of its holdAtLeast, but expires one lease after its last "
							+ "heartbeat, because its client closed and the last renewal was not confirmed. Error: {}",
							last().renewals().key(), LockLog.text(failed.failure()));
			}
		}).begin();
	}

	/** Passes this lease's turn to the next holder, if the lock is handed on. */
	private @Nullable Runnable handOn(Ending ending) {
		if (!this.hasTurn || this.client.isClosing()) {
			return null;
		}
		Lease left = last();
		ClockReading now = this.environment.now();
		Runnable handOn = this.client.queue().handOn(left.renewals().key(), (next) -> left.handOn(ending, next, now));
		this.hasTurn = handOn == null;
		return handOn;
	}

	private Operation operation(Ending ending) {
		Lease last = last();
		ReleaseRequest request = ending.request();
		long rest = last.holdRest(this.environment.now());
		if (rest > 0) {
			// Rounded up to whole milliseconds: the lock must not be free too early.
			return new RetriedRenewal(last.renewals(), Duration.ofMillis(rest / 1_000_000 + 1), request.change(),
					this.environment.randomness());
		}
		Release repeated = this.release;
		if (repeated != null) {
			repeated.askAgain(request.change());
			return repeated;
		}
		Release first = new Release(last.renewals(), last.deletesItem(), request.change(),
				this.environment.randomness());
		this.release = first;
		return first;
	}

	/**
	 * The heartbeat of a lease that ends sooner goes first. First attempts have a head
	 * start of half a validity over retries. A heartbeat that would probably be too late
	 * comes last: the time is better spent on a lock that can be kept.
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
			return input((lease, now) -> lease.sending(this.version, now)).call(this.version);
		}

		@Override
		public void answered(Answer answer) {
			try (Callbacks.Work work = Callbacks.deferred()) {
				LeaseRunner.this.answered(this.version, answer);
			}
		}

	}

	/** A guarded write. The end of the lease wakes it if it waits. */
	private final class WriteRun implements Runnable {

		private final OperationRunner runner;

		private final CompletableFuture<Step.End> ended;

		WriteRun(GuardedWrite write, Executor thread, CompletableFuture<Step.End> ended) {
			this.ended = ended;
			this.runner = new OperationRunner(write, LeaseRunner.this.environment, CallKind.HOLDER,
					(call) -> new WriteCall(call, thread).run(), (wait) -> {
					}, this::ended);
		}

		void begin() {
			input((lease, now) -> lease.begun(this));
			this.runner.begin();
		}

		@Override
		public void run() {
			this.runner.interrupt(() -> {
			});
		}

		private void ended(Step.End end) {
			input((lease, now) -> lease.over(this));
			if (end instanceof Step.Lost lost) {
				input((lease, now) -> lease.lost(lost.reason()));
			}
			this.ended.complete(end);
		}

	}

	/**
	 * A call of a guarded write. It gives up its call slot while another call for the
	 * item is in progress.
	 */
	private final class WriteCall implements StoreCall, Runnable {

		private final StoreCall call;

		private final Executor thread;

		WriteCall(StoreCall call, Executor thread) {
			this.call = call;
			this.thread = thread;
		}

		@Override
		public void run() {
			LeaseRunner.this.environment.send(this, this.thread);
		}

		@Override
		public Priority priority() {
			return this.call.priority();
		}

		@Override
		public boolean isWithdrawn() {
			return this.call.isWithdrawn();
		}

		@Override
		public Step.@Nullable Call next() {
			if (input((lease, now) -> lease.writing(this, now)).letsWait(this)) {
				return null;
			}
			Step.Call sent = this.call.next();
			if (sent == null) {
				input((lease, now) -> lease.written(this));
			}
			return sent;
		}

		@Override
		public void answered(Answer answer) {
			// In this order, because the operation may send again.
			input((lease, now) -> lease.written(this));
			this.call.answered(answer);
		}

	}

}
