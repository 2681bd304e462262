/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import org.jspecify.annotations.Nullable;

/**
 * The slots of an acquisition, and which of them to ask next. They are made when they are
 * needed. The first one is chosen at random, so that clients do not all begin with the
 * same one.
 */
final class Slots {

	/** A waiter polls at most as often as for this many locks. */
	private static final int MOST_POLLED = 4;

	/** The slots that claims may have taken, and that were not answered since. */
	private static final int MOST_UNRESOLVED = 2;

	private final AcquisitionTerms terms;

	private final Deadlines deadlines;

	private final Observations observations;

	private final Randomness randomness;

	private final Turns turns;

	private final @Nullable Slot[] made;

	private final int first;

	/** When the next poll may be sent. */
	private long pollAt = Long.MIN_VALUE;

	/** When one of the holders was marked last. */
	private @Nullable Long markedAt;

	/** The slot for which the acquisition waits. */
	private @Nullable Slot awaited;

	/** The slot whose owner is awaited beyond the wait time, and the only one to ask. */
	private @Nullable Slot only;

	Slots(AcquisitionTerms terms, Deadlines deadlines, Observations observations, Randomness randomness, Turns turns) {
		this.terms = terms;
		this.deadlines = deadlines;
		this.observations = observations;
		this.randomness = randomness;
		this.turns = turns;
		int count = terms.slots();
		this.made = new Slot[count];
		this.first = (count == 1) ? 0 : (int) (randomness.fraction() * count);
	}

	Slot first() {
		return slot(0);
	}

	private Slot slot(int index) {
		int number = (this.first + index) % this.made.length;
		Slot slot = this.made[number];
		if (slot == null) {
			slot = new Slot(this.terms.slot(number), this.observations, this.randomness);
			this.made[number] = slot;
		}
		return slot;
	}

	Stream<Slot> all() {
		return Arrays.stream(this.made).filter(Objects::nonNull);
	}

	@Nullable Slot find(LockKey key) {
		return all().filter((slot) -> slot.key().equals(key)).findFirst().orElse(null);
	}

	/**
	 * All slots are refused, but one whose owner seems to have crashed is asked further.
	 * @return whether there is one
	 */
	boolean extend(ClockReading now) {
		List<Slot> held = asked().filter((slot) -> slot.evidence().showsHolder())
			.sorted(Comparator.comparingLong(Slot::leaseEnds))
			.toList();
		this.only = held.stream()
			.filter((slot) -> this.deadlines.extend(slot.observation(), now))
			.findFirst()
			.orElse(null);
		if (this.only == null) {
			return false;
		}
		this.only.tried(false);
		return true;
	}

	@Nullable Slot only() {
		return this.only;
	}

	private Stream<Slot> asked() {
		return all().filter(this::isAsked);
	}

	private boolean isAsked(Slot slot) {
		return slot.isAt(Slot.Place.TURN) && (this.only == null || slot == this.only);
	}

	/** The first in this order of those to ask for which this is true. */
	private @Nullable Slot firstAsked(Predicate<Slot> isMeant, Comparator<Slot> order) {
		Slot first = null;
		for (Slot slot : this.made) {
			if (slot != null && isAsked(slot) && isMeant.test(slot)
					&& (first == null || order.compare(slot, first) < 0)) {
				first = slot;
			}
		}
		return first;
	}

	/**
	 * For how long other clients have their turn to take a slot, at most half the wait.
	 */
	private long pauseForOthers(LockKey key, ClockReading now) {
		long pause = this.observations.pauseNanos(key, now);
		// The rest is for the caller's own calls.
		return (pause <= (this.terms.deadline() - now.observerNanos()) / 2) ? pause : 0;
	}

	/**
	 * The next slot that this client neither holds nor asks for, whose turn begins; or
	 * {@code null}.
	 */
	private @Nullable Slot takeNext(ClockReading now) {
		for (int index = 0; index < this.made.length; index++) {
			int number = (this.first + index) % this.made.length;
			Slot slot = this.made[number];
			if (slot != null && slot.isAt(Slot.Place.PAUSED) && slot.isDue(now)) {
				slot.place(Slot.Place.NONE);
			}
			if (slot == null || slot.isAt(Slot.Place.NONE)) {
				LockKey key = (slot != null) ? slot.key() : this.terms.slotKey(number);
				long pause = pauseForOthers(key, now);
				if (pause > 0) {
					slot(index).pauseUntil(Nanos.later(now.observerNanos(), pause));
				}
				else if (this.turns.takeIfFree(key)) {
					return slot(index);
				}
			}
		}
		return null;
	}

	/**
	 * Stands in the line of each slot that is left. Without time to wait, what this
	 * client holds is not waited for.
	 * @return one whose turn has begun meanwhile, or {@code null}
	 */
	private @Nullable Slot standInLines() {
		for (int index = 0; index < this.made.length; index++) {
			Slot slot = slot(index);
			if (slot.isAt(Slot.Place.NONE)) {
				LockRecord holder = (this.terms.waitNanos() > 0) ? null : this.turns.holder(slot.key());
				if (holder != null) {
					slot.out(new Step.Denied(holder, null));
				}
				else if (this.turns.enter(slot.key())) {
					return slot;
				}
				else {
					slot.place(Slot.Place.LINE);
				}
			}
		}
		return null;
	}

	/** Whether further slots may be claimed. */
	private boolean mayClaimMore() {
		return this.made.length < MOST_UNRESOLVED
				|| all().filter((slot) -> !slot.isSettled() && !slot.evidence().isConclusive())
					.count() < MOST_UNRESOLVED;
	}

	/** Whether so many are polled that each of them has to wait for its turn. */
	private boolean arePolledInTurn() {
		return this.made.length > MOST_POLLED && asked().count() > MOST_POLLED;
	}

	/**
	 * The slot to claim now: a free one before one whose lease has ended, and if there is
	 * none, a further one whose turn begins.
	 */
	@Nullable Slot toClaim(boolean over, ClockReading now) {
		while (true) {
			Slot free = firstAsked(isDue(Wish.CLAIM, over, now), Comparator.comparingLong(Slot::leaseEnds));
			Slot further = (free != null || this.only != null || !mayClaimMore()) ? null : next(now);
			if (further == null) {
				return free;
			}
			begin(further, now);
		}
	}

	/** A slot whose turn begins. */
	private @Nullable Slot next(ClockReading now) {
		Slot free = takeNext(now);
		return (free != null) ? free : standInLines();
	}

	private void begin(Slot slot, ClockReading now) {
		this.deadlines.begin(now);
		slot.begin(this.terms.isAdoption() ? null : this.observations.find(slot.key()), now);
	}

	/**
	 * The turn of a slot has come.
	 * @return whether it is used
	 */
	boolean turn(LockKey key, ClockReading now) {
		Slot slot = find(key);
		if (slot == null || slot.isOut()) {
			return false;
		}
		long pause = pauseForOthers(key, now);
		if (pause > 0) {
			this.turns.pause(key);
			slot.pauseUntil(Nanos.later(now.observerNanos(), pause));
		}
		else {
			begin(slot, now);
		}
		return true;
	}

	/** The turn of a slot is not used now; it may be taken again. */
	void pass(LockKey key) {
		Slot slot = find(key);
		if (slot != null) {
			slot.place(Slot.Place.NONE);
		}
	}

	/**
	 * The turns that are over: of slots that are not asked again, and have nothing to
	 * clean up.
	 * @param over whether none is asked again
	 * @param busy the slot for which a call is under way, or {@code null}
	 */
	List<LockKey> left(boolean over, @Nullable Slot busy) {
		List<LockKey> left = new ArrayList<>(1);
		for (Slot slot : this.made) {
			if (slot != null && slot != busy && slot.hasTurn() && slot.isSettled()
					&& (over || slot.isOut() || (this.only != null && slot != this.only))) {
				slot.place(Slot.Place.NONE);
				left.add(slot.key());
			}
		}
		return left;
	}

	/** The operations that release what claims without an answer may have taken. */
	Map<LockKey, Operation> cleanups() {
		Map<LockKey, Operation> cleanups = new HashMap<>();
		for (Slot slot : this.made) {
			if (slot != null && slot.hasTurn() && !slot.isSettled()) {
				cleanups.put(slot.key(), slot.cleanup());
			}
		}
		return cleanups;
	}

	/** The slot whose last call failed, and whose own pause is over. */
	@Nullable Slot toRetry(boolean over, ClockReading now) {
		return firstAsked(isDue(Wish.RETRY, over, now), Comparator.comparingLong(Slot::dueAt));
	}

	/**
	 * The slot to poll now: one whose lease has ended first, then the one that was asked
	 * longest ago; or in its place the one to mark, which was marked longest ago. Once
	 * the wait is over, each is asked that this acquisition has not yet seen.
	 */
	@Nullable Slot toPoll(boolean over, ClockReading now) {
		if (!over && now.observerNanos() < this.pollAt) {
			return null;
		}
		Slot due = firstAsked(over ? wants(Wish.POLL, true, now) : isDue(Wish.POLL, false, now),
				Comparator.<Slot>comparingLong((slot) -> slot.canBeClaimed(now) ? slot.leaseEnds() : Long.MAX_VALUE)
					.thenComparingLong(Slot::askedAt));
		if (due == null || over || due.canBeClaimed(now)) {
			return due;
		}
		Slot marked = firstAsked(wants(Wish.POLL, false, now).and((slot) -> isToBeMarked(slot, now)),
				Comparator.comparingLong(Slot::markedAt));
		return (marked != null) ? marked : due;
	}

	/** One mark in a while, however many are polled. */
	private boolean isToBeMarked(Slot slot, ClockReading now) {
		boolean isTime = this.made.length == 1 || this.markedAt == null
				|| now.observerNanos() - this.markedAt >= Observation.MARK_INTERVAL;
		return isTime && !slot.canBeClaimed(now) && slot.marked(this.deadlines.begunAt(), now) != null;
	}

	/** The holder to mark in place of a poll of its slot, or {@code null}. */
	@Nullable Observation toMark(Slot slot, ClockReading now) {
		if (!isToBeMarked(slot, now)) {
			return null;
		}
		this.markedAt = now.observerNanos();
		return slot.observation();
	}

	/**
	 * Another owner was seen to hold a slot. If many are polled, each of them has to wait
	 * for its turn.
	 * @param interval the time between two polls of its lock
	 */
	void polled(long interval, ClockReading now) {
		this.pollAt = Nanos.later(now.observerNanos(), arePolledInTurn() ? interval / MOST_POLLED : 0);
	}

	/** When to ask the next slot, for which the acquisition waits, at the latest. */
	long nextAt(boolean over, long latest, ClockReading now) {
		Stream<Slot> paused = all().filter((slot) -> slot.isAt(Slot.Place.PAUSED) && !slot.isDue(now));
		Stream<Slot> asked = Stream.of(Wish.CLAIM, Wish.RETRY).flatMap((wish) -> asked(wish, over, now));
		Slot next = Stream.concat(paused, asked).min(Comparator.comparingLong(Slot::dueAt)).orElse(null);
		Slot polled = asked(Wish.POLL, over, now).min(Comparator.comparingLong((slot) -> pollDueAt(slot, now)))
			.orElse(null);
		long due = (next != null) ? next.dueAt() : latest;
		if (polled != null && pollDueAt(polled, now) < due) {
			next = polled;
			due = pollDueAt(polled, now);
		}
		this.awaited = (due <= latest) ? next : null;
		return Math.min(due, latest);
	}

	/** When a poll is due; the end of a lease waits for no other poll. */
	private long pollDueAt(Slot slot, ClockReading now) {
		long inTurn = Math.max(slot.dueAt(), this.pollAt);
		return slot.canBeClaimed(now) ? inTurn : Math.min(inTurn, Math.max(slot.dueAt(), slot.leaseEnds()));
	}

	/** The time has come, whatever this clock says. */
	void awaited(ClockReading now) {
		this.pollAt = now.observerNanos();
		if (this.awaited != null) {
			this.awaited.dueAt(Math.min(this.awaited.dueAt(), now.observerNanos()));
		}
	}

	private Stream<Slot> asked(Wish wish, boolean over, ClockReading now) {
		return asked().filter(wants(wish, over, now));
	}

	private Predicate<Slot> isDue(Wish wish, boolean over, ClockReading now) {
		Predicate<Slot> wants = wants(wish, over, now);
		return (slot) -> slot.isDue(now) && wants.test(slot);
	}

	/** Whether this is what a slot needs next. */
	private Predicate<Slot> wants(Wish wish, boolean over, ClockReading now) {
		boolean mayClaimMore = mayClaimMore();
		boolean inTurn = arePolledInTurn();
		return (slot) -> {
			// A holder that was last seen long ago has probably renewed its lease since.
			boolean claims = slot.canBeClaimed(now) && !(inTurn && slot.isStale(now));
			Wish wanted = slot.isFailing() ? Wish.RETRY : claims ? Wish.CLAIM : Wish.POLL;
			boolean blocked = slot.canBeClaimed(now) && slot.isSettled() && !mayClaimMore;
			boolean decided = over && (claims ? slot.isTried() : isDecided(slot, now));
			return wanted == wish && !blocked && !(decided && wanted != Wish.RETRY);
		};
	}

	/** Whether the wait may end without a further call for a slot. */
	private static boolean isDecided(Slot slot, ClockReading now) {
		return slot.isOut() || (slot.isAt(Slot.Place.TURN) && (slot.isTried() || slot.isShownHeld(now)));
	}

	/** Whether an earlier turn of this client is awaited. */
	boolean standInLine() {
		return all().anyMatch((slot) -> slot.isAt(Slot.Place.LINE));
	}

	/** Whether no slot is to be asked again. */
	boolean areOut() {
		return Arrays.stream(this.made).allMatch((slot) -> slot != null && slot.isOut());
	}

	/** Whether each slot is refused; none is left that was not asked. */
	boolean areDecided(Map<LockKey, Step.End> ahead, ClockReading now) {
		if (this.only != null) {
			return isDecided(this.only, now);
		}
		for (Slot slot : this.made) {
			boolean known = slot != null
					&& (slot.isAt(Slot.Place.LINE) ? ahead.containsKey(slot.key()) : isDecided(slot, now));
			if (!known) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Another owner for whom the acquisition waits, or {@code null} if it asks further.
	 */
	@Nullable LockRecord holder() {
		for (Slot slot : this.made) {
			if (slot == null || slot.isAt(Slot.Place.NONE)) {
				return null;
			}
		}
		return asked().filter((slot) -> slot.observation() != null)
			.min(Comparator.comparingLong(Slot::leaseEnds))
			.map((slot) -> slot.evidence().holder())
			.orElse(null);
	}

	/**
	 * Why none of the slots is granted: a call failed; or one is held, the one whose
	 * lease ends first; or none meets the condition; or none has an item.
	 * @param ahead why those in whose lines this stands are not granted
	 */
	Step.End end(Map<LockKey, Step.End> ahead, ClockReading now) {
		return Arrays.stream(this.made).filter((slot) -> this.only == null || slot == this.only).map((slot) -> {
			if (slot == null) {
				Evidence none = new Evidence(this.terms);
				none.showedNoOther(Evidence.NO_TIME);
				return none.end(now);
			}
			Step.End known = slot.isAt(Slot.Place.LINE) ? ahead.get(slot.key()) : slot.end(now);
			return (known != null) ? known : slot.endBehindOpenCall(null);
		}).min(Comparator.comparingLong(Slots::rank)).orElseThrow();
	}

	private static long rank(Step.End refused) {
		if (refused instanceof Step.Denied held) {
			// Without a lease to wait for, a handle of this client holds the slot.
			return (held.leaseRemainingNanos() != null) ? held.leaseRemainingNanos() : Long.MAX_VALUE - 2;
		}
		if (refused instanceof Step.Failed failed) {
			return (failed.failure().getCause() != null) ? -2 : -1;
		}
		return (refused instanceof Step.ConditionNotMet) ? Long.MAX_VALUE - 1 : Long.MAX_VALUE;
	}

	/**
	 * What to do for a slot next.
	 */
	private enum Wish {

		CLAIM, POLL, RETRY

	}

}
