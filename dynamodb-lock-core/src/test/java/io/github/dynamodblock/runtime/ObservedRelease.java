/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.store.SimulatedTransaction;
import org.jspecify.annotations.Nullable;

/**
 * One release with items of a simulated application: both are applied at once, or
 * neither, and its caller is notified which.
 */
final class ObservedRelease {

	private final SafetyChecks checks;

	private final SafetyChecks.Grant grant;

	private final LeaseHandle lock;

	/** Whether the lock may be kept for its holdAtLeast, and stay held meanwhile. */
	private final boolean mayBeKept;

	private int commits;

	private boolean freedAtOnce;

	/** The end by which nothing was written and nothing may be, if that was so. */
	private @Nullable String nothing;

	ObservedRelease(SafetyChecks checks, SafetyChecks.Grant grant, LeaseHandle lock, boolean mayBeKept) {
		this.checks = checks;
		this.grant = grant;
		this.lock = lock;
		this.mayBeKept = mayBeKept;
		checks.begun(this.grant, this);
	}

	SimulatedTransaction transaction(String token, Chance chance, VirtualTime time) {
		return new SimulatedTransaction(token, () -> chance.in(0.8), () -> committed(time));
	}

	private void committed(VirtualTime time) {
		this.commits++;
		this.checks.guardedWriteApplied(this.grant);
		if (this.commits > 1) {
			this.checks.violation("the items of a release were committed twice: " + this.grant);
		}
		if (this.nothing != null && this.checks.isInItsLife(this.grant)) {
			this.checks.violation("the items of a release were committed after " + this.nothing + ": " + this.grant);
		}
		// Before anything else happens in the table.
		time.at(0, () -> this.freedAtOnce = !this.checks.isHeldUnder(this.grant));
	}

	/**
	 * The lock of its grant was released by another write. A client that closes may be
	 * first: the lock is then lost.
	 */
	void releasedAlone() {
		if (this.commits == 0 && this.lock.last().lossReason() == null) {
			this.checks.violation("a lock was released without the items of its release: " + this.grant);
		}
	}

	/**
	 * The caller is notified.
	 * @return whether the lock is held again
	 */
	boolean ended(@Nullable ReleaseOutcome outcome, @Nullable Throwable problem) {
		this.checks.count("releases with items " + ((outcome != null) ? outcome : name(problem)));
		if (outcome == ReleaseOutcome.RELEASED || outcome == ReleaseOutcome.KEPT) {
			this.checks.over(this.grant);
			if (this.commits == 0) {
				this.checks.violation("a release ended with " + outcome + " and its items were not committed");
			}
			if (outcome == ReleaseOutcome.RELEASED && !this.freedAtOnce) {
				this.checks.violation("items were committed, and the lock was not released with them: " + this.grant);
			}
			return false;
		}
		if (problem != null && mayBeCommitted(problem)) {
			if (this.lock.last().isKept() && !this.mayBeKept) {
				this.checks.violation("a lock is held again whose release may be committed: " + this.grant);
			}
			return false;
		}
		this.nothing = (outcome != null) ? outcome.name() : name(problem);
		this.checks.over(this.grant);
		if (this.commits > 0) {
			this.checks.violation("the items of a release were committed, and it ended with " + this.nothing);
		}
		boolean lost = this.lock.last().lossReason() != null;
		if (problem != null && !this.lock.last().isKept() && !lost) {
			this.checks.violation("a release was cancelled, and the lock is not held again: " + this.grant);
		}
		return problem != null && !lost;
	}

	private static String name(@Nullable Throwable problem) {
		return (problem == null) ? "nothing" : mayBeCommitted(problem) ? "unknown" : problem.getClass().getSimpleName();
	}

	private static boolean mayBeCommitted(Throwable problem) {
		return problem instanceof LockClientClosedException
				|| String.valueOf(problem.getMessage()).contains("it may have been committed or not");
	}

}
