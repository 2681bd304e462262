/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
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
 * A granted lock, from its grant to its end. This one value decides everything about it.
 * Each transition returns the next value, with the {@link LeaseEffects} that follow. A
 * runner applies {@link #at} before each transition, swaps the values atomically, and
 * carries out the effects in the order of the swaps.
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
 * ENDED         -&gt; ENDED      release   a failed release is repeated, or an expired lock's item is released
 * </pre>
 *
 * <ul>
 * <li>The lease is valid until its deadline. Nothing that happens at the deadline or
 * later revives it: a lost lock stays lost.</li>
 * <li>No heartbeat extends it beyond its {@code holdAtMost}.</li>
 * <li>At most one heartbeat is in progress at a time. Heartbeats and guarded writes wait
 * for each other; a release waits for neither.</li>
 * </ul>
 *
 * All times are on {@link ClockReading#holderNanos()}. Immutable once it is returned.
 */
public final class Lease extends LeaseState {

	/** The callers that wait for a heartbeat that is not sent yet. */
	private List<Result<Lease>> askedFor = List.of();

	/** The callers that wait for a heartbeat that was sent. */
	private List<Result<Lease>> sentFor = List.of();

	private Lease(AcquisitionTerms terms, long claimedAt, Renewals renewals, Heartbeats heartbeats, long limit,
			long holdUntil) {
		super(terms, claimedAt, renewals, heartbeats, limit, holdUntil);
	}

	private Lease(Lease other) {
		super(other);
		this.askedFor = other.askedFor;
		this.sentFor = other.sentFor;
	}

	private Lease copy() {
		return new Lease(this);
	}

	private static Lease begun(AcquisitionTerms terms, long claimedAt, Renewals renewals, Heartbeats heartbeats,
			ClockReading now) {
		Duration most = terms.holdAtMost();
		long limit = (most == null) ? Nanos.NEVER : Nanos.later(now.holderNanos(), Nanos.of(most));
		long holdUntil = Nanos.later(now.holderNanos(), Nanos.of(terms.request().holdAtLeast()));
		return new Lease(terms, claimedAt, renewals, heartbeats, limit, holdUntil);
	}

	public static Lease granted(AcquisitionTerms terms, Step.Granted grant, ClockReading now) {
		Lease granted = begun(terms, grant.sentAt(), Renewals.granted(grant.record(), terms.lease(), grant.sentAt()),
				Heartbeats.granted(grant.sentAt(), now), now);
		granted.contended = grant.contended();
		return granted;
	}

	/**
	 * Returns the lease of the next holder, or {@code null} if the lock cannot be handed
	 * on without a call. A lock can be handed on if a caller waits for the release, this
	 * lease was confirmed just before, neither the release nor the next acquisition
	 * changes the item, no other client waits, and no transaction depends on this
	 * holder's token. A repeated release hands nothing on, because its turn has passed.
	 */
	public @Nullable Lease handOn(Ending wanted, AcquisitionTerms next, ClockReading now) {
		boolean begins = this.stage == Stage.RELEASING && endsAs(wanted) && wanted.awaited() && this.lossReason == null;
		boolean unwatched = !this.guarded && !this.contended;
		boolean changes = !wanted.request().change().isNone() || this.terms.deleteOnRelease()
				|| !next.changeNothingIn(this.renewals.record()) || !next.lease().equals(this.renewals.terms());
		return (begins && unwatched && !changes && this.renewals.canBeHandedOn(now))
				? begun(next, this.claimedAt, this.renewals.handedOn(), this.heartbeats.handedOn(), now) : null;
	}

	/** Returns the same state without effects, which were carried out. */
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

	/** Reports an event, if the holder has received the lock. */
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

	/** Returns the state at a time, with the effects that are due by then. */
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
		if (time >= this.turn.dueAt()) {
			next = next.written(this.turn.current());
		}
		return next;
	}

	/**
	 * Returns the state once the holder has the lock: heartbeats and reports begin.
	 * @param atLimit completed with the outcome of the release at the end of holdAtMost
	 * @param takeover reports from which owner the lock was taken over, or {@code null}
	 */
	public Lease delivered(Result<ReleaseOutcome> atLimit, @Nullable Consumer<LeaseEffects> takeover, ClockReading now,
			double fraction) {
		Lease next = copy().then((effects) -> effects.report(LockListener::onAcquired));
		next.delivered = true;
		ItemChange change = request().keptItem().map(KeptItem::changeAtLimit).orElse(ItemChange.none());
		next.endingAtLimit = Ending.background(ReleaseRequest.create().change(change), atLimit);
		next.then(takeover).then(this.contended ? LeaseEffects::contended : null).then(this.end);
		return this.heartbeats.underWay() ? next
				: next.idle(this.heartbeats.firstNanos(this.renewals, now, fraction), now);
	}

	/** Returns the lost state, or this if the lock is no longer live. */
	public Lease lost(LossReason reason) {
		if (!isLive()) {
			return this;
		}
		// If no holder has received the lock, there is no release at the limit. The lock
		// is discarded instead.
		return lost(reason, (reason == LossReason.HELD_TOO_LONG) ? this.endingAtLimit : null);
	}

	private Lease lost(LossReason reason, @Nullable Ending release) {
		Lease next = left((release != null) ? Stage.RELEASING : Stage.ENDED, null).reportLoss(reason);
		return (release != null) ? next.begin(release) : next.then(LeaseEffects::ended);
	}

	private Lease reportLoss(LossReason reason) {
		this.lossReason = reason;
		return thenReportEnd((effects) -> effects.lost(reason));
	}

	/** Ends the heartbeats and the waits for them. */
	private Lease left(Stage stage, @Nullable Ending ending) {
		Lease next = copy().closed(stage, ending);
		next.sentFor = both(this.sentFor, this.askedFor);
		next.askedFor = List.of();
		next.settle((waiter) -> waiter.complete(next));
		return next;
	}

	/** Wakes the guarded writes, so none is sent or repeated from now on. */
	private Lease closed(Stage stage, @Nullable Ending ending) {
		List<Runnable> writes = this.writes;
		this.stage = stage;
		this.ending = ending;
		this.writes = List.of();
		this.turn = this.turn.withoutFirst(this.turn.waiting().size());
		return writes.isEmpty() ? this : then((effects) -> writes.forEach(Runnable::run));
	}

	/**
	 * Returns the state once a release is requested.
	 * @param wanted the release; {@link #endsAs} shows whether it begins
	 */
	public Lease release(Ending wanted, ClockReading now) {
		if (this.stage != Stage.HELD) {
			return isReleasableAgain() ? copy().begin(wanted) : this;
		}
		if (now.holderNanos() >= this.holdUntil) {
			return releasing(wanted);
		}
		Lease retained = copy().closed(Stage.RETAINED, wanted);
		retained.limit = Nanos.NEVER;
		return retained;
	}

	/** Returns the state once no caller wants the lock, without regard to holdAtLeast. */
	public Lease discard(Ending wanted, ClockReading now) {
		Lease unwanted = copy();
		unwanted.holdUntil = now.holderNanos();
		return unwanted.release(wanted, now);
	}

	private Lease releasing(Ending wanted) {
		return left(Stage.RELEASING, wanted).begin(wanted);
	}

	private Lease begin(Ending wanted) {
		this.ending = wanted;
		// If a caller waits for the release, the caller starts it.
		return wanted.awaited() ? this : then((effects) -> effects.release(wanted));
	}

	private Ending retained() {
		return Objects.requireNonNull(this.ending).asBackground();
	}

	/**
	 * Returns the state once the client closes.
	 * @param releases whether the client releases its locks or lets them expire
	 */
	public Lease close(boolean releases, Ending wanted, ClockReading now) {
		if (this.stage == Stage.RETAINED) {
			Ending retained = retained();
			return releases ? releasing(retained)
					: left(Stage.ENDED, retained).thenReportEnd((effects) -> effects.report(LockListener::onReleased))
						.then((effects) -> retained.outcome().complete(ReleaseOutcome.KEPT))
						.then(LeaseEffects::ended);
		}
		boolean release = releases && request().releaseOnClose();
		if (this.stage != Stage.HELD) {
			return release ? release(wanted, now) : this;
		}
		return lost(LossReason.CLOSED, release ? wanted : null);
	}

	/** Returns the state once a release has ended. */
	public Lease released(Ending ended, Step.End end) {
		Lease next = copy();
		next.stage = Stage.ENDED;
		next.contended |= end instanceof Step.Released released && released.contended();
		if (this.stage != Stage.ENDED) {
			next.then(LeaseEffects::ended);
		}
		LossReason found = this.renewals.lossShownBy(end);
		if (found == null && end instanceof Step.Failed failed) {
			// The outcome is unknown, but a listener that counts locks needs a last
			// callback.
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
			// Also reported for a lock that is kept for its holdAtLeast, because its
			// holder has released it.
			next.thenReportEnd((effects) -> effects.report(LockListener::onReleased));
		}
		// All releases of a lost lock have the same outcome.
		ReleaseOutcome told = (next.lossReason != null) ? ReleaseOutcome.LOST : outcome;
		return next.then((effects) -> ended.outcome().complete(told));
	}

	/**
	 * Returns the state once the lock is detached.
	 * @param wanted how the lock {@linkplain #endsAs ends} if it is held and its
	 * heartbeats are confirmed
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
	 * Returns the state once the holder has requested a heartbeat.
	 * @param confirmed completed with the lease when a heartbeat that is sent from now on
	 * is confirmed, or when the lock is not live; fails if DynamoDB rejects the heartbeat
	 * @throws IllegalArgumentException if one write cannot hold this change and the
	 * unconfirmed ones
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

	/** Returns the caller that has waited longest for a heartbeat, or {@code null}. */
	public @Nullable Result<Lease> waiter() {
		return both(this.sentFor, this.askedFor).stream().findFirst().orElse(null);
	}

	private Lease asking(Heartbeats heartbeats, Consumer<LeaseEffects> how) {
		this.heartbeats = heartbeats;
		return then(how);
	}

	/**
	 * Returns the state just before a call is sent: a heartbeat, or the read that settles
	 * whether the item is gone.
	 */
	public Lease sending(String recordVersionNumber, ClockReading now) {
		if (!isLive()) {
			return this;
		}
		Lease next = copy();
		if (this.turn.current() != null) {
			next.turn = this.turn.heartbeatWaiting(now);
			return next;
		}
		next.heartbeats = this.heartbeats.sending(now);
		next.renewals = this.renewals.missing() ? this.renewals : this.renewals.sending(recordVersionNumber, now);
		next.sentFor = both(this.sentFor, this.askedFor);
		next.askedFor = List.of();
		next.turn = this.turn.heartbeat(recordVersionNumber, next.heartbeats.limitNanos(next.renewals));
		return next;
	}

	/**
	 * Returns the state after the answer to a heartbeat, or to the read that follows one.
	 */
	public Lease answered(String recordVersionNumber, Answer answer, ClockReading now, double fraction) {
		if (!isLive()) {
			return this;
		}
		LossReason loss = this.renewals.lossShownBy(recordVersionNumber, answer);
		// The record of a late read may have been replaced by a later heartbeat.
		boolean overtaken = answer instanceof Answer.Found && !recordVersionNumber.equals(this.turn.current());
		if (loss != null && !overtaken) {
			return lost(loss);
		}
		Lease next = copy();
		next.turn = this.turn.heartbeatAnswered(recordVersionNumber);
		next.passTurn();
		if (!this.contended && this.renewals.areContended(answer)) {
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
		// Checks this time again: after a late confirmation, the lock may be about to
		// expire.
		return next.idle(delay, now).at(now);
	}

	/**
	 * Returns the state once a transaction of the application depends on the holder's
	 * token.
	 */
	public Lease guarded() {
		if (this.guarded || !isHeld()) {
			return this;
		}
		Lease next = copy();
		next.guarded = true;
		return next;
	}

	/**
	 * Returns the state once a guarded write has begun.
	 * @param wake ends the write's wait when the lock is no longer held
	 */
	public Lease begun(Runnable wake) {
		if (!isHeld()) {
			return this;
		}
		Lease next = guarded().copy();
		next.writes = both(this.writes, List.of(wake));
		return next;
	}

	/** Returns the state once a guarded write has ended. */
	public Lease over(Runnable wake) {
		if (!this.writes.contains(wake)) {
			return this;
		}
		Lease next = copy();
		next.writes = this.writes.stream().filter((each) -> each != wake).toList();
		return next;
	}

	/** Returns the state just before a guarded write is sent, or once it has to wait. */
	public Lease writing(Runnable write, ClockReading now) {
		if (!isHeld()) {
			return this;
		}
		Lease next = copy();
		next.turn = this.turn.writing(write, writeLimitNanos(now));
		return next;
	}

	/** Returns the state once a guarded write is answered or was not sent. */
	public Lease written(@Nullable Object write) {
		ItemTurn after = this.turn.without(write);
		if (!isLive() || (after.equals(this.turn) && after.next() == null)) {
			return this;
		}
		Lease next = copy();
		next.turn = after;
		return next.passTurn();
	}

	private Lease passTurn() {
		if (this.turn.heartbeatWaits()) {
			// The caller's thread may make its call late, so the next heartbeat must stay
			// due.
			boolean late = this.heartbeats.nextAt() == Nanos.NEVER || this.askedFor.isEmpty();
			return then(late ? LeaseEffects::heartbeat : LeaseEffects::heartbeatOnDemand);
		}
		Runnable write = this.turn.next();
		if (write == null) {
			return this;
		}
		this.turn = this.turn.withoutFirst(1);
		return then((effects) -> write.run());
	}

	private void confirmed(String newest, ClockReading now) {
		this.heartbeats = this.heartbeats.confirmed(now);
		if (this.expiring && now.holderNanos() < this.renewals.expiringAt()) {
			this.expiring = false;
			thenReport(LeaseEffects::recovered);
		}
		Lease renewed = this;
		LockRecord record = this.renewals.record();
		long sentAt = this.heartbeats.sentAt();
		then((effects) -> effects.renewed(record, sentAt));
		if (this.renewals.record().recordVersionNumber().equals(newest)) {
			settle((waiter) -> waiter.complete(renewed));
		}
		// A caller that needs a later heartbeat waits for the next one.
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

	/** Schedules the next heartbeat, or requests it now if a caller waits for it. */
	private Lease idle(long delayNanos, ClockReading now) {
		boolean wanted = request().automaticRenewal() || this.renewals.missing() || !this.sentFor.isEmpty();
		this.heartbeats = this.heartbeats.dueIn(wanted ? delayNanos : Nanos.NEVER, now);
		return this.askedFor.isEmpty() ? this : asking(this.heartbeats.onDemand(), LeaseEffects::heartbeatOnDemand);
	}

	/**
	 * Returns whether the state is possible: for each waiting caller, a heartbeat is in
	 * progress or due, and each release has an outcome.
	 */
	public boolean isConsistent() {
		boolean waits = !this.askedFor.isEmpty() || !this.sentFor.isEmpty();
		boolean settled = !waits && this.writes.isEmpty() && this.turn.waiting().isEmpty();
		return switch (this.stage) {
			case HELD -> this.ending == null && this.lossReason == null && isServed();
			case RETAINED -> this.ending != null && this.lossReason == null && isServed() && this.writes.isEmpty();
			case RELEASING -> this.ending != null && settled;
			case ENDED -> (this.ending != null || this.lossReason != null) && this.end != null && settled;
			case DETACHED -> this.ending != null && this.lossReason == null && this.end != null && settled;
		};
	}

	private boolean isServed() {
		boolean comes = this.heartbeats.underWay() || this.heartbeats.nextAt() != Nanos.NEVER;
		return this.end == null && (this.askedFor.isEmpty() || this.heartbeats.underWay())
				&& (this.sentFor.isEmpty() || comes);
	}

}
