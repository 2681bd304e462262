/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * A client's memory of the locks it has seen. It outlives the single call, so that a
 * client that only ever tries once takes over a dead owner's lock on the first try that
 * comes a lease after it first saw it. Bounded; a full memory refuses newcomers rather
 * than forget what is still of use. Thread-safe.
 */
public final class Observations {

	private static final int MOST_LOOKED_AT = 32;

	private final int capacity;

	// In access order: the first entry is the one that was not used for longest.
	private final Map<LockKey, Memory> memories = new LinkedHashMap<>(16, 0.75f, true);

	/**
	 * An empty memory.
	 * @param capacity how many locks it remembers at most, positive
	 */
	public Observations(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * What is remembered of a lock that somebody else held.
	 * @param key the lock
	 * @return the observation, or {@code null} if there is none
	 */
	synchronized @Nullable Observation find(LockKey key) {
		Memory memory = this.memories.get(key);
		return (memory == null) ? null : memory.observation();
	}

	/**
	 * The highest fencing token seen for a lock.
	 * @param key the lock
	 * @return the token, or zero if none is remembered
	 */
	synchronized long highestToken(LockKey key) {
		Memory memory = this.memories.get(key);
		return (memory == null) ? 0 : memory.highestToken();
	}

	/**
	 * Remembers that an answer showed somebody else holding a lock.
	 * @param record the lock as it was read
	 * @param at when the answer had come, on {@link Moment#observerNanos()}
	 * @param before what the caller saw last, in case this memory has no place for it
	 * @return the observation that the record continues or begins
	 */
	synchronized Observation saw(LockRecord record, long at, @Nullable Observation before) {
		Memory memory = this.memories.get(record.key());
		Observation known = (memory == null || memory.observation() == null) ? before : memory.observation();
		long holderSince = (known != null && known.isOfSameHolder(record)) ? known.holderSince() : at;
		long firstSeen = (known != null && known.isOf(record)) ? known.firstSeen() : at;
		Observation observation = new Observation(record, holderSince, firstSeen, at);
		put(record, observation, at);
		return observation;
	}

	/**
	 * Remembers that nobody else holds a lock: it is free, or this client has it.
	 * @param record the lock as it was read or written
	 * @param at the time, on {@link Moment#observerNanos()}
	 */
	synchronized void sawNobodyElse(LockRecord record, long at) {
		put(record, null, at);
	}

	/**
	 * Forgets who held a lock; its item is gone.
	 * @param key the lock
	 */
	synchronized void sawNothing(LockKey key) {
		this.memories.computeIfPresent(key, (same, memory) -> new Memory(null, memory.highestToken()));
	}

	private void put(LockRecord record, @Nullable Observation observation, long now) {
		Memory memory = this.memories.get(record.key());
		long token = Math.max(record.fencingToken().orElse(0), (memory == null) ? 0 : memory.highestToken());
		if (memory != null || this.memories.size() < this.capacity || forgetOne(now)) {
			this.memories.put(record.key(), new Memory(observation, token));
		}
	}

	private boolean forgetOne(long now) {
		// A few from the eldest on: one long lease must not keep a place from all others.
		Iterator<Memory> eldestFirst = this.memories.values().iterator();
		for (int looked = 0; looked < MOST_LOOKED_AT && eldestFirst.hasNext(); looked++) {
			Observation observation = eldestFirst.next().observation();
			if (observation == null || observation.isForgettable(now)) {
				eldestFirst.remove();
				return true;
			}
		}
		return false;
	}

	private record Memory(@Nullable Observation observation, long highestToken) {
	}

}
