/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * What is done, after an acquisition ended without a lock, about its writes that were not
 * answered: one consistent read shows whether one of them took the lock, and if so it is
 * released. If another of them lands meanwhile, the refused release shows it, and it is
 * released instead. A write that lands even later frees itself after one lease, since
 * nobody renews it.
 */
public final class ClaimCleanup implements Operation {

	private static final int MOST_ATTEMPTS = 5;

	private final LockKey key;

	private final AcquisitionTerms terms;

	private final Set<String> unresolved;

	private final Randomness randomness;

	private int unanswered;

	private @Nullable String toRelease;

	ClaimCleanup(LockKey key, AcquisitionTerms terms, Set<String> unresolved, Randomness randomness) {
		this.key = key;
		this.terms = terms;
		this.unresolved = unresolved;
		this.randomness = randomness;
	}

	@Override
	public Step start(ClockReading now) {
		return this.unresolved.isEmpty() ? new Step.Settled() : next(now);
	}

	@Override
	public Step wake(ClockReading now) {
		return next(now);
	}

	@Override
	public Step answered(Answer answer, ClockReading now) {
		LockRecord shown = shownBy(answer);
		if (shown != null && isToRelease(shown)) {
			this.toRelease = shown.recordVersionNumber();
			return next(now);
		}
		if (answer instanceof Answer.Unknown && ++this.unanswered < MOST_ATTEMPTS) {
			long pause = Backoff.nanos(this.unanswered, this.randomness.fraction());
			return new Step.Wait(Nanos.later(now.observerNanos(), pause));
		}
		return new Step.Settled();
	}

	/** Another of these writes may land between the read and the release. */
	private static @Nullable LockRecord shownBy(Answer answer) {
		if (answer instanceof Answer.Refused refused) {
			return refused.record();
		}
		return (answer instanceof Answer.Found found) ? found.record() : null;
	}

	private boolean isToRelease(LockRecord record) {
		String version = record.recordVersionNumber();
		return !record.isReleased() && this.unresolved.contains(version) && !version.equals(this.toRelease);
	}

	private Step next(ClockReading now) {
		long limit = this.terms.lease().callLimitNanos();
		if (this.toRelease == null) {
			return new Step.Read(this.key, true, limit);
		}
		return new Step.Write(new LockWrite.Release(this.key, this.randomness.recordVersionNumber(),
				Set.of(this.toRelease), new LockWrite.Freeing(this.terms.deleteOnRelease(), ItemChange.none(),
						this.terms.lease().expiresAt(now))),
				limit);
	}

}
