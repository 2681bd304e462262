/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * The claims that one acquisition has sent: each with a record version number of its own,
 * by which its effect is recognised later.
 */
final class Claims {

	private final AcquisitionTerms terms;

	private final Randomness randomness;

	/** The time before each claim was first sent, by its record version number. */
	private final Map<String, Long> sent = new HashMap<>();

	/** Those that may have taken the lock without this acquisition's knowledge. */
	private final Set<String> unresolved = new HashSet<>();

	private LockWrite.@Nullable Claim last;

	Claims(AcquisitionTerms terms, Randomness randomness) {
		this.terms = terms;
		this.randomness = randomness;
	}

	/**
	 * The next claim, about to be sent.
	 * @param expired a record version number that may be taken, or {@code null}
	 * @param present the names of the attributes that the item is known to have
	 * @param highestToken the highest fencing token that was seen for the lock
	 * @param now the time before it is sent
	 * @return the claim
	 */
	LockWrite.Claim next(@Nullable String expired, Set<String> present, long highestToken, Moment now) {
		String version = this.randomness.recordVersionNumber();
		LockRecord wanted = LockRecord
			.builder(this.terms.key(), this.terms.ownerName(), this.terms.lease().leaseDuration(), version)
			.acquiredAt(now.wallClock())
			.build();
		long seed = Math.max(now.wallClockMicros(), highestToken);
		this.last = new LockWrite.Claim(wanted, this.terms.request().change().against(present),
				this.terms.grounds().orVersion(expired), seed, this.terms.lease().stamps(now));
		this.sent.put(version, now.holderNanos());
		this.unresolved.add(version);
		return this.last;
	}

	/**
	 * When a claim was sent.
	 * @param record a record read or written
	 * @return the time before it was sent, on {@link Moment#holderNanos()}, or
	 * {@code null} if none of these claims wrote the record
	 */
	@Nullable Long sentAt(@Nullable LockRecord record) {
		return (record == null || record.isReleased()) ? null : this.sent.get(record.recordVersionNumber());
	}

	/**
	 * Whether the last claim was to take this very version.
	 * @param record the record that refused it
	 * @return whether it was
	 */
	boolean lastWasFor(LockRecord record) {
		return this.last != null && record.recordVersionNumber().equals(this.last.grounds().version());
	}

	/** The last claim had no effect and will have none. */
	void lastHadNoEffect() {
		if (this.last != null) {
			this.unresolved.remove(this.last.recordVersionNumber());
		}
	}

	/** One of them took the lock, too late or not as wanted. */
	void tookTheLock(LockRecord record) {
		this.unresolved.add(record.recordVersionNumber());
	}

	/** None of them may have taken the lock unnoticed. */
	void resolve() {
		this.unresolved.clear();
	}

	Set<String> unresolved() {
		return Set.copyOf(this.unresolved);
	}

}
