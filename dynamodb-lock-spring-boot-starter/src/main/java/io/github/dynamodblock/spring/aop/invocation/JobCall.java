/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobStart;

/**
 * The part of a scheduled call that is about the job's ticks.
 *
 * @param runs decides which runs this node starts
 * @param start the run that the call tries to start
 */
record JobCall(JobRuns runs, JobStart start) {

	LockRequest claim(LockRequest request) {
		return this.start.claim(request, this.start.run().job().client().ownerName());
	}

	void prepare(LockedExecution execution) {
		execution.releaseWith((failure) -> this.runs.ended(this.start, failure));
	}

	void started(List<HeldLock> locks) {
		this.runs.started(this.start, locks.get(0).record());
	}

	boolean isManual() {
		return this.start.run().manual();
	}

	boolean isRerunAfterCrash() {
		return this.start.run().job().onCrash() == OnCrash.RERUN;
	}

	void refused(RuntimeException failure) {
		if (failure instanceof LockNotGrantedException refusal) {
			this.runs.refused(this.start, refusal);
		}
		else if (failure instanceof LockStoreException) {
			this.runs.failed(this.start);
		}
	}

}
