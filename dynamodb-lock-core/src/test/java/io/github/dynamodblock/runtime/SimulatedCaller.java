/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.acquire.AcquisitionFuture;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.call.CallerLane;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;

/**
 * One thread of an application, as far as locks go: it acquires, works, and gives back,
 * or does any of the other things that may be done with a lock.
 */
final class SimulatedCaller {

	private final Simulation simulation;

	private final SimulatedClient client;

	private final SimulatedProcess process;

	private final Chance chance;

	private final SimulatedRequests requests;

	/** Gives up the acquisition that is under way. */
	private Runnable departure = () -> {
	};

	/** Which acquisition this thread is about; older events do not concern it. */
	private int turn;

	SimulatedCaller(Simulation simulation, SimulatedClient client, Chance chance) {
		this.simulation = simulation;
		this.client = client;
		this.process = client.process();
		this.chance = chance;
		this.requests = new SimulatedRequests(simulation.scenario(), client.toString(), chance, simulation::tick);
		client.callers().add(this);
	}

	void begin() {
		this.process.later(this.chance.nanos(0, hurried() ? 10 : 400), this::act);
	}

	private boolean hurried() {
		return this.simulation.scenario().hurried();
	}

	private void act() {
		if (this.simulation.isSettling() || this.client.isClosing()) {
			return;
		}
		if (this.chance.in(0.05)) {
			changeWithoutLock();
		}
		LockToken token = this.chance.in(0.3) ? this.simulation.takeToken(this.chance) : null;
		if (token == null) {
			acquire(this.requests.acquisition(this.simulation.wanted(this.chance)), null);
		}
		else if (this.chance.in(0.5)) {
			acquire(this.requests.acquisition(LockRequest.of(token.key())), token);
		}
		else {
			use(token);
		}
	}

	private void changeWithoutLock() {
		LockKey key = this.simulation.key(this.chance);
		note("changes the item", key);
		this.simulation.expect(this.client,
				onThisThread((thread) -> this.client.detached(thread).change(key, this.requests.noted())));
	}

	/**
	 * Makes calls on this thread until their result is there, unless it leaves before: it
	 * is interrupted, or has no more time.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private <T> CompletableFuture<T> onThisThread(Function<Executor, CompletableFuture<T>> operation) {
		CallerLane lane = lane();
		CompletableFuture<T> result = operation.apply(lane);
		result.whenComplete((value, problem) -> lane.close());
		if (this.chance.in(0.2)) {
			this.process.later(this.chance.nanos(0, 1500), lane::close);
		}
		return result;
	}

	private CallerLane lane() {
		return new CallerLane(this.process, (call) -> this.process.later(this.process.threadStart(), call));
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private void acquire(LockRequest request, @Nullable LockToken token) {
		Holder holder = new Holder(request);
		AcquisitionTerms terms = this.client.terms(request.listener(holder));
		int versionsBefore = this.process.versions();
		long stalledBefore = this.process.stalled();
		int begunBefore = this.client.begun().size();
		boolean alone = !this.client.startsAnother(null)
				&& this.client.begun().stream().allMatch((other) -> other.settled().isDone());
		CallerLane lane = this.chance.in(0.3) ? null : lane();
		AcquisitionTask task = this.client.start((token == null) ? terms : terms.adopting(token, this.process.now()),
				(lane == null) ? this.process.background() : lane);
		note("acquires", request.key(), (token == null) ? "" : "by a token");
		int mine = ++this.turn;
		task.outcome().whenComplete((told, impossible) -> {
			this.simulation.checkToldInTime(this.client, task, stalledBefore);
			if (alone && token == null) {
				this.simulation.checkNotStoppedByItself(this.client, task, told.end(), versionsBefore, begunBefore);
			}
			holder.granted(told.handle());
			boolean deniedByNone = token == null && told.end() instanceof Step.Denied denied && denied.holder() == null;
			if (deniedByNone && mine == this.turn) {
				this.simulation.checks()
					.violation(this.client + " was refused without a holder: " + task.terms().key());
			}
			if (told.end() instanceof Step.ConditionNotMet) {
				this.simulation.checks().count("conditions not met");
			}
		});
		Runnable leaving = (lane == null) ? beTold(mine, holder, task) : waitForIt(mine, holder, task, lane);
		if (token == null) {
			task.settled().thenRun(() -> this.simulation.checkSettled(this.client, task));
		}
		this.departure = () -> leave(mine, task, leaving);
		if (this.chance.in(0.15)) {
			this.process.later(this.chance.nanos(0, 1500), this.departure);
		}
	}

	/**
	 * As {@link DefaultLockClient#acquireAsync(LockRequest)} does it.
	 * @return what gives the acquisition up
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
	private Runnable beTold(int mine, Holder holder, AcquisitionTask task) {
		CompletableFuture<HeldLock> future = AcquisitionFuture.of(task, this.process.listeners());
		task.endInTime();
		future.whenComplete((lock, problem) -> {
			if (!future.isCancelled()) {
				told(mine, holder, task.outcome().join());
			}
		});
		this.simulation.expect(this.client, future);
		return () -> future.cancel(true);
	}

	/**
	 * As a thread does it that waits.
	 * @return what gives the acquisition up
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private Runnable waitForIt(int mine, Holder holder, AcquisitionTask task, CallerLane lane) {
		task.announced().thenAccept((told) -> this.process.later(this.process.threadStart(), () -> {
			lane.close();
			told(mine, holder, told);
		}));
		waitByItself(task);
		return () -> {
			task.cancel();
			lane.close();
		};
	}

	private void waitByItself(AcquisitionTask task) {
		long left = task.nanosLeft();
		if (left != Long.MAX_VALUE) {
			this.process.waits().schedule(left, () -> {
				task.onTimeout();
				waitByItself(task);
			});
		}
	}

	private void leave(int which, AcquisitionTask task, Runnable leaving) {
		if (which == this.turn) {
			note("leaves", task.terms().key());
			this.turn++;
			leaving.run();
			begin();
		}
	}

	/**
	 * A listener of this thread's acquisition has the executor's thread, which may be one
	 * of the client's, and gives up some acquisition of the client: its own or another.
	 */
	private void interfere() {
		if (this.chance.in(0.03) && !this.simulation.isSettling()) {
			this.chance.of(this.client.callers()).departure.run();
		}
	}

	private void told(int which, Holder holder, AcquisitionTask.Outcome told) {
		if (which != this.turn) {
			return;
		}
		this.turn++;
		if (told.end() instanceof Step.Failed failed && String.valueOf(failed.failure()).contains("report this")) {
			this.simulation.checks().violation(failed.failure().toString());
		}
		if (told.handle() == null) {
			note("is refused", told.end());
			begin();
		}
		else {
			note("holds", told.handle());
			holder.work((hurried() && this.chance.in(0.8)) ? 0 : this.chance.between(0, 4));
		}
	}

	/** Continues with a lock that somebody detached. */
	@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
	private void use(LockToken token) {
		if (this.chance.in(0.5)) {
			RenewRequest request = RenewRequest.create().leaseDuration(this.requests.lease());
			note("renews by token", token, request);
			CompletableFuture<LockToken> renewed = onThisThread(
					(thread) -> this.client.detached(thread).renew(token, request));
			this.simulation.expect(this.client, renewed);
			renewed.thenAccept(this.simulation::putToken);
		}
		else {
			note("releases by token", token);
			this.simulation.expect(this.client, onThisThread((thread) -> this.client.detached(thread).release(token)));
		}
		begin();
	}

	private void note(String what, Object... details) {
		this.simulation.history().add(this.process, what, details);
	}

	/**
	 * What this thread does with one lock, and what it is told of it.
	 */
	private final class Holder implements LockListener {

		private final LockRequest request;

		private SafetyChecks.@Nullable Grant grant;

		private @Nullable LeaseHandle handle;

		private @Nullable Guard guard;

		private boolean lost;

		private boolean releaseFailed;

		private boolean ended;

		Holder(LockRequest request) {
			this.request = request;
		}

		void granted(@Nullable LeaseHandle handle) {
			this.handle = handle;
			if (handle != null) {
				this.grant = SimulatedCaller.this.simulation.checks().grantOf(SimulatedCaller.this.client, handle);
				if (this.request.permits() > 1) {
					SimulatedCaller.this.simulation.checks().count("permits");
				}
				SimulatedCaller.this.simulation.checks().grantedFor(this.request, this.grant);
			}
		}

		@Override
		public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
			interfere();
		}

		@Override
		public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
			interfere();
		}

		@Override
		public void onAcquired(HeldLock lock) {
			SimulatedCaller.this.client.reported(1);
			interfere();
		}

		@Override
		public void onRenewed(HeldLock lock) {
			interfere();
		}

		@Override
		public void onReleased(HeldLock lock) {
			onlyEnd(lock);
			interfere();
		}

		@Override
		public void onDetached(HeldLock lock) {
			onlyEnd(lock);
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			note("is told a loss", lock.key(), reason);
			onlyEnd(lock);
			interfere();
			this.lost = true;
			SimulatedCaller.this.simulation.checks()
				.lost(SimulatedCaller.this.client, (LeaseHandle) lock, reason, this.request.automaticRenewal());
		}

		@Override
		public void onReleaseFailed(HeldLock lock, LockException cause) {
			note("is told that its release failed", lock.key(), cause);
			onlyEnd(lock);
			this.releaseFailed = true;
		}

		private void onlyEnd(HeldLock lock) {
			if (this.ended) {
				SimulatedCaller.this.simulation.checks().violation("two ends were told: " + lock.key());
			}
			this.ended = true;
			SimulatedCaller.this.client.reported(-1);
		}

		void work(int steps) {
			LeaseHandle lock = this.handle;
			if (lock == null || SimulatedCaller.this.client.isClosing()) {
				return;
			}
			boolean goesOn = steps > 0 && !SimulatedCaller.this.simulation.isSettling();
			SimulatedCaller.this.process.later(SimulatedCaller.this.chance.nanos(0, (goesOn && !hurried()) ? 700 : 20),
					() -> {
						if (!goesOn) {
							end(lock);
						}
						else {
							step(lock);
							work(steps - 1);
						}
					});
		}

		private void step(LeaseHandle lock) {
			if (this.lost && lock.isHeld()) {
				SimulatedCaller.this.simulation.checks()
					.violation("a lock was held after its loss was reported: " + lock);
			}
			switch (SimulatedCaller.this.chance.between(0, 4)) {
				case 0 -> note(lock.isHeld() ? "still holds" : "no more holds", lock.key());
				case 1 -> guardedWrite(lock);
				case 2 -> transactWrite(lock);
				case 3 -> demand(lock, RenewRequest.create().leaseDuration(SimulatedCaller.this.requests.lease()));
				default -> demand(lock, RenewRequest.create().change(SimulatedCaller.this.requests.change()));
			}
		}

		private void demand(LeaseHandle lock, RenewRequest request) {
			if (lock.isHeld()) {
				note("renews", lock.key(), request);
				SimulatedCaller.this.simulation.expect(SimulatedCaller.this.client,
						onThisThread((thread) -> lock.demand(request, thread)));
			}
		}

		/** Whether it still holds the lock is for the table to say. */
		private void guardedWrite(LeaseHandle lock) {
			SafetyChecks.Grant granted = this.grant;
			if (this.guard == null) {
				this.guard = guard(lock);
			}
			if (granted != null && this.guard != null) {
				SimulatedCaller.this.simulation.guardedWrite(SimulatedCaller.this.client, granted, this.guard);
			}
		}

		/**
		 * The condition for the application's transactions, which may use it for ever.
		 */
		private @Nullable Guard guard(LeaseHandle lock) {
			try {
				return SimulatedTable.guard(lock.key(), lock.conditionCheck());
			}
			catch (IllegalStateException ex) {
				return null;
			}
		}

		@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
		private void transactWrite(LeaseHandle lock) {
			SafetyChecks.Grant condition = this.grant;
			if (condition != null) {
				onThisThread((thread) -> SimulatedCaller.this.simulation.transactWrite(SimulatedCaller.this.client,
						condition, lock, thread));
			}
		}

		private void end(LeaseHandle lock) {
			if (SimulatedCaller.this.chance.in(0.15)) {
				detach(lock);
			}
			else {
				release(lock);
			}
			if (SimulatedCaller.this.chance.in(0.3)) {
				// The application has a defect and writes on.
				SimulatedCaller.this.process.later(SimulatedCaller.this.chance.nanos(0, 500), () -> guardedWrite(lock));
			}
			begin();
		}

		@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
		private void release(LeaseHandle lock) {
			note("releases", lock);
			CompletableFuture<ReleaseOutcome> released = onThisThread(
					(thread) -> lock.beginRelease(ReleaseRequest.create(), thread));
			SimulatedCaller.this.simulation.expect(SimulatedCaller.this.client, released);
			ended(lock, released);
		}

		@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
		private void ended(LeaseHandle lock, CompletableFuture<ReleaseOutcome> released) {
			released.thenAccept((outcome) -> {
				note("has released", lock.key(), outcome);
				if (outcome == ReleaseOutcome.LOST) {
					SimulatedCaller.this.process.later(SafetyChecks.SLACK, this::checkLossWasTold);
				}
			});
		}

		private void checkLossWasTold() {
			if (this.lost || this.releaseFailed) {
				return;
			}
			if (SimulatedCaller.this.process.wasStalled()) {
				SimulatedCaller.this.process.later(SafetyChecks.SLACK, this::checkLossWasTold);
			}
			else {
				SimulatedCaller.this.simulation.checks().violation("a loss was not reported: " + this.handle);
			}
		}

		/** As {@link LeaseHandle#detach()} does it, without a thread that waits. */
		@SuppressWarnings("FutureReturnValueIgnored") // it is looked at in the end
		private void detach(LeaseHandle lock) {
			if (!lock.isHeld()) {
				release(lock);
				return;
			}
			LockToken token;
			try {
				token = lock.detachIfConfirmed();
			}
			catch (LockLostException ex) {
				note("has lost in the middle of a detachment", lock);
				release(lock);
				return;
			}
			note((token == null) ? "cannot detach yet" : "has detached", lock);
			if (token != null) {
				SimulatedCaller.this.simulation.checks().detached(lock, token);
				SimulatedCaller.this.simulation.putToken(token);
				return;
			}
			CompletableFuture<Lease> renewed = onThisThread((thread) -> lock.demand(RenewRequest.create(), thread));
			SimulatedCaller.this.simulation.expect(SimulatedCaller.this.client, renewed);
			renewed.whenComplete((lease, refused) -> SimulatedCaller.this.process
				.later(SimulatedCaller.this.process.threadStart(), () -> detach(lock)));
		}

	}

}
