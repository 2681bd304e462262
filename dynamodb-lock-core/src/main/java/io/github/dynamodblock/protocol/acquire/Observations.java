/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * A client's memory of the locks that it has seen. It outlives an acquisition. A client
 * that makes only single attempts can therefore take over a dead owner's lock, too, once
 * it has known the unchanged lock for a lease. A full memory ignores new locks rather
 * than forget one that it still needs. Shared by the client's operations; thread-safe.
 */
public final class Observations {

	private static final int MOST_EXAMINED = 32;

	private final int capacity;

	/** The locks for which a background read is pending. */
	private final Set<LockKey> incomplete = new HashSet<>();

	// In access order, least recently used first.
	private final Map<LockKey, Memory> memories = new LinkedHashMap<>(16, 0.75f, true);

	public Observations(int capacity) {
		this.capacity = capacity;
	}

	/** Returns the observation of another owner, or {@code null}. */
	synchronized @Nullable Observation find(LockKey key) {
		Memory memory = this.memories.get(key);
		return (memory == null) ? null : memory.observation();
	}

	synchronized long highestToken(LockKey key) {
		Memory memory = this.memories.get(key);
		return (memory == null) ? 0 : memory.highestToken();
	}

	/**
	 * Remembers that an answer showed another owner holding a lock.
	 * @param at when the answer came, on {@link ClockReading#observerNanos()}
	 * @param before the caller's last observation, in case this memory had no place for
	 * it
	 */
	synchronized Observation saw(LockRecord record, long at, @Nullable Observation before) {
		Memory memory = this.memories.get(record.key());
		Observation known = (memory == null || memory.observation() == null) ? before : memory.observation();
		Observation same = (known != null && known.isOfSameHolder(record)) ? known : null;
		long holderSince = (same != null) ? same.holderSince() : at;
		long firstSeen = (known != null && known.isOf(record)) ? known.firstSeen() : writtenBefore(record, at);
		Observation observation = new Observation(record, holderSince, firstSeen, at,
				(same != null) ? same.markedAt() : null);
		put(record, observation.withoutContent(), at);
		return observation;
	}

	/**
	 * Remembers that this client marks a holder's lock, and returns the marked
	 * observation.
	 */
	synchronized Observation marks(Observation holder, long at) {
		this.memories.computeIfPresent(holder.record().key(), (key, memory) -> {
			Observation known = memory.observation();
			return (known == null) ? memory : memory.observed(known.marked(at), 0);
		});
		return holder.marked(at);
	}

	/**
	 * Returns the time from which a record's lease counts: when this client sent the
	 * write, or when an answer showed another client's write.
	 */
	private long writtenBefore(LockRecord record, long at) {
		Memory memory = this.memories.get(record.key());
		Written own = (memory == null) ? null : memory.written();
		return (own != null && own.isOf(record)) ? Math.min(own.sentAt(), at) : at;
	}

	/**
	 * Remembers a claim or heartbeat of this client that was applied. If the lock is lost
	 * and not released, this client can take it over one lease after it sent the write.
	 * The old handle is lost earlier, because its validity is shorter than the lease and
	 * counts from the same time.
	 * @param sentAt when this write, or a later call, was sent, on
	 * {@link ClockReading#holderNanos()}
	 */
	public synchronized void wrote(LockRecord record, long sentAt, ClockReading now) {
		// Measured on the clock that ends the handle, which includes suspensions.
		long sentAgo = now.holderNanos() - sentAt;
		Written written = new Written(record.recordVersionNumber(), record.leaseDuration(),
				now.observerNanos() - sentAgo);
		this.memories.computeIfPresent(record.key(), (key, memory) -> memory.wrote(written));
	}

	synchronized void sawNoOtherOwner(LockRecord record, long at) {
		put(record, null, at);
	}

	/**
	 * Notes a grant to this client, and returns whether it is certainly the client's
	 * latest. If not, only another claim can settle it. A claim that was sent after the
	 * answer to another one is certainly later. The order of two concurrent claims is
	 * unknown: answers can overtake each other, and fencing tokens restart if the item
	 * was deleted in between. If the memory has no place for the lock, each grant counts
	 * as the latest.
	 * @param sentAt before the claim was sent, on {@link ClockReading#holderNanos()}
	 * @param now when the claim was answered, or later
	 */
	synchronized boolean granted(LockRecord record, long sentAt, ClockReading now) {
		Memory memory = this.memories.get(record.key());
		Long before = (memory == null) ? null : memory.grantedAt();
		sawNoOtherOwner(record, now.observerNanos());
		wrote(record, sentAt, now);
		if (before != null && sentAt - before < 0) {
			return false;
		}
		this.memories.computeIfPresent(record.key(), (key, noted) -> noted.granted(now.holderNanos()));
		return true;
	}

	/**
	 * Notes that this client ended a lease of a lock for which another client waits.
	 * @param nanos how long to let others go first, by {@link Observation#pauseForOthers}
	 */
	public synchronized void pauseForOthers(LockKey key, long nanos, ClockReading now) {
		long end = Nanos.later(now.observerNanos(), nanos);
		this.memories.computeIfPresent(key, (same, memory) -> memory.passed(end));
	}

	/** Returns for how many nanoseconds this client still lets others go first. */
	synchronized long pauseNanos(LockKey key, ClockReading now) {
		Memory memory = this.memories.get(key);
		Long end = (memory == null) ? null : memory.pauseEnds();
		return (end == null) ? 0 : Math.max(0, end - now.observerNanos());
	}

	/** Forgets the owner of a lock that has no item. */
	synchronized void sawNothing(LockKey key) {
		this.memories.computeIfPresent(key, (same, memory) -> memory.observed(null, 0));
	}

	/**
	 * Returns an operation for the time after a refusal. It reads the lock once more when
	 * the holder's lease would end. If the holder has crashed by then, the read shows its
	 * last record version number, and a later attempt can take over at once.
	 * @return the operation, or {@code null} if no owner is remembered or a read is
	 * pending
	 */
	public synchronized @Nullable Operation complete(LockKey key) {
		boolean hasPlace = find(key) != null && this.incomplete.size() < this.capacity;
		return (hasPlace && this.incomplete.add(key)) ? new BackgroundRead(key) : null;
	}

	private synchronized void completed(LockKey key, @Nullable Observation before, Answer.@Nullable Found found,
			ClockReading now) {
		this.incomplete.remove(key);
		Observation known = find(key);
		if (found == null || before == null || known == null || !known.isOf(before.record())) {
			// In the meantime, this client took the lock or saw it change.
			return;
		}
		if (found.record() == null) {
			sawNothing(key);
		}
		else if (found.record().isReleased()) {
			sawNoOtherOwner(found.record(), now.observerNanos());
		}
		else {
			saw(found.record(), now.observerNanos(), null);
		}
	}

	private void put(LockRecord record, @Nullable Observation observation, long now) {
		Memory memory = this.memories.get(record.key());
		if (memory != null || this.memories.size() < this.capacity || forgetOne(now)) {
			Memory known = (memory != null) ? memory : Memory.NONE;
			this.memories.put(record.key(), known.observed(observation, record.fencingToken().orElse(0)));
		}
	}

	private boolean forgetOne(long now) {
		// Examines several, so an observation of a long lease at the front does not stop
		// all others from being forgotten.
		Iterator<Memory> eldestFirst = this.memories.values().iterator();
		for (int examined = 0; examined < MOST_EXAMINED && eldestFirst.hasNext(); examined++) {
			Observation observation = eldestFirst.next().observation();
			if (observation == null || observation.isForgettable(now)) {
				eldestFirst.remove();
				return true;
			}
		}
		return false;
	}

	/**
	 * The background read. It is not made if the client saw the lock change in the
	 * meantime.
	 */
	private final class BackgroundRead implements Operation {

		private final LockKey key;

		private @Nullable Observation observation;

		BackgroundRead(LockKey key) {
			this.key = key;
		}

		@Override
		public Step start(ClockReading now) {
			this.observation = find(this.key);
			return (this.observation == null) ? end(null, now) : new Step.Wait(this.observation.leaseEnds());
		}

		@Override
		public Step wake(ClockReading now) {
			Observation known = find(this.key);
			if (known == null || this.observation == null) {
				return end(null, now);
			}
			if (!known.isOf(this.observation.record())) {
				// A later acquisition was refused, and its observation needs completion.
				this.observation = known;
				return known.leaseEnded(now) ? end(null, now) : new Step.Wait(known.leaseEnds());
			}
			return known.lastSeen() >= known.leaseEnds() ? end(null, now)
					: new Step.Read(this.key, false, Step.Call.LONGEST_NANOS);
		}

		@Override
		public Step answered(Answer answer, ClockReading now) {
			return end((answer instanceof Answer.Found found) ? found : null, now);
		}

		private Step end(Answer.@Nullable Found found, ClockReading now) {
			completed(this.key, this.observation, found, now);
			return new Step.Settled();
		}

	}

	/**
	 * What a client remembers of a lock.
	 *
	 * @param grantedAt when this client's latest grant was answered, on
	 * {@link ClockReading#holderNanos()}, or {@code null}
	 * @param pauseEnds until when this client lets others go first, on
	 * {@link ClockReading#observerNanos()}, or {@code null}
	 */
	private record Memory(@Nullable Observation observation, long highestToken, @Nullable Long grantedAt,
			@Nullable Written written, @Nullable Long pauseEnds) {

		static final Memory NONE = new Memory(null, 0, null, null, null);

		Memory observed(@Nullable Observation seen, long token) {
			return new Memory(seen, Math.max(token, this.highestToken), this.grantedAt, this.written, this.pauseEnds);
		}

		Memory granted(long at) {
			return new Memory(this.observation, this.highestToken, at, this.written, null);
		}

		Memory passed(long end) {
			return new Memory(this.observation, this.highestToken, this.grantedAt, this.written, end);
		}

		Memory wrote(Written own) {
			return new Memory(this.observation, this.highestToken, this.grantedAt, own, this.pauseEnds);
		}

	}

	/** A claim or heartbeat of this client, sent at a time of the observer's clock. */
	private record Written(String version, Duration leaseDuration, long sentAt) {

		boolean isOf(LockRecord record) {
			return this.version.equals(record.recordVersionNumber())
					&& this.leaseDuration.equals(record.leaseDuration());
		}

	}

}
