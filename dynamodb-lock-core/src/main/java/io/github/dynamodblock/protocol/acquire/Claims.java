/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import org.jspecify.annotations.Nullable;

/**
 * The claims that one acquisition has sent for one slot. Each has a separate record
 * version number, by which its effect is recognized later.
 */
final class Claims {

	/**
	 * Above this number, claims that are older than a lease are forgotten. Newer claims
	 * are never forgotten, because each of them may hold the lock.
	 */
	private static final int MOST_OUTDATED = 100;

	private final AcquisitionTerms terms;

	private final Randomness randomness;

	/** The time before each claim was sent, by its record version number. */
	private final Map<String, Long> sent = new LinkedHashMap<>();

	/** Claims that may have taken the lock without this acquisition's knowledge. */
	private final Set<String> unresolved = new HashSet<>();

	private LockWrite.@Nullable Claim last;

	Claims(AcquisitionTerms terms, Randomness randomness) {
		this.terms = terms;
		this.randomness = randomness;
	}

	/** Returns the next claim, which is about to be sent. */
	LockWrite.Claim next(LockWrite.Precondition precondition, long highestToken, ClockReading now) {
		String version = this.randomness.recordVersionNumber();
		LockRecord wanted = LockRecord
			.builder(this.terms.key(), this.terms.ownerName(), this.terms.lease().leaseDuration(), version)
			.name(this.terms.request().name().orElse(null))
			.acquiredAt(now.wallClock())
			.build();
		long seed = Math.max(now.wallClockMicros(), highestToken);
		this.last = new LockWrite.Claim(wanted, this.terms.request().change(), precondition, seed,
				this.terms.lease().timestamps(now), this.terms.lease().keepItem());
		this.sent.put(version, now.holderNanos());
		this.unresolved.add(version);
		forgetOutdated(now);
		return this.last;
	}

	/** Bounds the memory if a wait lasts for days, such as during an outage. */
	private void forgetOutdated(ClockReading now) {
		long leaseAgo = now.holderNanos() - Nanos.of(this.terms.lease().leaseDuration());
		Iterator<Map.Entry<String, Long>> eldestFirst = this.sent.entrySet().iterator();
		while (this.sent.size() > MOST_OUTDATED) {
			Map.Entry<String, Long> eldest = eldestFirst.next();
			if (eldest.getValue() - leaseAgo > 0) {
				return;
			}
			this.unresolved.remove(eldest.getKey());
			eldestFirst.remove();
		}
	}

	/**
	 * Returns the last claim once more, because it may have waited for its call slot. Its
	 * timestamps and its validity count from now.
	 */
	LockWrite.Claim sending(ClockReading now) {
		LockWrite.Claim waited = Objects.requireNonNull(this.last);
		this.last = new LockWrite.Claim(waited.wanted(), waited.change(), waited.precondition(),
				Math.max(waited.tokenSeed(), now.wallClockMicros()), this.terms.lease().timestamps(now),
				waited.keepItem());
		this.sent.put(waited.recordVersionNumber(), now.holderNanos());
		return this.last;
	}

	/**
	 * Returns the time before the claim that wrote this record, on
	 * {@link ClockReading#holderNanos()}; {@code null} if no claim of this acquisition
	 * wrote it.
	 */
	@Nullable Long sentAt(@Nullable LockRecord record) {
		return (record == null || record.isReleased()) ? null : this.sent.get(record.recordVersionNumber());
	}

	/**
	 * Whether the last claim was for the version that the item has. If so, it was refused
	 * for a reason other than the version.
	 */
	boolean lastWasFor(LockRecord record) {
		return this.last != null && record.recordVersionNumber().equals(this.last.precondition().version());
	}

	/** Whether the last claim was refused because of its condition. */
	boolean lastIsUnmet(@Nullable LockRecord found) {
		return this.last != null && this.last.precondition().isUnmet(found);
	}

	/** Notes that the last claim had no effect and will have none. */
	void lastHadNoEffect() {
		if (this.last != null) {
			this.unresolved.remove(this.last.recordVersionNumber());
		}
	}

	/** Notes that a claim took the lock, but its grant cannot be used. */
	void tookTheLock(LockRecord record) {
		this.unresolved.add(record.recordVersionNumber());
	}

	/** Notes that no claim can have taken the lock without this client's knowledge. */
	void resolve() {
		this.unresolved.clear();
	}

	boolean isResolved() {
		return this.unresolved.isEmpty();
	}

	Set<String> unresolved() {
		return Set.copyOf(this.unresolved);
	}

}
