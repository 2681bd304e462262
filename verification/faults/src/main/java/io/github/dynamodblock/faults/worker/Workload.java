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
import io.github.dynamodblock.faults.checker.Resource;
import io.github.dynamodblock.faults.wire.Connection;
import io.github.dynamodblock.faults.wire.Message;
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

	private final Connection connection;

	private final Connection listenerConnection;

	private final String name;

	private final Random random;

	private int attempts;

	/**
	 * @param number which thread of the worker it is
	 * @param settings what to do
	 * @param locks with what to lock
	 * @param dynamoDb where the guarded counters are
	 * @param connection the thread's own, so that what it reports keeps its order
	 * @param listenerConnection for what is told by other threads
	 */
	Workload(int number, WorkerSettings settings, Locks locks, DynamoDbClient dynamoDb, Connection connection,
			Connection listenerConnection) {
		this.settings = settings;
		this.locks = locks;
		this.dynamoDb = dynamoDb;
		this.connection = connection;
		this.listenerConnection = listenerConnection;
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
			Attempt attempt = Attempt.next(this.random, this.settings);
			this.attempts++;
			try {
				attempt(attempt, this.name + "." + this.attempts);
			}
			catch (LockingFailedException ex) {
				tell(new Message.Count("not acquired: " + ex.kind()));
			}
			catch (RuntimeException ex) {
				tell(new Message.Problem(this.name + ": " + ex));
				ex.printStackTrace();
			}
			TimeUnit.MILLISECONDS.sleep(this.random.nextInt(MOST_IDLE_MILLIS));
		}
	}

	private void attempt(Attempt attempt, String id) throws IOException, InterruptedException, LockingFailedException {
		long began = System.nanoTime();
		Held held = this.locks.acquire(attempt, (reason, deadline) -> lost(id, reason, deadline));
		if (held == null) {
			tell(new Message.Count(
					attempt.waitTime().isZero() ? "not acquired: busy" : "not acquired: wait time elapsed"));
			return;
		}
		tell(new Message.Granted(new Grant(id, this.settings.owner(), attempt.lock(), held.token(), began,
				System.nanoTime(), this.settings.lease().toNanos(), attempt.deletesItem())));
		try {
			if (look(id, held)) {
				use(attempt, id, held);
			}
			else {
				tell(new Message.Count("lost before the first use"));
			}
		}
		finally {
			giveBack(id, held);
		}
	}

	private void use(Attempt attempt, String id, Held held) throws IOException, InterruptedException {
		Long counted = beginCounting(attempt, id, held);
		Long token = held.token();
		if (token != null && !ask(new Message.Claim(attempt.lock(), token), Boolean.class)) {
			tell(new Message.Count("claims refused"));
			count(attempt, id, held, counted);
			return;
		}
		Resource.Values read = ask(new Message.Read(attempt.lock()), Resource.Values.class);
		think(attempt, id, held);
		boolean plain = !attempt.looks() || look(id, held);
		if (!plain) {
			tell(new Message.Count("uses abandoned after a check"));
		}
		// The fenced write is tried all the same: the resource looks after itself.
		ask(new Message.Increment(id, attempt.lock(), token, plain, read, attempt.looks()), Boolean.class);
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
			tell(new Message.Count("guarded counters not read"));
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
		Outcome outcome = held.write(GuardedCounter.update(attempt.lock(), id, update, read), composed);
		tell(new Message.Guarded(
				new GuardedWrite(update, id, attempt.lock(), outcome, this.settings.kind().isGuarded())));
		if (composed && outcome == Outcome.REFUSED) {
			tell(new Message.Count("guarded counter: stale updates that DynamoDB refused"));
		}
		return outcome;
	}

	/** Asks the lock client, and reports only if the lock is held. */
	private boolean look(String id, Held held) throws IOException {
		Message.SeenHeld seen = seen(id, held);
		if (seen != null) {
			tell(seen);
		}
		return seen != null;
	}

	private static Message.@Nullable SeenHeld seen(String id, Held held) {
		long from = System.nanoTime();
		return held.isHeld() ? new Message.SeenHeld(id, from, System.nanoTime()) : null;
	}

	private void giveBack(String id, Held held) throws IOException {
		tell(new Message.Releasing(id));
		long began = System.nanoTime();
		String outcome;
		try {
			outcome = held.release();
		}
		catch (LockingFailedException ex) {
			outcome = ex.kind();
		}
		long ended = System.nanoTime();
		tell(new Message.Ended(id, began, ended, outcome));
		tell(new Message.Count("released: " + outcome));
		if (outcome.equals(LOST) && this.settings.kind() != LockKind.AWS) {
			tell(new Message.LossSeen(id, ended));
		}
	}

	/** Called by a thread of the lock client. */
	private void lost(String id, String reason, long deadline) {
		long told = System.nanoTime();
		try {
			this.listenerConnection.tell(new Message.Lost(id, reason, told, deadline));
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
		Message.SeenHeld last = null;
		boolean looks = attempt.looks();
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			TimeUnit.NANOSECONDS.sleep(looks ? Math.min(left, LOOK_NANOS) : left);
			Message.SeenHeld seen = looks ? seen(id, held) : null;
			looks &= (seen != null);
			last = (seen != null) ? seen : last;
		}
		if (last != null) {
			tell(last);
		}
	}

	private void tell(Message message) throws IOException {
		this.connection.tell(message);
	}

	private <T> T ask(Message.Question question, Class<T> type) throws IOException {
		return this.connection.ask(question, type);
	}

}
