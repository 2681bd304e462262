/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.acquire;

import java.time.Duration;
import java.util.OptionalLong;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.runtime.call.CallerLane;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions of acquisitions that ended without a lock. */
public final class Refusals {

	private Refusals() {
	}

	/**
	 * Returns the exception for an acquisition that ended without a lock, with the stack
	 * trace of this thread.
	 */
	public static LockException explain(AcquisitionTerms terms, Step.End end) {
		if (end instanceof Step.Failed failed) {
			return CallerLane.again(failed.failure());
		}
		if (end instanceof Step.Absent) {
			return new LockNotGrantedException(terms.key(), "because it has no item, but the request requires one",
					null, null);
		}
		if (end instanceof Step.ConditionNotMet notMet) {
			return new ConditionNotMetException(terms.key(), terms.request().condition().orElseThrow(), notMet.found());
		}
		Step.Denied denied = (Step.Denied) end;
		LockToken token = terms.adopted();
		if (token != null) {
			return lost(terms.key(), denied.holder(), token);
		}
		Long leaseRemaining = denied.leaseRemainingNanos();
		return busy(terms, denied.holder(), (leaseRemaining == null) ? null : Duration.ofNanos(leaseRemaining));
	}

	private static LockNotGrantedException busy(AcquisitionTerms terms, @Nullable LockRecord holder,
			@Nullable Duration leaseRemaining) {
		StringBuilder reason = new StringBuilder((terms.waitNanos() == 0) ? "at the first attempt"
				: "within " + LogText.rounded(Duration.ofNanos(terms.waitNanos())));
		if (holder != null && terms.request().permits() > 1) {
			reason.append(": none of its ")
				.append(terms.request().permits())
				.append(" permits was granted; one is held by '")
				.append(holder.ownerName())
				.append('\'');
		}
		// Only a lock that a handle of this client holds has no remaining lease.
		else if (holder != null && leaseRemaining == null && holder.ownerName().equals(terms.ownerName())) {
			reason.append(": another handle of this client holds it, as '")
				.append(holder.ownerName())
				.append("', probably in another thread; a thread cannot acquire a lock that it already holds");
		}
		else if (holder != null) {
			reason.append(": it is held by '").append(holder.ownerName()).append('\'');
		}
		if (leaseRemaining != null) {
			reason.append("; its lease expires in ")
				.append(LogText.rounded(leaseRemaining))
				.append(" unless it is renewed");
		}
		return new LockNotGrantedException(terms.key(), reason.toString(), holder, leaseRemaining);
	}

	private static LockLostException lost(LockKey key, @Nullable LockRecord found, LockToken token) {
		LossReason reason = Renewals.lossShownBy(found, token.ownerName(), OptionalLong.of(token.fencingToken()));
		return new LockLostException(key, reason, token.fencingToken());
	}

}
