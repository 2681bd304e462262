/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;

/**
 * What lies between the simulated clients and their table. Each call has a fate of its
 * own.
 */
final class SimulatedNetwork {

	private static final Fate[] FATES = Fate.values();

	// Made once, since most of a run's time would go into their stack traces.
	private static final Answer NO_ANSWER = unknown("no answer in time");

	private static final Answer THROTTLED = new Answer.NotApplied(new LockStoreException("throttled", null));

	private static final Answer SERVICE_FAILED = unknown("the service failed");

	private static final Answer NOT_ALLOWED = new Answer.Failed(new LockStoreException("not allowed", null));

	/** How long after its sender gave it up a call arrives at most, in milliseconds. */
	private static final int LATEST = 5000;

	private final VirtualTime time;

	private final SimulatedTable table;

	private final Chance chance;

	private final RunHistory history;

	private final Consumer<String> violations;

	/** The replicas of a global table, or {@code null}. */
	private final @Nullable SimulatedRegions regions;

	private final Map<String, Integer> inFlight = new HashMap<>();

	/** The locks that a claim without an answer may have taken, and which process's. */
	private final Map<String, List<String>> unresolved = new HashMap<>();

	/** The record version numbers of detached locks. */
	private final Set<String> detached = new HashSet<>();

	/** The highest token that each process was given for each lock. */
	private final Map<String, GivenToken> tokens = new HashMap<>();

	private double trouble;

	SimulatedNetwork(VirtualTime time, SimulatedTable table, @Nullable SimulatedRegions regions, Chance chance,
			RunHistory history, double trouble, Consumer<String> violations) {
		this.time = time;
		this.table = table;
		this.regions = regions;
		this.chance = chance;
		this.history = history;
		this.trouble = trouble;
		this.violations = violations;
	}

	private static Answer unknown(String problem) {
		return new Answer.Unknown(new LockStoreException(problem, null));
	}

	void calmDown() {
		this.trouble = 0;
	}

	RunHistory history() {
		return this.history;
	}

	/** How long a message takes when all is well. */
	long latency() {
		return this.chance.nanos(1, 4);
	}

	void carry(SimulatedProcess from, Step.Call call, boolean heartbeat, Consumer<Answer> answered) {
		Delivery delivery = new Delivery(from, call, flight(from, call, heartbeat), answered);
		Fate fate = fate(from, call);
		delivery.begin(fate);
		if (heartbeat && fate != Fate.USUAL && this.chance.in(0.2)) {
			// From when a heartbeat counts shows only if those after it fail.
			long begin = this.chance.nanos(0, 1500);
			this.time.at(begin, () -> from.cutOff(this.trouble > 0));
			this.time.at(begin + this.chance.nanos(500, 6000), () -> from.cutOff(false));
		}
	}

	/**
	 * Whether a process has sent a claim that was not answered, and has asked for nothing
	 * since that would tell what became of it.
	 */
	boolean isUnresolved(SimulatedProcess from, LockKey key, String owner) {
		return this.unresolved.containsKey(claimed(from, key, owner));
	}

	/** A lock is detached, for whoever presents its token. */
	void detached(String recordVersionNumber) {
		this.detached.add(recordVersionNumber);
	}

	/** A process has got a lock, so that it knows of all its claims. */
	void resolved(SimulatedProcess from, LockKey key, String owner) {
		this.unresolved.remove(claimed(from, key, owner));
	}

	/**
	 * Where the item is gone, a client's own memory keeps the tokens that it was given in
	 * order.
	 */
	private void checkSeed(SimulatedProcess from, Step.Call call) {
		if (call instanceof Step.Write write && write.write() instanceof LockWrite.Claim claim) {
			GivenToken given = this.tokens.get(from + " " + claim.key());
			if (given != null && claim.tokenSeed() < given.token()
					&& from.madeSince(given.versions(), claim.recordVersionNumber())) {
				this.violations.accept("a token may follow a higher one: " + claim);
			}
		}
	}

	private void noteToken(SimulatedProcess from, Step.Call call, Answer answer) {
		boolean claims = call instanceof Step.Write write && write.write() instanceof LockWrite.Claim;
		if (claims && answer instanceof Answer.Applied applied && applied.record() != null) {
			LockRecord record = applied.record();
			GivenToken given = new GivenToken(record.fencingToken().orElse(0), from.versions());
			this.tokens.merge(from + " " + record.key(), given,
					(before, now) -> (before.token() < now.token()) ? now : before);
		}
	}

	private void resolve(SimulatedProcess from, Step.Call call, Answer answer) {
		if (call instanceof Step.Write write && write.write() instanceof LockWrite.Claim claim) {
			String claimed = claimed(from, claim.key(), claim.wanted().ownerName());
			boolean adopts = !claim.precondition().released() && this.detached.contains(claim.precondition().version());
			if (answer instanceof Answer.Unknown) {
				if (!adopts) {
					this.unresolved.computeIfAbsent(claimed, (any) -> new ArrayList<>())
						.add(claim.recordVersionNumber());
				}
			}
			else if (!(answer instanceof Answer.Failed || answer instanceof Answer.NotApplied)) {
				this.unresolved.remove(claimed);
			}
		}
		else if (call instanceof Step.Read read && read.consistent()) {
			// Whoever gets no answer again and again may give up.
			this.unresolved.keySet().removeIf((claimed) -> claimed.startsWith(claimed(from, read.key(), "")));
		}
		else if (answer instanceof Answer.Found found && found.record() != null && !found.record().isReleased()) {
			// A read that shows a claim tells what its answer would have. The others were
			// refused, or expire with their lease if they are applied later.
			String claimed = claimed(from, found.record().key(), found.record().ownerName());
			if (this.unresolved.getOrDefault(claimed, List.of()).contains(found.record().recordVersionNumber())) {
				this.unresolved.remove(claimed);
			}
		}
	}

	private static String claimed(SimulatedProcess from, LockKey key, String owner) {
		return from + " " + key + " for " + owner;
	}

	private Fate fate(SimulatedProcess from, Step.Call call) {
		if (from.isCutOff()) {
			return this.chance.of(Fate.REQUEST_LOST, Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.DELIVERED_LATE);
		}
		if (from.hasLeft() && !SimulatedRegions.isServedAlone(call)) {
			return this.chance.of(Fate.REQUEST_LOST, Fate.USUAL, Fate.DELIVERED_LATE);
		}
		return this.chance.in(this.trouble) ? this.chance.of(FATES) : Fate.USUAL;
	}

	/** At most one call of an acquisition, and one heartbeat of a lease, at a time. */
	private static String flight(SimulatedProcess from, Step.Call call, boolean heartbeat) {
		if (call instanceof Step.Write write && write.write() instanceof LockWrite.Claim claim) {
			// An adoption does not wait.
			return claim.precondition().released() ? from + " claims " + claim.key() : "";
		}
		// The limit of a heartbeat may pass before its thread, which stalled, sends it.
		if (heartbeat && !from.isLateByAStall() && call instanceof Step.Write write
				&& write.write() instanceof LockWrite.Renew renew) {
			return from + " renews " + renew.key() + " " + renew.expected();
		}
		return "";
	}

	private Answer carryOut(SimulatedProcess from, Step.Call call) {
		if (this.regions != null) {
			return this.regions.carryOut(from, call);
		}
		if (call instanceof Step.Read read && !read.consistent() && this.chance.in(this.trouble)) {
			return this.table.readOld(read.key(), this.chance.between(1, 4));
		}
		return this.table.send(call);
	}

	/**
	 * A token, and how many record version numbers its process had made when it came.
	 */
	private record GivenToken(long token, int versions) {
	}

	/**
	 * What becomes of a call.
	 */
	private enum Fate {

		/** Nothing special. */
		USUAL,

		/** It takes long both ways. */
		SLOW,

		/** It never arrives. */
		REQUEST_LOST,

		/** It is applied, and the answer never comes. */
		ANSWER_LOST,

		/** It arrives after its sender gave it up. */
		DELIVERED_LATE,

		/** It arrives once more, later. */
		DELIVERED_TWICE,

		/** It is throttled, so that it has no effect. */
		TURNED_AWAY,

		/** It is applied, and the answer says that the service failed. */
		APPLIED_WITH_ERROR,

		/** The answer comes long after the limit, which nobody observes. */
		LIMIT_OVERRUN,

		/** It is refused for good, such as for missing rights. */
		FORBIDDEN

	}

	/**
	 * One call on its way.
	 */
	private final class Delivery {

		private final SimulatedProcess from;

		private final Step.Call call;

		private final Consumer<Answer> answered;

		private final String flight;

		private Fate fate = Fate.USUAL;

		private boolean told;

		private boolean over;

		Delivery(SimulatedProcess from, Step.Call call, String flight, Consumer<Answer> answered) {
			this.from = from;
			this.call = call;
			this.answered = answered;
			this.flight = flight;
		}

		void begin(Fate fate) {
			this.fate = fate;
			SimulatedNetwork.this.history.add(this.from, "sends", this.call, fate);
			int others = SimulatedNetwork.this.inFlight.merge(this.flight, 1, Integer::sum);
			if (others > 1 && !this.flight.isEmpty() && !this.from.isEnding()) {
				SimulatedNetwork.this.violations.accept("two calls at once: " + this.flight);
			}
			if (fate != Fate.USUAL) {
				this.from.troubledCallBegins();
			}
			long limit = this.from.clocks().trueNanos(this.call.limitNanos());
			if (fate != Fate.LIMIT_OVERRUN) {
				tell(limit, NO_ANSWER);
			}
			else if (!(this.call instanceof Step.Write write && write.write() instanceof LockWrite.Claim)) {
				// What waits for this call goes on.
				this.from.later(limit, this::end);
			}
			checkSeed(this.from, this.call);
			send(limit);
		}

		private void send(long limit) {
			long way = way();
			switch (this.fate) {
				case USUAL -> at(way, () -> tell(way(), carryOut(this.from, this.call)));
				case SLOW -> at(part(limit), () -> tell(part(limit), carryOut(this.from, this.call)));
				case REQUEST_LOST -> {
				}
				case ANSWER_LOST -> at(way, () -> carryOut(this.from, this.call));
				case DELIVERED_LATE ->
					at(limit + SimulatedNetwork.this.chance.nanos(0, LATEST), () -> carryOut(this.from, this.call));
				case DELIVERED_TWICE -> at(way, this::deliverTwice);
				case TURNED_AWAY -> tell(2 * way, THROTTLED);
				case APPLIED_WITH_ERROR -> at(way, () -> {
					carryOut(this.from, this.call);
					tell(way(), SERVICE_FAILED);
				});
				case LIMIT_OVERRUN ->
					at(way, () -> tell(SimulatedNetwork.this.chance.nanos(0, LATEST), carryOut(this.from, this.call)));
				case FORBIDDEN -> tell(2 * way, NOT_ALLOWED);
			}
		}

		private void deliverTwice() {
			Answer answer = carryOut(this.from, this.call);
			tell(way(), answer);
			// A condition of the application's may hold by then, which no client can
			// prevent.
			if (!(answer instanceof Answer.Cancelled)) {
				at(SimulatedNetwork.this.chance.nanos(0, LATEST), () -> carryOut(this.from, this.call));
			}
		}

		/** How long the call or its answer takes when all is well. */
		private long way() {
			return (SimulatedNetwork.this.regions == null) ? latency()
					: SimulatedNetwork.this.regions.way(this.call, latency());
		}

		private long part(long limit) {
			return (long) (limit * SimulatedNetwork.this.chance.fraction());
		}

		private void at(long nanos, Runnable action) {
			SimulatedNetwork.this.time.at(nanos, action);
		}

		private void end() {
			if (!this.over) {
				this.over = true;
				SimulatedNetwork.this.inFlight.merge(this.flight, -1, Integer::sum);
			}
		}

		private void tell(long nanos, Answer answer) {
			this.from.later(nanos, () -> {
				if (!this.told) {
					this.told = true;
					end();
					SimulatedNetwork.this.history.add(this.from, "is told", answer);
					if (this.fate != Fate.USUAL) {
						this.from.troubledCallEnds();
					}
					resolve(this.from, this.call, answer);
					this.answered.accept(answer);
					// Only now: a thread that stalls has not seen the token yet.
					noteToken(this.from, this.call, answer);
				}
			});
		}

	}

}
