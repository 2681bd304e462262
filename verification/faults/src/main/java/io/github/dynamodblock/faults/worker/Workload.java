/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.GuardedWrite;
import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.checker.Loss;
import io.github.dynamodblock.faults.checker.RemoteHistory;
import io.github.dynamodblock.faults.checker.RemoteResources;
import io.github.dynamodblock.faults.checker.RemoteResources.Values;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.worker.Locks.Held;
import io.github.dynamodblock.faults.worker.Locks.LockingFailedException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * One thread of a worker: acquires a lock, claims what it guards, reads, thinks, writes
 * and releases, again and again.
 */
final class Workload {

	private static final int MOST_IDLE_MILLIS = 300;

	private static final long LOOK_NANOS = 25_000_000L;

	private static final String LOST = "LOST";

	private final WorkerSettings settings;

	private final Locks locks;

	private final DynamoDbClient dynamoDb;

	private final RemoteHistory history;

	private final RemoteResources resources;

	private final String name;

	private final Random random;

	private int attempts;

	/**
	 * @param number which thread of the worker it is
	 * @param settings what to do
	 * @param locks with what to lock
	 * @param dynamoDb where the guarded counters are
	 */
	Workload(int number, WorkerSettings settings, Locks locks, DynamoDbClient dynamoDb) {
		this.settings = settings;
		this.locks = locks;
		this.dynamoDb = dynamoDb;
		this.history = settings.history();
		this.resources = settings.resources();
		this.name = settings.owner() + "." + number;
		this.random = new Random(settings.seed() * 31 + number);
	}

	/**
	 * Goes on until it is told to stop.
	 * @param stopping whether to stop after the present attempt
	 * @throws IOException if the coordinator has gone
	 * @throws InterruptedException if the thread is interrupted
	 */
	void run(BooleanSupplier stopping) throws IOException, InterruptedException {
		while (!stopping.getAsBoolean()) {
			Attempt next = Attempt.next(this.random, this.settings);
			this.attempts++;
			try {
				attempt(next, this.name + "." + this.attempts);
			}
			catch (LockingFailedException ex) {
				this.history.count("not acquired: " + ex.kind());
			}
			catch (RuntimeException ex) {
				this.history.found(Rule.WORKER, this.name + ": " + ex);
				ex.printStackTrace();
			}
			TimeUnit.MILLISECONDS.sleep(this.random.nextInt(MOST_IDLE_MILLIS));
		}
	}

	private void attempt(Attempt asked, String id) throws IOException, InterruptedException, LockingFailedException {
		long began = System.nanoTime();
		Held held = this.locks.acquire(asked, (reason, deadline) -> lost(id, reason, deadline));
		if (held == null) {
			this.history.count(asked.waitTime().isZero() ? "not acquired: busy" : "not acquired: wait time elapsed");
			return;
		}
		Attempt attempt = asked.at(held.lock(asked.lock()));
		this.history.granted(new Grant(id, this.settings.owner(), attempt.lock(), held.token(), began,
				System.nanoTime(), this.settings.lease().toNanos(), attempt.deletesItem()));
		try {
			if (look(id, held)) {
				use(attempt, id, held);
			}
			else {
				this.history.count("lost before the first use");
			}
		}
		finally {
			giveBack(id, held);
		}
	}

	private void use(Attempt attempt, String id, Held held) throws IOException, InterruptedException {
		Long counted = attempt.counts() ? beginCounting(attempt, id, held) : null;
		Long token = held.token();
		if (token != null && !this.resources.claim(attempt.lock(), token)) {
			this.history.count("claims refused");
			count(attempt, id, held, counted);
			return;
		}
		Values read = this.resources.read(attempt.lock());
		think(attempt, id, held);
		boolean plain = !attempt.looks() || look(id, held);
		if (!plain) {
			this.history.count("uses abandoned after a check");
		}
		// The fenced write is tried all the same: the resource looks after itself.
		this.resources.increment(attempt.lock(), id, token, plain, read, attempt.looks());
		count(attempt, id, held, counted);
		look(id, held);
	}

	/**
	 * Updates the guarded counter for the first time, so that an update of another owner
	 * before the second one shows.
	 * @return the value that it then has; {@code null} if that is not known
	 */
	private @Nullable Long beginCounting(Attempt attempt, String id, Held held)
			throws IOException, InterruptedException {
		long read;
		try {
			read = GuardedCounter.read(this.dynamoDb, attempt.lock());
		}
		catch (SdkException ex) {
			this.history.count("guarded counters not read");
			return null;
		}
		return (write(attempt, id, held, id + ".a", read) == Outcome.ACKNOWLEDGED) ? (Long) (read + 1) : null;
	}

	/** Updates it once more, from the value that it had before the work. */
	private void count(Attempt attempt, String id, Held held, @Nullable Long counted)
			throws IOException, InterruptedException {
		if (counted != null) {
			write(attempt, id, held, id + ".b", counted);
		}
	}

	/** A holder that does not look does not ask the lock client before it writes. */
	private Outcome write(Attempt attempt, String id, Held held, String update, long read)
			throws IOException, InterruptedException {
		boolean composed = !attempt.looks();
		Outcome outcome = CounterWrites.write(this.dynamoDb, held.guard(),
				GuardedCounter.update(attempt.lock(), id, update, read), composed);
		this.history
			.guardedWrite(new GuardedWrite(update, id, attempt.lock(), outcome, this.settings.kind().isGuarded()));
		if (composed && outcome == Outcome.REFUSED) {
			this.history.count("guarded counter: stale updates that DynamoDB refused");
		}
		return outcome;
	}

	/** Asks the lock client, and reports only if the lock is held. */
	private boolean look(String id, Held held) throws IOException {
		Interval seen = seen(held);
		if (seen != null) {
			this.history.seenHeld(id, seen.from(), seen.to());
		}
		return seen != null;
	}

	private static @Nullable Interval seen(Held held) {
		long from = System.nanoTime();
		return held.isHeld() ? new Interval(from, System.nanoTime()) : null;
	}

	private void giveBack(String id, Held held) throws IOException {
		this.history.releasing(id);
		long began = System.nanoTime();
		String outcome;
		try {
			outcome = held.release();
		}
		catch (LockingFailedException ex) {
			outcome = ex.kind();
		}
		long ended = System.nanoTime();
		this.history.ended(id, new Hold.Ending(began, ended, outcome));
		this.history.count("released: " + outcome);
		if (outcome.equals(LOST) && this.settings.kind() != LockKind.AWS) {
			this.history.lossSeen(id, ended);
		}
	}

	/** Called by a thread of the lock client. */
	private void lost(String id, String reason, long deadline) {
		long told = System.nanoTime();
		try {
			this.history.lost(new Loss(id, reason, told, deadline));
		}
		catch (IOException ex) {
			throw new IllegalStateException("The coordinator has gone", ex);
		}
	}

	/**
	 * Takes its time. A careful workload looks again and again, so that it is known to a
	 * few milliseconds until when it believed to hold the lock.
	 */
	private void think(Attempt attempt, String id, Held held) throws IOException, InterruptedException {
		long end = System.nanoTime() + attempt.think().toNanos();
		Interval last = null;
		boolean looks = attempt.looks();
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			TimeUnit.NANOSECONDS.sleep(looks ? Math.min(left, LOOK_NANOS) : left);
			Interval seen = looks ? seen(held) : null;
			looks &= (seen != null);
			last = (seen != null) ? seen : last;
		}
		if (last != null) {
			this.history.seenHeld(id, last.from(), last.to());
		}
	}

}
