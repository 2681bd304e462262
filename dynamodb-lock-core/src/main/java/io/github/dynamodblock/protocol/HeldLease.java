/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lease that this process was granted. Immutable: each event gives the
 * next state, so that a holder swaps states atomically and no lock is needed.
 *
 * <ul>
 * <li>The lease is valid until its deadline, which counts from before the last confirmed
 * call was sent.</li>
 * <li>What happens at or after the deadline never revives it: a lost lease stays
 * lost.</li>
 * <li>A refusal that shows a record version number which this lease wrote is the success
 * of that earlier call.</li>
 * </ul>
 */
public final class HeldLease {

	private final LockRecord record;

	private final LeaseTerms terms;

	private final long deadline;

	private final List<Call> unresolved;

	private final boolean missing;

	private final Phase phase;

	private final @Nullable LossReason lossReason;

	private HeldLease(LockRecord record, LeaseTerms terms, long deadline, List<Call> unresolved, boolean missing,
			Phase phase, @Nullable LossReason lossReason) {
		this.record = record;
		this.terms = terms;
		this.deadline = deadline;
		this.unresolved = unresolved;
		this.missing = missing;
		this.phase = phase;
		this.lossReason = lossReason;
	}

	/**
	 * A lease that begins.
	 * @param record the lock as the granting write left it
	 * @param terms the lease's terms
	 * @param sentAt the time before the granting write was first sent, on
	 * {@link Moment#holderNanos()}
	 * @return the lease
	 */
	public static HeldLease granted(LockRecord record, LeaseTerms terms, long sentAt) {
		return new HeldLease(record, terms, Nanos.later(sentAt, terms.validityNanos()), List.of(), false, Phase.SAFE,
				null);
	}

	/**
	 * The lock's name.
	 * @return the key
	 */
	public LockKey key() {
		return this.record.key();
	}

	/**
	 * The lock as the last confirmed call left it.
	 * @return the record
	 */
	public LockRecord record() {
		return this.record;
	}

	/**
	 * How the lease is kept.
	 * @return the terms
	 */
	public LeaseTerms terms() {
		return this.terms;
	}

	/**
	 * The fencing token, which every lease that this client was granted has.
	 * @return the token
	 */
	public long fencingToken() {
		return this.record.fencingToken().orElseThrow();
	}

	/**
	 * Until when the lease is valid if nothing more is confirmed.
	 * @return the time, on {@link Moment#holderNanos()}
	 */
	public long deadline() {
		return this.deadline;
	}

	/**
	 * Why the lease was lost.
	 * @return the reason, or {@code null} if it was not
	 */
	public @Nullable LossReason lossReason() {
		return this.lossReason;
	}

	/**
	 * Whether the lease is kept, but will be lost soon unless a heartbeat is confirmed.
	 * @return whether it is in danger
	 */
	public boolean isInDanger() {
		return this.phase == Phase.IN_DANGER;
	}

	/**
	 * When the lease is in danger if nothing more is confirmed.
	 * @return the time, on {@link Moment#holderNanos()}
	 */
	public long dangerAt() {
		return this.deadline - this.terms.validityNanos() / 3;
	}

	/**
	 * Whether the next call must be a consistent read, because an answer seemed to say
	 * that the lock's item is gone.
	 * @return whether to read
	 */
	public boolean seemsMissing() {
		return this.missing;
	}

	/**
	 * Whether heartbeats go on.
	 * @return {@code true} until the lease is lost or its release begins
	 */
	public boolean isKept() {
		return this.phase == Phase.SAFE || this.phase == Phase.IN_DANGER;
	}

	/**
	 * The state at a time: in danger once that time has come, and lost once the deadline
	 * has come.
	 * @param now the time
	 * @return this, or the later state
	 */
	public HeldLease at(Moment now) {
		if (now.holderNanos() >= this.deadline) {
			return lost(LossReason.EXPIRED);
		}
		boolean inDanger = this.phase == Phase.SAFE && now.holderNanos() >= dangerAt();
		return inDanger ? in(Phase.IN_DANGER, null) : this;
	}

	/**
	 * The state after a loss. The first reason stays.
	 * @param reason why
	 * @return the lost state, or this if it was lost or released before
	 */
	public HeldLease lost(LossReason reason) {
		return isKept() ? in(Phase.LOST, reason) : this;
	}

	/**
	 * The state from the beginning of the release on.
	 * @return the ending state, or this if the lease was lost or is ending
	 */
	public HeldLease ending() {
		return isKept() ? in(Phase.ENDING, null) : this;
	}

	private HeldLease in(Phase phase, @Nullable LossReason lossReason) {
		return new HeldLease(this.record, this.terms, this.deadline, this.unresolved, this.missing, phase, lossReason);
	}

	/**
	 * The state from before a heartbeat is sent on. A shorter lease moves the deadline at
	 * once: observers may see it before this process learns that they can.
	 * @param recordVersionNumber the fresh record version number of the heartbeat
	 * @param leaseDuration the lease from now on
	 * @param now the time before the heartbeat is sent
	 * @return the state
	 */
	public HeldLease renewing(String recordVersionNumber, Duration leaseDuration, Moment now) {
		LeaseTerms renewed = this.terms.withLeaseDuration(leaseDuration);
		List<Call> calls = new ArrayList<>(this.unresolved);
		calls.add(new Call(recordVersionNumber, now.holderNanos(), renewed));
		long until = Math.min(this.deadline, Nanos.later(now.holderNanos(), renewed.validityNanos()));
		return new HeldLease(this.record, renewed, until, List.copyOf(calls), false, this.phase, this.lossReason);
	}

	/**
	 * The heartbeat that {@link #renewing} announced.
	 * @param now the time before it is sent
	 * @return the write and its time limit
	 */
	public Step.Write renewal(Moment now) {
		Call call = this.unresolved.get(this.unresolved.size() - 1);
		LockWrite.Renew write = new LockWrite.Renew(key(), call.recordVersionNumber(),
				this.record.recordVersionNumber(), call.terms().leaseDuration(), call.terms().expiresAt(now));
		return new Step.Write(write, callLimit(now));
	}

	/**
	 * The consistent read that settles whether the item is gone.
	 * @param now the time before it is sent
	 * @return the read and its time limit
	 */
	public Step.Read confirmation(Moment now) {
		return new Step.Read(key(), true, callLimit(now));
	}

	/**
	 * The release: one write on every record version number that may be this lease's, and
	 * on nothing else, so that it can never free a successor's lock.
	 * @param recordVersionNumber the fresh record version number
	 * @param deleteItem whether to delete the item
	 * @param now the time before it is sent
	 * @return the write and its time limit
	 */
	public Step.Write release(String recordVersionNumber, boolean deleteItem, Moment now) {
		LockWrite.Release write = new LockWrite.Release(key(), recordVersionNumber, versions(),
				this.terms.expiresAt(now), deleteItem);
		return new Step.Write(write, callLimit(now));
	}

	/**
	 * The state after an answer to a heartbeat or a confirmation.
	 * @param answer the answer
	 * @param now the time at which it had come
	 * @return the state
	 */
	public HeldLease answered(Answer answer, Moment now) {
		HeldLease then = at(now);
		return then.isKept() ? answer.accept(then.new AnswerRules()) : then;
	}

	/**
	 * Whether a record is this lease's own.
	 * @param found a record read from the table
	 * @return whether this lease wrote its record version number
	 */
	public boolean wrote(LockRecord found) {
		return versions().contains(found.recordVersionNumber());
	}

	/**
	 * Why this lease is lost if the table shows a record that it did not write.
	 * @param found the record, or {@code null} if there is none
	 * @return the reason
	 */
	LossReason lossShownBy(@Nullable LockRecord found) {
		if (found == null) {
			return LossReason.ITEM_MISSING;
		}
		// Whoever frees a lock in its owner's name leaves owner and token as they are.
		boolean inOurName = found.isReleased() && found.ownerName().equals(this.record.ownerName())
				&& found.fencingToken().equals(this.record.fencingToken());
		return inOurName ? LossReason.RELEASED_BY_ADMINISTRATOR : LossReason.STOLEN;
	}

	private long callLimit(Moment now) {
		long left = this.deadline - now.holderNanos();
		return (left > 0) ? LeaseTerms.callLimitNanos(left) : this.terms.callLimitNanos();
	}

	private Set<String> versions() {
		Set<String> versions = new LinkedHashSet<>();
		versions.add(this.record.recordVersionNumber());
		this.unresolved.forEach((call) -> versions.add(call.recordVersionNumber()));
		return Set.copyOf(versions);
	}

	/**
	 * All unresolved calls rest on the record version number that this one replaced, so
	 * none of the others can be applied any more.
	 */
	private HeldLease confirmed(Call call) {
		LockRecord renewed = this.record.toBuilder()
			.recordVersionNumber(call.recordVersionNumber())
			.leaseDuration(call.terms().leaseDuration())
			.build();
		long until = Math.max(this.deadline, Nanos.later(call.sentAt(), call.terms().validityNanos()));
		return new HeldLease(renewed, this.terms, until, List.of(), false, Phase.SAFE, null);
	}

	private enum Phase {

		SAFE, IN_DANGER, ENDING, LOST

	}

	/**
	 * A heartbeat that was sent.
	 *
	 * @param recordVersionNumber its fresh record version number
	 * @param sentAt the time before it was sent, on {@link Moment#holderNanos()}
	 * @param terms the terms that it asked for
	 */
	private record Call(String recordVersionNumber, long sentAt, LeaseTerms terms) {
	}

	/**
	 * What each answer means for a lease that is kept.
	 */
	private final class AnswerRules implements Answer.Handler<HeldLease> {

		@Override
		public HeldLease applied(Answer.Applied answer) {
			return confirmed(HeldLease.this.unresolved.get(HeldLease.this.unresolved.size() - 1));
		}

		@Override
		public HeldLease refused(Answer.Refused answer) {
			return (answer.record() == null) ? missing(true) : saw(answer.record());
		}

		@Override
		public HeldLease found(Answer.Found answer) {
			return (answer.record() == null) ? lost(lossShownBy(null)) : saw(answer.record());
		}

		@Override
		public HeldLease unknown(Answer.Unknown answer) {
			return HeldLease.this;
		}

		@Override
		public HeldLease failed(Answer.Failed answer) {
			if (answer.failure() instanceof LockTableException table) {
				if (table.problem() == LockTableException.Problem.MISSING) {
					return lost(LossReason.TABLE_MISSING);
				}
				if (table.problem() == LockTableException.Problem.NOT_A_LOCK) {
					return lost(LossReason.STOLEN);
				}
			}
			return HeldLease.this;
		}

		private HeldLease saw(LockRecord found) {
			if (!found.isReleased()) {
				if (found.recordVersionNumber().equals(HeldLease.this.record.recordVersionNumber())) {
					return missing(false);
				}
				for (Call call : HeldLease.this.unresolved) {
					if (call.recordVersionNumber().equals(found.recordVersionNumber())) {
						return confirmed(call);
					}
				}
			}
			return lost(isOurs(found) ? LossReason.RELEASED_BY_ADMINISTRATOR : LossReason.STOLEN);
		}

		/**
		 * Whoever frees a lock in its owner's name leaves owner and token as they are.
		 */
		private boolean isOurs(LockRecord found) {
			return found.isReleased() && found.ownerName().equals(HeldLease.this.record.ownerName())
					&& found.fencingToken().equals(HeldLease.this.record.fencingToken());
		}

		private HeldLease missing(boolean missing) {
			return new HeldLease(HeldLease.this.record, HeldLease.this.terms, HeldLease.this.deadline,
					HeldLease.this.unresolved, missing, HeldLease.this.phase, HeldLease.this.lossReason);
		}

	}

}
