/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.SimulatedTable;

/**
 * The regions of a global table with multi-region strong consistency. Writes and strongly
 * consistent reads see every write before them, take the time of a call to another
 * region, and fail while their region is cut off from the others. Writes of one item from
 * two regions can be in conflict. Eventually consistent reads show what the replica of
 * their region has, which lags by seconds. There are no transactions, and nothing
 * expires.
 */
final class SimulatedRegions {

	static final int REGIONS = 3;

	private static final long CONFLICT = Duration.ofMillis(60).toNanos();

	private static final Answer IN_CONFLICT = new Answer.Unknown(
			new LockStoreException("another region writes the item", null));

	private static final Answer CUT_OFF = new Answer.Unknown(
			new LockStoreException("no other region can be reached", null));

	private static final Answer NO_TRANSACTIONS = new Answer.Failed(
			new LockStoreException("the table has no transactions", null));

	private final VirtualTime time;

	private final SimulatedTable table;

	private final Chance chance;

	private final Consumer<String> counts;

	private final Map<LockKey, Write> latest = new HashMap<>();

	/** When each region that is cut off from the others was. */
	private final Map<Integer, Long> left = new HashMap<>();

	SimulatedRegions(VirtualTime time, SimulatedTable table, Chance chance, Consumer<String> counts) {
		this.time = time;
		this.table = table;
		this.chance = chance;
		this.counts = counts;
	}

	/** The region of a process; that of its successor is the same. */
	static int of(SimulatedProcess process) {
		return process.toString().charAt(1) % REGIONS;
	}

	/** Whether a region that is cut off from the others serves a call. */
	static boolean isServedAlone(Step.Call call) {
		return call instanceof Step.Read read && !read.consistent();
	}

	void leave(int region) {
		this.counts.accept("regions cut off");
		this.left.put(region, this.time.nanos());
	}

	void comesBack(int region) {
		this.left.remove(region);
	}

	boolean hasLeft(int region) {
		return this.left.containsKey(region);
	}

	boolean hasLeft(SimulatedProcess process) {
		return hasLeft(of(process));
	}

	void calmDown() {
		this.left.clear();
	}

	/**
	 * How long a call takes one way.
	 * @param near how long it takes to the replica of the caller's region
	 */
	long way(Step.Call call, long near) {
		return isServedAlone(call) ? near : near + this.chance.nanos(1, 30);
	}

	Answer carryOut(SimulatedProcess from, Step.Call call) {
		if (isServedAlone(call)) {
			return readReplica(of(from), (Step.Read) call);
		}
		if (hasLeft(from)) {
			return CUT_OFF;
		}
		if (call instanceof Step.Transact) {
			return NO_TRANSACTIONS;
		}
		return isInConflict(from, call) ? IN_CONFLICT : this.table.send(call);
	}

	private Answer readReplica(int region, Step.Read read) {
		long lag = this.chance.nanos(0, this.chance.of(20, 200, 1000, 5000));
		long time = Math.min(this.time.nanos(), this.left.getOrDefault(region, Long.MAX_VALUE)) - lag;
		Answer answer = this.table.readAsOf(read.key(), time);
		if (!answer.equals(this.table.send(read))) {
			this.counts.accept("lagging reads");
		}
		return answer;
	}

	/** Whether another region writes the same item at this time. */
	private boolean isInConflict(SimulatedProcess from, Step.Call call) {
		LockKey key = (call instanceof Step.Write write) ? write.write().key()
				: (call instanceof Step.Mark mark) ? mark.key() : null;
		if (key == null) {
			return false;
		}
		Write now = new Write(of(from), this.time.nanos());
		Write before = this.latest.getOrDefault(key, now);
		boolean meets = before.region() != now.region() && now.at() - before.at() < CONFLICT;
		if (meets && this.chance.in(0.5)) {
			this.counts.accept("write conflicts");
			from.trouble();
			return true;
		}
		this.latest.put(key, now);
		return false;
	}

	/** The latest write of an item. */
	private record Write(int region, long at) {
	}

}
