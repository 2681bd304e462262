/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;

/**
 * A lock client whose acquisitions are measured, and whose locks are listened to by the
 * meters. It works for clients of any making, since a listener comes with each request.
 */
class MeteredLockClient extends LockClientDecorator {

	private final LockMeters meters;

	MeteredLockClient(LockClient delegate, LockMeters meters) {
		super(delegate);
		this.meters = meters;
	}

	@Override
	public HeldLock acquire(LockRequest request) throws InterruptedException {
		MeteredAcquisition acquisition = this.meters.begin(request);
		return measured(acquisition, () -> delegate().acquire(acquisition.request()));
	}

	@Override
	public HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException {
		MeteredAcquisition acquisition = this.meters.begin(request);
		return measured(acquisition, () -> delegate().adopt(token, acquisition.request()));
	}

	private static HeldLock measured(MeteredAcquisition acquisition, Attempt attempt) throws InterruptedException {
		try {
			HeldLock lock = attempt.make();
			acquisition.ended(AcquisitionOutcome.ACQUIRED);
			return lock;
		}
		catch (InterruptedException | RuntimeException ex) {
			acquisition.ended(AcquisitionOutcome.of(ex));
			throw ex;
		}
	}

	@Override
	public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
		MeteredAcquisition acquisition = this.meters.begin(request);
		try {
			Optional<HeldLock> lock = delegate().tryAcquire(acquisition.request());
			acquisition.ended(AcquisitionOutcome.of(lock));
			return lock;
		}
		catch (InterruptedException | RuntimeException ex) {
			acquisition.ended(AcquisitionOutcome.of(ex));
			throw ex;
		}
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		MeteredAcquisition acquisition = this.meters.begin(request);
		CompletableFuture<HeldLock> future;
		try {
			future = delegate().acquireAsync(acquisition.request(), executor);
		}
		catch (RuntimeException ex) {
			acquisition.ended(AcquisitionOutcome.of(ex));
			throw ex;
		}
		// The same future is handed on: cancelling another one would not give up.
		future.whenComplete((lock, problem) -> acquisition.ended(AcquisitionOutcome.of(problem)));
		return future;
	}

	/** What gives the lock or throws. */
	@FunctionalInterface
	private interface Attempt {

		HeldLock make() throws InterruptedException;

	}

}
