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
 * The slots of an acquisition, and which of them to ask next. To ask a slot is to send a
 * call for it. Slots are created when they are needed. The first one is chosen at random,
 * so clients do not all begin with the same one.
 */
final class Slots {

	/** An acquisition polls at most as often as it would poll this many locks. */
	private static final int MOST_POLLED = 4;

	/** How many slots may have unanswered claims at a time. */
	private static final int MOST_UNRESOLVED = 2;

	private final AcquisitionTerms terms;

	private final Deadlines deadlines;

	private final Observations observations;

	private final Randomness randomness;

	private final Turns turns;

	private final @Nullable Slot[] made;

	private final int first;

	private long pollAt = Long.MIN_VALUE;

	/** When a holder's lock was last marked. */
	private @Nullable Long markedAt;

	/** The slot that is asked when the current wait ends. */
	private @Nullable Slot awaited;

	/**
	 * The only slot that is still asked, because its owner is awaited beyond the wait
	 * time.
	 */
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
	 * If an owner seems to have crashed, selects its slot as the only one that is asked
	 * beyond the wait time.
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

	/** The first matching slot of those that are asked, in the given order. */
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
	 * For how long to let other clients go first; zero if that is more than half the
	 * remaining wait.
	 */
	private long pauseForOthers(LockKey key, ClockReading now) {
		long pause = this.observations.pauseNanos(key, now);
		// The other half is for the caller's own calls.
		return (pause <= (this.terms.deadline() - now.observerNanos()) / 2) ? pause : 0;
	}

	/**
	 * Begins the turn of the next slot that this client neither holds nor is acquiring,
	 * or returns {@code null}.
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
	 * Enters the queues of all remaining slots. Without a wait time, a slot that this
	 * client holds is refused instead.
	 * @return a slot whose turn begins at once, or {@code null}
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

	private boolean mayClaimMore() {
		return this.made.length < MOST_UNRESOLVED
				|| all().filter((slot) -> !slot.isSettled() && !slot.evidence().isConclusive())
					.count() < MOST_UNRESOLVED;
	}

	/** Whether the slots are polled in turn, because there are many. */
	private boolean arePolledInTurn() {
		return this.made.length > MOST_POLLED && asked().count() > MOST_POLLED;
	}

	/**
	 * Returns the slot to claim now, or {@code null}: a free one, or one whose lease has
	 * ended, or else a new one.
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

	/** Begins the turn of a new slot, or returns {@code null}. */
	private @Nullable Slot next(ClockReading now) {
		Slot free = takeNext(now);
		return (free != null) ? free : standInLines();
	}

	private void begin(Slot slot, ClockReading now) {
		this.deadlines.begin(now);
		slot.begin(this.terms.isAdoption() ? null : this.observations.find(slot.key()), now);
	}

	/** Takes the turn of a slot, and returns whether the slot uses it. */
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

	/** Gives up the turn of a slot for now. It may be taken again. */
	void pass(LockKey key) {
		Slot slot = find(key);
		if (slot != null) {
			slot.place(Slot.Place.NONE);
		}
	}

	/**
	 * Returns the slots whose turn has ended: they are not asked again and need no
	 * cleanup.
	 * @param over whether no slot is asked again
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

	/**
	 * Returns the operations that release the slots that unanswered claims may have
	 * taken.
	 */
	Map<LockKey, Operation> cleanups() {
		Map<LockKey, Operation> cleanups = new HashMap<>();
		for (Slot slot : this.made) {
			if (slot != null && slot.hasTurn() && !slot.isSettled()) {
				cleanups.put(slot.key(), slot.cleanup());
			}
		}
		return cleanups;
	}

	/** Returns a slot whose last call failed and whose pause is over. */
	@Nullable Slot toRetry(boolean over, ClockReading now) {
		return firstAsked(isDue(Wish.RETRY, over, now), Comparator.comparingLong(Slot::dueAt));
	}

	/**
	 * Returns the slot to poll now: first one whose lease has ended, then the one that
	 * was asked longest ago. If a mark is due, returns the slot that was marked longest
	 * ago instead. Once the wait is over, polls only the slots whose holder this
	 * acquisition has not seen itself.
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

	/** The interval between marks does not depend on the number of slots. */
	private boolean isToBeMarked(Slot slot, ClockReading now) {
		boolean isTime = this.made.length == 1 || this.markedAt == null
				|| now.observerNanos() - this.markedAt >= Observation.MARK_INTERVAL;
		return isTime && !slot.canBeClaimed(now) && slot.marked(this.deadlines.begunAt(), now) != null;
	}

	/** Returns the holder to mark instead of polling its slot, or {@code null}. */
	@Nullable Observation toMark(Slot slot, ClockReading now) {
		if (!isToBeMarked(slot, now)) {
			return null;
		}
		this.markedAt = now.observerNanos();
		return slot.observation();
	}

	/**
	 * Notes that another owner holds a slot. If many slots are polled, they take turns.
	 */
	void polled(long interval, ClockReading now) {
		this.pollAt = Nanos.later(now.observerNanos(), arePolledInTurn() ? interval / MOST_POLLED : 0);
	}

	/** Returns when to ask the next slot, and remembers that slot. */
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

	/** When a poll is due. A poll at the end of a lease does not wait for its turn. */
	private long pollDueAt(Slot slot, ClockReading now) {
		long inTurn = Math.max(slot.dueAt(), this.pollAt);
		return slot.canBeClaimed(now) ? inTurn : Math.min(inTurn, Math.max(slot.dueAt(), slot.leaseEnds()));
	}

	/** Ends the wait, even if this clock reading is before the wait's end. */
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

	private Predicate<Slot> wants(Wish wish, boolean over, ClockReading now) {
		boolean mayClaimMore = mayClaimMore();
		boolean inTurn = arePolledInTurn();
		return (slot) -> {
			// An owner that was last seen long ago has probably renewed its lease since.
			boolean claims = slot.canBeClaimed(now) && !(inTurn && slot.isStale(now));
			Wish wanted = slot.isFailing() ? Wish.RETRY : claims ? Wish.CLAIM : Wish.POLL;
			boolean blocked = slot.canBeClaimed(now) && slot.isSettled() && !mayClaimMore;
			boolean decided = over && (claims ? slot.isTried() : isDecided(slot, now));
			return wanted == wish && !blocked && !(decided && wanted != Wish.RETRY);
		};
	}

	/** Whether a slot needs no further call before the wait ends. */
	private static boolean isDecided(Slot slot, ClockReading now) {
		return slot.isOut() || (slot.isAt(Slot.Place.TURN) && (slot.isTried() || slot.isShownHeld(now)));
	}

	boolean standInLine() {
		return all().anyMatch((slot) -> slot.isAt(Slot.Place.LINE));
	}

	/** Whether all slots have a final refusal. */
	boolean areOut() {
		return Arrays.stream(this.made).allMatch((slot) -> slot != null && slot.isOut());
	}

	/** Whether all slots were asked and refused. */
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
	 * Returns the lock of the owner for whom the acquisition waits, or {@code null} if it
	 * has further slots to ask.
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
	 * Returns why no slot is granted. In this order: a call failed; a slot is held, the
	 * one whose lease ends first; a slot does not meet the condition; a slot has no item.
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
			// Only a slot that a handle of this client holds has no remaining lease.
			return (held.leaseRemainingNanos() != null) ? held.leaseRemainingNanos() : Long.MAX_VALUE - 2;
		}
		if (refused instanceof Step.Failed failed) {
			return (failed.failure().getCause() != null) ? -2 : -1;
		}
		return (refused instanceof Step.ConditionNotMet) ? Long.MAX_VALUE - 1 : Long.MAX_VALUE;
	}

	/** What a slot needs next. */
	private enum Wish {

		CLAIM, POLL, RETRY

	}

}
