/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.StoreErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that logs outages: once when one begins, with the cause, and once when it ends.
 * It does not log single failed calls, which are retried. With a clock bound, it also
 * logs when this node's clock is found to be wrong, and when it is right again.
 * Thread-safe.
 */
public final class OutageLoggingStore implements LockStore {

	private static final Logger logger = LoggerFactory.getLogger(LockClient.class);

	private static final int CALLS_OF_AN_OUTAGE = 3;

	private final LockStore store;

	private final String clientName;

	private final LeaseTerms lease;

	private final LongSupplier nanoTime;

	private final InstantSource wallClock;

	private final AtomicReference<Failing> failing = new AtomicReference<>(Failing.NONE);

	private final AtomicBoolean clockOff = new AtomicBoolean();

	public OutageLoggingStore(LockStore store, ClientSettings settings, LongSupplier nanoTime,
			InstantSource wallClock) {
		this.store = store;
		this.clientName = settings.ownerName();
		this.lease = settings.lease();
		this.nanoTime = nanoTime;
		this.wallClock = wallClock;
	}

	@Override
	public Answer send(Step.Call call) {
		Answer answer = this.store.send(call);
		Throwable failure = answer.cause();
		// A transaction may fail because of the application's items, and an interrupt
		// says nothing about DynamoDB.
		boolean ofTheCaller = (call instanceof Step.Transact && !(answer instanceof Answer.Unknown))
				|| (failure != null && StoreErrors.isInterrupt(failure));
		if (failure == null || !ofTheCaller) {
			note(failure);
		}
		return answer;
	}

	/** Does not log failures: the reader of the list receives them. */
	@Override
	public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
		return this.store.list(request, openCheck, slots);
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.store.serviceTime();
	}

	private void note(@Nullable Throwable failure) {
		try {
			if (failure == null || isAboutOneItem(failure)) {
				answered();
				compareClocks();
			}
			else {
				failed(failure);
			}
		}
		catch (RuntimeException ex) {
			// A log that throws must not discard the answer.
			Callbacks.report(ex);
		}
	}

	private static boolean isAboutOneItem(Throwable failure) {
		return failure instanceof LockTableException table && table.problem() == LockTableException.Problem.NOT_A_LOCK;
	}

	private void failed(Throwable failure) {
		long now = this.nanoTime.getAsLong();
		int failed = this.failing.updateAndGet((before) -> before.andOneMore(now)).calls();
		if (failed == CALLS_OF_AN_OUTAGE) {
			logger.warn("{} consecutive DynamoDB calls of lock client '{}' failed; calls are retried until one "
					+ "succeeds. Last error: {}", failed, this.clientName, LockLog.text(failure));
			logger.debug("Stack trace of the last error", failure);
		}
	}

	private void answered() {
		if (Failing.NONE.equals(this.failing.get())) {
			return;
		}
		Failing before = this.failing.getAndSet(Failing.NONE);
		if (before.calls() >= CALLS_OF_AN_OUTAGE) {
			logger.info("DynamoDB calls of lock client '{}' succeed again, after {} and {} failed calls",
					this.clientName, LogText.rounded(Duration.ofNanos(this.nanoTime.getAsLong() - before.since())),
					before.calls());
		}
	}

	/**
	 * Called only after a success: during a long outage, DynamoDB's time becomes too
	 * uncertain.
	 */
	private void compareClocks() {
		Duration bound = this.lease.clockSkewBound();
		ServiceTime time = (bound != null) ? serviceTime().orElse(null) : null;
		if (bound == null || time == null) {
			return;
		}
		Instant wallClock = this.wallClock.instant();
		boolean off = this.lease.isClockOff(new ClockReading(0, 0, wallClock, time));
		if (off == this.clockOff.getAndSet(off)) {
			return;
		}
		if (off) {
			Duration difference = time.differenceOf(wallClock);
			logger.warn(
					"The clock of this node is {}{} DynamoDB's, more than half the clock skew bound of {}. Until the "
							+ "clocks agree, lock client '{}' takes over expired locks only after it has observed them "
							+ "for a lease; check the node's time service (NTP)",
					LogText.rounded(difference.abs()), difference.isNegative() ? " behind" : " ahead of",
					LogText.of(bound), this.clientName);
		}
		else {
			logger.info("The clock of this node agrees with DynamoDB's again, so lock client '{}' uses it again "
					+ "to take over expired locks", this.clientName);
		}
	}

	/** The number of consecutive failed calls, and when the first one failed. */
	private record Failing(int calls, long since) {

		static final Failing NONE = new Failing(0, 0);

		Failing andOneMore(long now) {
			return new Failing(this.calls + 1, (this.calls == 0) ? now : this.since);
		}

	}

}
