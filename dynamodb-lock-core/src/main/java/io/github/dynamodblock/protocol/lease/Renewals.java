/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * What a lease knows of its item: the record that the last confirmed call left, how long
 * that is valid, and the heartbeats that may have been applied since. All times are on
 * {@link ClockReading#holderNanos()}. Immutable.
 *
 * <ul>
 * <li>The deadline counts from before the last confirmed call was sent.</li>
 * <li>If a refusal shows a record version number that this lease wrote, that earlier call
 * has succeeded.</li>
 * </ul>
 *
 * @param record the lock that the last confirmed call left, with the holder's fencing
 * token
 * @param claim the record version number of the claim. If the claim is delivered twice,
 * it may create the item again after a release has deleted it.
 * @param shownToken the fencing token in the item: the first one that the claim reserved
 * @param terms the terms from the next heartbeat on
 * @param deadline the end of the lease if nothing more is confirmed
 * @param unresolved the heartbeats that were sent and may still be applied, in order
 * @param changes the changes that heartbeats must still make
 * @param missing whether the next call must be a consistent read, because a refusal
 * contained no item
 */
public record Renewals(LockRecord record, String claim, long shownToken, LeaseTerms terms, long deadline,
		List<Heartbeat> unresolved, Changes changes, boolean missing) {

	/**
	 * How long after its last confirmed call a lock may be handed on. Without a call, the
	 * client doesn't learn whether other clients wait.
	 */
	private static final long LONGEST_HANDED_ON = 250_000_000L;

	/** Returns the state of a lease that begins. */
	public static Renewals granted(LockRecord record, LeaseTerms terms, long sentAt) {
		return new Renewals(record, record.recordVersionNumber(), record.fencingToken().orElseThrow(), terms,
				terms.validUntil(sentAt), List.of(), Changes.NONE, false);
	}

	/**
	 * Returns whether the next holder can get the lock without a call: the claim has
	 * reserved a fencing token for it, and nearly the whole lease is left.
	 */
	public boolean canBeHandedOn(ClockReading now) {
		long elapsed = this.terms.validUntil(now.holderNanos()) - this.deadline;
		return areConfirmed() && elapsed <= Math.min(LONGEST_HANDED_ON, this.terms.heartbeatPeriod().toNanos())
				&& LockWrite.Claim.reserves(OptionalLong.of(this.shownToken), OptionalLong.of(fencingToken() + 1));
	}

	public Renewals handedOn() {
		LockRecord next = this.record.toBuilder().fencingToken(fencingToken() + 1).build();
		return new Renewals(next, this.claim, this.shownToken, this.terms, this.deadline, List.of(), Changes.NONE,
				false);
	}

	/**
	 * Returns the lease that a token describes. Its end is unknown, so it counts as
	 * granted now.
	 */
	public static Renewals presented(LockToken token, LeaseTerms terms, ClockReading now) {
		LockRecord record = LockRecord
			.builder(token.key(), token.ownerName(), token.leaseDuration(), token.recordVersionNumber())
			.fencingToken(token.fencingToken())
			.build();
		return granted(record, terms.withLeaseDuration(token.leaseDuration()), now.holderNanos());
	}

	public LockKey key() {
		return this.record.key();
	}

	public long fencingToken() {
		return this.record.fencingToken().orElseThrow();
	}

	/** Returns the condition that the item meets while the lock is held. */
	public Guard guard() {
		return new Guard(key(), this.record.ownerName(), this.shownToken);
	}

	/** Returns the token with which another process can continue this lease. */
	public LockToken token() {
		return new LockToken(key(), this.record.ownerName(), this.record.recordVersionNumber(), fencingToken(),
				this.record.leaseDuration());
	}

	/** Returns when the lease counts as expiring if nothing more is confirmed. */
	long expiringAt() {
		return this.deadline - this.terms.expiryWarningNanos(this.record.leaseDuration());
	}

	/**
	 * Returns whether all heartbeats and changes are confirmed, so the record equals the
	 * item.
	 */
	public boolean areConfirmed() {
		return this.unresolved.isEmpty() && this.changes.isNone()
				&& this.record.leaseDuration().equals(this.terms.leaseDuration());
	}

	/**
	 * Returns the state once the holder has requested a change, which heartbeats make
	 * from now on.
	 * @throws IllegalArgumentException if one write cannot hold this change and the
	 * unconfirmed ones
	 */
	Renewals asked(Duration leaseDuration, ItemChange change) {
		return new Renewals(this.record, this.claim, this.shownToken, this.terms.withLeaseDuration(leaseDuration),
				this.deadline, this.unresolved, this.changes.asked(change), this.missing);
	}

	/**
	 * Returns what the record will be once all requested changes and one more are
	 * confirmed.
	 * @throws IllegalArgumentException if one write cannot hold them
	 */
	public LockRecord expected(ItemChange more) {
		return this.record.toBuilder().change(this.changes.all().then(more)).build();
	}

	/**
	 * Returns the state just before a heartbeat is sent. A shorter lease moves the
	 * deadline at once: observers may see it before this process gets the answer.
	 */
	Renewals sending(String recordVersionNumber, ClockReading now) {
		Changes sending = this.changes.sending();
		List<Heartbeat> sent = new ArrayList<>(this.unresolved);
		sent.add(new Heartbeat(recordVersionNumber, now.holderNanos(), this.terms, sending.sent(),
				this.terms.timestamps(now)));
		long until = Math.min(this.deadline, this.terms.validUntil(now.holderNanos()));
		return new Renewals(this.record, this.claim, this.shownToken, this.terms, until, List.copyOf(sent), sending,
				false);
	}

	/** Returns the heartbeat that {@link #sending} prepared. */
	LockWrite.Renew heartbeat() {
		Heartbeat newest = this.unresolved.get(this.unresolved.size() - 1);
		return new LockWrite.Renew(key(), newest.recordVersionNumber(), this.record.recordVersionNumber(),
				newest.terms().leaseDuration(), newest.change(), newest.timestamps());
	}

	/**
	 * Returns the state after an answer that shows no loss, to a heartbeat or to the read
	 * that follows one.
	 */
	Renewals answered(String recordVersionNumber, Answer answer) {
		if (answer instanceof Answer.Problem) {
			return this;
		}
		if (answer instanceof Answer.Failed) {
			// The change may be the reason; later heartbeats must not fail because of it.
			return with(this.changes.dropped(), this.missing);
		}
		LockRecord found = answer.shown();
		Heartbeat applied = sent((found != null) ? found.recordVersionNumber() : recordVersionNumber);
		if (applied != null && (found != null || answer instanceof Answer.Applied)) {
			return confirmed(applied);
		}
		return with(this.changes, found == null);
	}

	/**
	 * Returns the state once a heartbeat is known to be applied. All other unresolved
	 * heartbeats expect the record version number that it replaced, so they can no longer
	 * be applied.
	 */
	private Renewals confirmed(Heartbeat heartbeat) {
		LockRecord renewed = this.record.toBuilder()
			.recordVersionNumber(heartbeat.recordVersionNumber())
			.leaseDuration(heartbeat.terms().leaseDuration())
			.renewedAt(heartbeat.timestamps().renewedAt())
			.leaseEnds(heartbeat.timestamps().leaseEnds())
			.change(heartbeat.change())
			.build();
		long until = Math.max(this.deadline, heartbeat.terms().validUntil(heartbeat.sentAt()));
		return new Renewals(renewed, this.claim, this.shownToken, this.terms, until, List.of(),
				this.changes.confirmed(heartbeat.change()), false);
	}

	private Renewals with(Changes changes, boolean missing) {
		return new Renewals(this.record, this.claim, this.shownToken, this.terms, this.deadline, this.unresolved,
				changes, missing);
	}

	/** Returns whether an answer shows that another owner waits for the lock. */
	boolean areContended(Answer answer) {
		return answer instanceof Answer.Applied applied && applied.isContended(this.record.ownerName());
	}

	/** Returns whether a heartbeat was confirmed since an earlier state. */
	boolean areRenewedSince(Renewals before) {
		return !this.record.recordVersionNumber().equals(before.record.recordVersionNumber());
	}

	/**
	 * Returns why an answer to a heartbeat shows that the lock is lost, or {@code null}.
	 */
	@Nullable LossReason lossShownBy(String recordVersionNumber, Answer answer) {
		// The refusing record may belong to a heartbeat before the confirmed one.
		boolean late = answer instanceof Answer.Refused && sent(recordVersionNumber) == null;
		return late ? null : lossShownBy(answer);
	}

	/** Returns the record version number of the heartbeat that was sent last. */
	String newest() {
		return this.unresolved.get(this.unresolved.size() - 1).recordVersionNumber();
	}

	/** Returns why an answer shows that the lock is lost, or {@code null}. */
	@Nullable LossReason lossShownBy(Answer answer) {
		if (answer instanceof Answer.Failed failed) {
			return lossShownBy(failed.failure());
		}
		LockRecord found = answer.shown();
		boolean ours = found != null && !found.isReleased() && wrote(found);
		boolean gone = found != null || (answer instanceof Answer.Found);
		return (gone && !ours) ? lossShownBy(found) : null;
	}

	/**
	 * Returns why the end of a release shows that the lock was lost, or {@code null}.
	 */
	@Nullable LossReason lossShownBy(Step.End end) {
		if (end instanceof Step.Failed failed) {
			return lossShownBy(failed.failure());
		}
		return (end instanceof Step.Released released && released.outcome() != ReleaseOutcome.RELEASED)
				? lossShownBy(released.found()) : null;
	}

	/** Returns why a failure shows that a lock is lost, or {@code null}. */
	static @Nullable LossReason lossShownBy(LockException failure) {
		if (!(failure instanceof LockTableException table)) {
			return null;
		}
		return switch (table.problem()) {
			case MISSING -> LossReason.TABLE_MISSING;
			case NOT_A_LOCK -> LossReason.STOLEN;
			default -> null;
		};
	}

	/**
	 * Returns why this lease is lost if the item contains a record that it did not write.
	 */
	LossReason lossShownBy(@Nullable LockRecord found) {
		return lossShownBy(found, this.record.ownerName(), this.record.fencingToken());
	}

	/**
	 * Returns why a lock is lost if the item contains a record that its holder did not
	 * write.
	 * @param found the record, or {@code null} if there is none
	 */
	public static LossReason lossShownBy(@Nullable LockRecord found, String ownerName, OptionalLong fencingToken) {
		if (found == null) {
			return LossReason.ITEM_MISSING;
		}
		// A release in the owner's name keeps owner and fencing token.
		boolean inOwnersName = found.isReleased() && found.ownerName().equals(ownerName)
				&& LockWrite.Claim.reserves(found.fencingToken(), fencingToken);
		return inOwnersName ? LossReason.RELEASED_BY_ADMINISTRATOR : LossReason.STOLEN;
	}

	boolean wrote(LockRecord found) {
		return versions().contains(found.recordVersionNumber());
	}

	/** Returns every record version number under which the lock may be held, in order. */
	Set<String> versions() {
		Set<String> versions = new LinkedHashSet<>();
		versions.add(this.record.recordVersionNumber());
		this.unresolved.forEach((heartbeat) -> versions.add(heartbeat.recordVersionNumber()));
		return versions;
	}

	private @Nullable Heartbeat sent(String recordVersionNumber) {
		return this.unresolved.stream()
			.filter((each) -> each.recordVersionNumber().equals(recordVersionNumber))
			.findFirst()
			.orElse(null);
	}

	record Heartbeat(String recordVersionNumber, long sentAt, LeaseTerms terms, ItemChange change,
			LockWrite.Timestamps timestamps) {
	}

	/**
	 * The changes that the holder has requested and no heartbeat has confirmed.
	 *
	 * @param sent the changes that the last heartbeat carries, and later ones will carry
	 * @param later the changes that were requested since that heartbeat was sent
	 */
	record Changes(ItemChange sent, ItemChange later) {

		static final Changes NONE = new Changes(ItemChange.none(), ItemChange.none());

		Changes asked(ItemChange change) {
			ItemChange more = this.later.then(change);
			// Checks now whether one write can hold all: a heartbeat has no caller to
			// report to.
			this.sent.then(more);
			return new Changes(this.sent, more);
		}

		Changes sending() {
			return this.later.isNone() ? this : new Changes(all(), ItemChange.none());
		}

		Changes confirmed(ItemChange change) {
			// Heartbeats with the same change share the same object.
			return (change == this.sent) ? dropped() : this;
		}

		Changes dropped() {
			return new Changes(ItemChange.none(), this.later);
		}

		boolean isNone() {
			return this.sent.isNone() && this.later.isNone();
		}

		ItemChange all() {
			return this.sent.then(this.later);
		}

	}

}
