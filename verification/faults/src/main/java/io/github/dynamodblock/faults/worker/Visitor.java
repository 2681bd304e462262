/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.dynamodblock.faults.judge.Grant;
import io.github.dynamodblock.faults.judge.Resource;
import io.github.dynamodblock.faults.wire.Connection;
import io.github.dynamodblock.faults.wire.Message;
import io.github.dynamodblock.faults.worker.Locks.Held;
import io.github.dynamodblock.faults.worker.Locks.LockingFailedException;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a worker: acquires a lock, claims what it guards, reads, thinks, writes
 * and releases, again and again.
 */
final class Visitor {

	private static final int MOST_IDLE_MILLIS = 300;

	private static final long LOOK_NANOS = 25_000_000L;

	private static final String LOST = "LOST";

	private final WorkerSettings settings;

	private final Locks locks;

	private final Connection connection;

	private final Connection listenerConnection;

	private final String name;

	private final Random random;

	private int visits;

	/**
	 * @param number which thread of the worker it is
	 * @param settings what to do
	 * @param locks with what to lock
	 * @param connection the thread's own, so that what it reports keeps its order
	 * @param listenerConnection for what is told by other threads
	 */
	Visitor(int number, WorkerSettings settings, Locks locks, Connection connection, Connection listenerConnection) {
		this.settings = settings;
		this.locks = locks;
		this.connection = connection;
		this.listenerConnection = listenerConnection;
		this.name = settings.owner() + "." + number;
		this.random = new Random(settings.seed() * 31 + number);
	}

	/**
	 * Goes on until it is told to stop.
	 * @param stopping whether to stop after the present visit
	 * @throws IOException if the coordinator has gone
	 * @throws InterruptedException if the thread is interrupted
	 */
	void run(BooleanSupplier stopping) throws IOException, InterruptedException {
		while (!stopping.getAsBoolean()) {
			Visit visit = Visit.next(this.random, this.settings);
			this.visits++;
			try {
				visit(visit, this.name + "." + this.visits);
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

	private void visit(Visit visit, String id) throws IOException, InterruptedException, LockingFailedException {
		long began = System.nanoTime();
		Held held = this.locks.acquire(visit, (reason, deadline) -> lost(id, reason, deadline));
		if (held == null) {
			tell(new Message.Count(visit.waitTime().isZero() ? "not acquired: busy" : "not acquired: waited in vain"));
			return;
		}
		tell(new Message.Granted(new Grant(id, this.settings.owner(), visit.lock(), held.token(), began,
				System.nanoTime(), this.settings.lease().toNanos(), visit.deletesItem())));
		try {
			if (look(id, held)) {
				use(visit, id, held);
			}
			else {
				tell(new Message.Count("lost before the first use"));
			}
		}
		finally {
			giveBack(id, held);
		}
	}

	private void use(Visit visit, String id, Held held) throws IOException, InterruptedException {
		Long token = held.token();
		if (token != null && !ask(new Message.Claim(visit.lock(), token), Boolean.class)) {
			tell(new Message.Count("claims refused"));
			return;
		}
		Resource.Values read = ask(new Message.Read(visit.lock()), Resource.Values.class);
		think(visit, id, held);
		boolean plain = !visit.looks() || look(id, held);
		if (!plain) {
			tell(new Message.Count("uses given up after a look"));
		}
		// The fenced write is tried all the same: the resource looks after itself.
		ask(new Message.Increment(id, visit.lock(), token, plain, read, visit.looks()), Boolean.class);
		look(id, held);
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
	 * Takes its time. A careful visitor looks again and again, so that it is known to a
	 * few milliseconds until when it believed to hold the lock.
	 */
	private void think(Visit visit, String id, Held held) throws IOException, InterruptedException {
		long end = System.nanoTime() + visit.think().toNanos();
		Message.SeenHeld last = null;
		boolean looks = visit.looks();
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
