/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.function.BooleanSupplier;

import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.store.SimulatedTransaction;
import org.jspecify.annotations.Nullable;

/**
 * One guarded write of a simulated application: it is committed once at most, only while
 * its lock is held, and its caller is notified whether it was.
 */
final class ObservedWrite {

	private final SafetyChecks checks;

	private final SafetyChecks.Grant grant;

	private int commits;

	private Step.@Nullable End end;

	ObservedWrite(SafetyChecks checks, SafetyChecks.Grant grant) {
		this.checks = checks;
		this.grant = grant;
	}

	SimulatedTransaction transaction(String token, BooleanSupplier condition) {
		return new SimulatedTransaction(token, condition, this::committed);
	}

	private void committed() {
		this.commits++;
		this.checks.guardedWriteApplied(this.grant);
		if (this.commits > 1) {
			this.checks.violation("a guarded write was committed twice: " + this.grant);
		}
		if (this.end != null && !mayBeCommitted(this.end) && this.checks.isInItsLife(this.grant)) {
			this.checks.violation("a guarded write was committed, and its caller notified of " + this.end);
		}
	}

	void ended(Step.End end) {
		this.end = end;
		boolean committed = end instanceof Step.Committed;
		this.checks.count("transactions " + end.getClass().getSimpleName());
		if ((committed && this.commits == 0) || (this.commits > 0 && !committed && !mayBeCommitted(end))) {
			this.checks.violation("a guarded write was committed " + this.commits + " times, and ended with " + end);
		}
	}

	private static boolean mayBeCommitted(Step.End end) {
		return end instanceof Step.Failed failed
				&& String.valueOf(failed.failure().getMessage()).contains("it may or may not have been committed");
	}

}
