/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A granted lock, from its grant to its end: the one value that decides what happens to
 * it. Each transition gives the next value, with the {@link LeaseEffects} that follow. A
 * runner swaps the values atomically, each after {@link #at}, and carries out the effects
 * in the order of the swaps.
 *
 * <pre>
 * HELD          -&gt; RETAINED   release   the handle is closed before holdAtLeast is over
 * HELD          -&gt; RELEASING  release   the handle is closed, or its caller left
 * RETAINED      -&gt; RELEASING  at        holdAtLeast is over
 * HELD/RETAINED -&gt; RELEASING  close     the client closes; a lock that is HELD is lost
 * HELD/RETAINED -&gt; ENDED      close     the client closes, and leaves the lock as it is
 * HELD/RETAINED -&gt; ENDED      lost      the lock is lost
 * HELD          -&gt; RELEASING  lost      its holdAtMost is over
 * HELD          -&gt; DETACHED   detach    the lock is left to its token
 * RELEASING     -&gt; ENDED      released  released, found lost, or failed
 * ENDED         -&gt; ENDED      release   a failed one is repeated, or an expired lock's item is released
 * </pre>
 *
 * <ul>
 * <li>The lease is valid until its deadline. What happens at or after that never revives
 * it: a lost lock stays lost.</li>
 * <li>No heartbeat keeps it beyond its limit, if its request set one.</li>
 * <li>One heartbeat is awaited at a time, and a release waits for none.</li>
 * </ul>
 *
 * All times are on {@link ClockReading#holderNanos()}. Immutable once it is returned.
 */
public final class Lease {

	/** The limit of a lease without one, and the time of what is not due. */
	public static final long NEVER = Long.MAX_VALUE;

	private final LockRequest request;

	private final @Nullable Ending endingAtLimit;

	// Assigned on a fresh copy, which is not returned yet.

	private Stage stage = Stage.HELD;

	private Renewals renewals;

	private long limit;

	private long holdUntil;

	private boolean expiring;

	private boolean contended;

	private @Nullable LossReason lossReason;

	private @Nullable Ending ending;

	/** Whether the holder has received the lock: nothing is reported before. */
	private boolean delivered;

	/** The report of the end, of which there is one. */
	private @Nullable Consumer<LeaseEffects> end;

	private Heartbeats heartbeats;

	/** Who waits for a heartbeat that is not sent yet. */
	private List<Result<Lease>> askedFor = List.of();

	/** Who waits for the heartbeats that were sent. */
	private List<Result<Lease>> sentFor = List.of();

	private List<Consumer<LeaseEffects>> effects = List.of();

	private Lease(LockRequest request, @Nullable Ending endingAtLimit, Renewals renewals, Heartbeats heartbeats,
			long limit, long holdUntil) {
		this.request = request;
		this.endingAtLimit = endingAtLimit;
		this.renewals = renewals;
		this.heartbeats = heartbeats;
		this.limit = limit;
		this.holdUntil = holdUntil;
	}

	private Lease copy() {
		Lease copy = new Lease(this.request, this.endingAtLimit, this.renewals, this.heartbeats, this.limit,
				this.holdUntil);
		copy.stage = this.stage;
		copy.expiring = this.expiring;
		copy.contended = this.contended;
		copy.lossReason = this.lossReason;
		copy.ending = this.ending;
		copy.delivered = this.delivered;
		copy.end = this.end;
		copy.askedFor = this.askedFor;
		copy.sentFor = this.sentFor;
		copy.effects = this.effects;
		return copy;
	}

	/**
	 * A lease that begins.
	 * @param heartbeats its heartbeats, none of which is due
	 * @param holdAtMost how long it may be held, or {@code null} without a limit
	 * @param contended whether the claim's answer showed that another client waits
	 * @param outcome that of the release when holdAtMost is over
	 */
	public static Lease granted(LockRequest request, Renewals renewals, Heartbeats heartbeats,
			@Nullable Duration holdAtMost, boolean contended, ClockReading now, Result<ReleaseOutcome> outcome) {
		long holdUntil = Nanos.later(now.holderNanos(), Nanos.of(request.holdAtLeast()));
		ReleaseRequest atLimit = ReleaseRequest.create().change(request.changeAtLimit());
		Lease granted = (holdAtMost == null) ? new Lease(request, null, renewals, heartbeats, NEVER, holdUntil)
				: new Lease(request, Ending.background(atLimit, outcome), renewals, heartbeats,
						Nanos.later(now.holderNanos(), Nanos.of(holdAtMost)), holdUntil);
		granted.contended = contended;
		return granted;
	}

	public LockRequest request() {
		return this.request;
	}

	/** Returns what the lease knows of its item in the table. */
	public Renewals renewals() {
		return this.renewals;
	}

	/** Returns when the lock is lost if nothing more is confirmed. */
	public long lostAt() {
		return Math.min(this.renewals.deadline(), this.limit);
	}

	/** Returns when the lease is next expiring or lost if nothing more is confirmed. */
	public long changesAt() {
		return this.expiring ? lostAt() : Math.min(this.renewals.expiringAt(), lostAt());
	}

	/** Returns when {@link #at} next gives another value. */
	public long dueAt() {
		if (!isLive() || !this.delivered) {
			return NEVER;
		}
		long over = (this.stage == Stage.RETAINED) ? this.holdUntil : NEVER;
		return Math.min(changesAt(), Math.min(over, this.heartbeats.nextAt()));
	}

	/** Returns whether the holder has the lock. */
	public boolean isHeld() {
		return this.stage == Stage.HELD;
	}

	/** Returns whether heartbeats keep the lock. */
	public boolean isLive() {
		return this.stage == Stage.HELD || this.stage == Stage.RETAINED;
	}

	/** Returns whether the lock will be lost soon unless a heartbeat is confirmed. */
	public boolean isExpiring() {
		return this.expiring && isLive();
	}

	/** Returns whether another client was seen to wait for the lock. */
	public boolean isContended() {
		return this.contended;
	}

	/** Returns why the lock was lost, or {@code null} if it was not. */
	public @Nullable LossReason lossReason() {
		return this.lossReason;
	}

	/** Returns how the lock ends, or {@code null} while it is held or if it was lost. */
	public @Nullable Ending ending() {
		return this.ending;
	}

	/** Returns whether the lock was left to its token. */
	public boolean isDetached() {
		return this.stage == Stage.DETACHED;
	}

	/** Returns whether the lock ends as it was wanted to, and not otherwise. */
	public boolean endsAs(Ending wanted) {
		return this.ending != null && this.ending.outcome() == wanted.outcome();
	}

	/** Returns how heartbeats went. */
	public Heartbeats heartbeats() {
		return this.heartbeats;
	}

	/** Returns what follows from the transitions since {@link #carriedOut}, in order. */
	public List<Consumer<LeaseEffects>> effects() {
		return this.effects;
	}

	/** The same state, whose effects are taken. */
	public Lease carriedOut() {
		if (this.effects.isEmpty()) {
			return this;
		}
		Lease next = copy();
		next.effects = List.of();
		return next;
	}

	private Lease then(@Nullable Consumer<LeaseEffects> effect) {
		this.effects = (effect == null) ? this.effects : both(this.effects, List.of(effect));
		return this;
	}

	/** Reports an event of a lock that its holder has received. */
	private Lease thenReport(Consumer<LeaseEffects> event) {
		return this.delivered ? then(event) : this;
	}

	private Lease thenReportEnd(Consumer<LeaseEffects> event) {
		if (this.end != null) {
			return this;
		}
		this.end = event;
		return thenReport(event);
	}

	/** The state at a time, with what is due by then. */
	public Lease at(ClockReading now) {
		long time = now.holderNanos();
		if (!isLive()) {
			return this;
		}
		if (time >= lostAt()) {
			return lost((this.limit < this.renewals.deadline()) ? LossReason.HELD_TOO_LONG : LossReason.EXPIRED);
		}
		if (this.stage == Stage.RETAINED && time >= this.holdUntil) {
			return releasing(retained());
		}
		Lease next = this;
		if (!this.expiring && time >= this.renewals.expiringAt()) {
			next = copy().thenReport(LeaseEffects::expiring);
			next.expiring = true;
		}
		if (time >= this.heartbeats.nextAt()) {
			next = next.copy().asking(this.heartbeats.onTime(), LeaseEffects::heartbeat);
		}
		return next;
	}

	/**
	 * The state once the holder has the lock: heartbeats and reports begin.
	 * @param takeover reports from which owner the lock was taken over, or {@code null}
	 * @param fraction spreads the heartbeats, from 0 to 1
	 */
	public Lease delivered(@Nullable Consumer<LeaseEffects> takeover, ClockReading now, double fraction) {
		Lease next = copy().then((effects) -> effects.report(LockListener::onAcquired));
		next.delivered = true;
		next.then(takeover).then(this.contended ? LeaseEffects::contended : null).then(this.end);
		return this.heartbeats.underWay() ? next
				: next.idle(this.heartbeats.firstNanos(this.renewals, now, fraction), now);
	}

	/** The lost state, or this if the lock was lost or its release began before. */
	public Lease lost(LossReason reason) {
		if (!isLive()) {
			return this;
		}
		// A lock that was not delivered is discarded instead.
		boolean releases = reason == LossReason.HELD_TOO_LONG && this.delivered;
		return lost(reason, releases ? this.endingAtLimit : null);
	}

	private Lease lost(LossReason reason, @Nullable Ending release) {
		Lease next = left((release != null) ? Stage.RELEASING : Stage.ENDED, null).reportLoss(reason);
		return (release != null) ? next.begin(release) : next.then(LeaseEffects::ended);
	}

	private Lease reportLoss(LossReason reason) {
		this.lossReason = reason;
		return thenReportEnd((effects) -> effects.lost(reason));
	}

	/** Ends the heartbeats, and the wait for them. */
	private Lease left(Stage stage, @Nullable Ending ending) {
		Lease next = copy();
		next.stage = stage;
		next.ending = ending;
		next.sentFor = both(this.sentFor, this.askedFor);
		next.askedFor = List.of();
		next.settle((waiter) -> waiter.complete(next));
		return next;
	}

	/**
	 * The state once a release is asked for.
	 * @param wanted the release, which {@linkplain #endsAs begins unless another did}
	 */
	public Lease release(Ending wanted, ClockReading now) {
		if (this.stage != Stage.HELD) {
			return isReleasableAgain() ? copy().begin(wanted) : this;
		}
		if (now.holderNanos() >= this.holdUntil) {
			return releasing(wanted);
		}
		Lease retained = copy();
		retained.stage = Stage.RETAINED;
		retained.ending = wanted;
		retained.limit = NEVER;
		return retained;
	}

	/** The state once no caller wants the lock, whatever its holdAtLeast. */
	public Lease discard(Ending wanted, ClockReading now) {
		Lease unwanted = copy();
		unwanted.holdUntil = now.holderNanos();
		return unwanted.release(wanted, now);
	}

	/** Whether a release failed, or a lease that expired may have left its item. */
	private boolean isReleasableAgain() {
		boolean mayBeInTable = this.lossReason == null || this.lossReason == LossReason.EXPIRED
				|| this.lossReason == LossReason.HELD_TOO_LONG;
		return this.stage == Stage.ENDED && mayBeInTable && (this.ending == null || this.ending.failed());
	}

	private Lease releasing(Ending wanted) {
		return left(Stage.RELEASING, wanted).begin(wanted);
	}

	private Lease begin(Ending wanted) {
		this.ending = wanted;
		// A release that is awaited is begun by its caller.
		return wanted.awaited() ? this : then((effects) -> effects.release(wanted));
	}

	private Ending retained() {
		return Objects.requireNonNull(this.ending).asBackground();
	}

	/**
	 * The state once the client closes.
	 * @param releases whether it releases its locks, or leaves them until they expire
	 * @param wanted the release of a lock that is held
	 */
	public Lease close(boolean releases, Ending wanted, ClockReading now) {
		if (this.stage == Stage.RETAINED) {
			Ending retained = retained();
			return releases ? releasing(retained)
					: left(Stage.ENDED, retained).thenReportEnd((effects) -> effects.report(LockListener::onReleased))
						.then((effects) -> retained.outcome().complete(ReleaseOutcome.KEPT))
						.then(LeaseEffects::ended);
		}
		boolean release = releases && this.request.releaseOnClose();
		if (this.stage != Stage.HELD) {
			return release ? release(wanted, now) : this;
		}
		return lost(LossReason.CLOSED, release ? wanted : null);
	}

	/** For how much longer the lock is to be held, although its client leaves it. */
	public long holdRest(ClockReading now) {
		return (this.stage == Stage.RELEASING) ? Math.max(0, this.holdUntil - now.holderNanos()) : 0;
	}

	/** The state once a release has ended. */
	public Lease released(Ending ended, Step.End end) {
		Lease next = copy();
		next.stage = Stage.ENDED;
		next.contended |= end instanceof Step.Released released && released.wanted();
		if (this.stage != Stage.ENDED) {
			next.then(LeaseEffects::ended);
		}
		LossReason found = this.renewals.lossShownBy(end);
		if (found == null && end instanceof Step.Failed failed) {
			// A listener that counts locks needs an end, although the outcome is unknown.
			next.ending = ended.asFailed();
			return next.thenReportEnd(
					(effects) -> effects.report((listener, lock) -> listener.onReleaseFailed(lock, failed.failure())))
				.then((effects) -> ended.outcome().completeExceptionally(failed.failure()));
		}
		ReleaseOutcome outcome = (end instanceof Step.Released) ? ReleaseOutcome.RELEASED : ReleaseOutcome.KEPT;
		if (found != null && this.lossReason == null) {
			next.reportLoss(found);
		}
		else {
			// Also one that is left for its holdAtLeast: its holder has released it.
			next.thenReportEnd((effects) -> effects.report(LockListener::onReleased));
		}
		// All releases of a lost lock give the same.
		ReleaseOutcome told = (next.lossReason != null) ? ReleaseOutcome.LOST : outcome;
		return next.then((effects) -> ended.outcome().complete(told));
	}

	/**
	 * The state once the lock is left to its token.
	 * @param wanted how the lock {@linkplain #endsAs ends} if it is held and confirmed
	 */
	public Lease detach(Ending wanted) {
		if (this.stage != Stage.HELD || !this.renewals.areConfirmed()) {
			return this;
		}
		return left(Stage.DETACHED, wanted).thenReportEnd((effects) -> effects.report(LockListener::onDetached))
			.then((effects) -> wanted.outcome().complete(ReleaseOutcome.DETACHED))
			.then(LeaseEffects::ended);
	}

	/**
	 * The state once the holder asked for a heartbeat.
	 * @param confirmed completed with the lease when a heartbeat sent from now on is
	 * confirmed or the lock is not live; exceptionally if it is refused for good
	 * @throws IllegalArgumentException if the change does not fit into one write with
	 * those that are not confirmed
	 */
	public Lease renew(RenewRequest wanted, Result<Lease> confirmed) {
		Lease next = copy();
		if (!isLive()) {
			return next.then((effects) -> confirmed.complete(next));
		}
		next.renewals = this.renewals.asked(wanted.leaseDuration().orElse(this.renewals.terms().leaseDuration()),
				wanted.change());
		next.askedFor = both(this.askedFor, List.of(confirmed));
		return this.heartbeats.underWay() ? next
				: next.asking(this.heartbeats.onDemand(), LeaseEffects::heartbeatOnDemand);
	}

	/** Returns who has waited for a heartbeat for longest, if any. */
	public @Nullable Result<Lease> waiter() {
		return both(this.sentFor, this.askedFor).stream().findFirst().orElse(null);
	}

	private Lease asking(Heartbeats heartbeats, Consumer<LeaseEffects> how) {
		this.heartbeats = heartbeats;
		return then(how);
	}

	/**
	 * The state from before a call is sent: a heartbeat, or the read that settles whether
	 * the item is gone.
	 */
	public Lease sending(String recordVersionNumber, ClockReading now) {
		if (!isLive()) {
			return this;
		}
		Lease next = copy();
		next.heartbeats = this.heartbeats.sending(now);
		next.renewals = this.renewals.missing() ? this.renewals : this.renewals.sending(recordVersionNumber, now);
		next.sentFor = both(this.sentFor, this.askedFor);
		next.askedFor = List.of();
		return next;
	}

	/** The call that {@link #sending} announced; none if the lock is not live. */
	public Step.@Nullable Call call() {
		if (!isLive()) {
			return null;
		}
		long limit = this.heartbeats.limitNanos(this.renewals);
		return this.renewals.missing() ? new Step.Read(this.renewals.record().key(), true, limit)
				: new Step.Write(this.renewals.heartbeat(), limit);
	}

	/** The state after an answer to a heartbeat, or to the read that follows one. */
	public Lease answered(String recordVersionNumber, Answer answer, ClockReading now, double fraction) {
		if (!isLive()) {
			return this;
		}
		LossReason loss = this.renewals.lossShownBy(recordVersionNumber, answer);
		if (loss != null) {
			return lost(loss);
		}
		Lease next = copy();
		if (!this.contended && this.renewals.areWanted(answer)) {
			next.contended = true;
			next.thenReport(LeaseEffects::contended);
		}
		next.renewals = this.renewals.answered(recordVersionNumber, answer);
		if (next.renewals.areRenewedSince(this.renewals)) {
			next.confirmed(this.renewals.newest(), now);
		}
		else if (answer instanceof Answer.Refused && next.renewals.missing()) {
			return next.idle(0, now);
		}
		else {
			next.failed(answer, now);
		}
		long delay = next.heartbeats.nextNanos(next.renewals, now, fraction);
		// Once more at this time, since a call that is confirmed late may leave the lock
		// about to expire.
		return next.idle(delay, now).at(now);
	}

	private void confirmed(String newest, ClockReading now) {
		this.heartbeats = this.heartbeats.confirmed(now);
		if (this.expiring && now.holderNanos() < this.renewals.expiringAt()) {
			this.expiring = false;
			thenReport(LeaseEffects::recovered);
		}
		Lease renewed = this;
		then((effects) -> effects.renewed(renewed));
		if (this.renewals.record().recordVersionNumber().equals(newest)) {
			settle((waiter) -> waiter.complete(renewed));
		}
		// What a later heartbeat was to confirm needs another one.
		this.askedFor = both(this.sentFor, this.askedFor);
		this.sentFor = List.of();
	}

	private void failed(Answer answer, ClockReading now) {
		Throwable cause = answer.cause();
		if (answer instanceof Answer.Failed refused) {
			settle((waiter) -> waiter.completeExceptionally(refused.failure()));
		}
		this.heartbeats = this.heartbeats.failed(this.renewals.terms(), cause, now);
		if (cause != null) {
			thenReport((effects) -> effects.renewalFailed(cause));
		}
	}

	private void settle(Consumer<Result<Lease>> how) {
		this.sentFor.forEach((waiter) -> then((effects) -> how.accept(waiter)));
		this.sentFor = List.of();
	}

	private static <T> List<T> both(List<T> some, List<T> others) {
		return some.isEmpty() ? others : Stream.concat(some.stream(), others.stream()).toList();
	}

	/** Schedules the next heartbeat, or asks for it now if a caller waits for it. */
	private Lease idle(long delayNanos, ClockReading now) {
		boolean wanted = this.request.automaticRenewal() || this.renewals.missing() || !this.sentFor.isEmpty();
		this.heartbeats = this.heartbeats.dueIn(wanted ? delayNanos : NEVER, now);
		return this.askedFor.isEmpty() ? this : asking(this.heartbeats.onDemand(), LeaseEffects::heartbeatOnDemand);
	}

	/**
	 * The stages of a granted lock: the holder has it; its handle is closed, and the
	 * client keeps it for holdAtLeast; it is being released; the client no longer holds
	 * it, as far as it knows; it is left to its token.
	 */
	private enum Stage {

		HELD, RETAINED, RELEASING, ENDED, DETACHED

	}

}
