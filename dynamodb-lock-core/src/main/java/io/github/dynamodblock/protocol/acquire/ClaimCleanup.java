/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.RetriedWrite;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up after an acquisition that ended without a lock and with unanswered claims. A
 * consistent read shows whether one of them took the lock; that claim is then released.
 * If another of them is applied meanwhile, the refusal of the release shows it, and it is
 * released instead. A claim that is applied even later expires with its lease, since no
 * heartbeat renews it.
 */
public final class ClaimCleanup extends RetriedWrite {

	private final AcquisitionTerms terms;

	private final Set<String> unresolved;

	private @Nullable String toRelease;

	ClaimCleanup(AcquisitionTerms terms, Set<String> unresolved, Randomness randomness) {
		super(terms.key(), terms.lease(), randomness);
		this.terms = terms;
		this.unresolved = unresolved;
	}

	@Override
	public Step start(ClockReading now) {
		return this.unresolved.isEmpty() ? new Step.Settled() : read(now);
	}

	@Override
	protected LockWrite write(String recordVersionNumber, ClockReading now) {
		return new LockWrite.Release(this.terms.key(), recordVersionNumber,
				Set.of(Objects.requireNonNull(this.toRelease)), new LockWrite.Freeing(this.terms.deleteOnRelease(),
						ItemChange.none(), this.terms.lease().expiresAt(now)));
	}

	@Override
	protected Step decide(Answer answer, ClockReading now) {
		if (answer instanceof Answer.Unknown problem) {
			return retry(problem, now);
		}
		LockRecord found = answer.shown();
		if (found != null && isToRelease(found)) {
			this.toRelease = found.recordVersionNumber();
			return write(now);
		}
		return new Step.Settled();
	}

	private boolean isToRelease(LockRecord record) {
		String version = record.recordVersionNumber();
		return !record.isReleased() && this.unresolved.contains(version) && !version.equals(this.toRelease);
	}

}
