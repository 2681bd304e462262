/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Caller.GivenUpException;

/**
 * All clients, and after them the checker's client, which reads the locks that they left.
 */
final class Load {

	/** When an instance is killed, as a part of the clients' time. */
	private static final double KILL = 0.5;

	/**
	 * For how long a lock may be refused when its lease is over: twice the clock bound,
	 * and a second for a busy machine.
	 */
	private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(3);

	private final List<Instance> instances;

	private final Options options;

	private final History history;

	private final Kill kill;

	private final List<String> locks;

	/**
	 * Prepares the clients.
	 * @param instances the instances of the service
	 * @param options how many clients and locks, and for how long
	 * @param history where all calls are noted
	 * @param kill the end of an instance
	 */
	Load(List<Instance> instances, Options options, History history, Kill kill) {
		this.instances = instances;
		this.options = options;
		this.history = history;
		this.kill = kill;
		this.locks = IntStream.rangeClosed(1, options.locks()).mapToObj((number) -> "lock-" + number).toList();
	}

	/**
	 * Runs all clients until their time is over.
	 * @param killer kills the instance; called once on the way
	 * @throws InterruptedException if the thread is interrupted
	 */
	void run(Runnable killer) throws InterruptedException {
		warmUp();
		long start = System.nanoTime();
		long end = start + this.options.time().toNanos();
		ExecutorService threads = Executors.newFixedThreadPool(this.options.clients());
		try (LateCopies lateCopies = new LateCopies(this.instances, this.history, this.kill)) {
			List<Future<?>> clients = new ArrayList<>();
			for (int i = 1; i <= this.options.clients(); i++) {
				String name = String.format(Locale.ROOT, "client-%02d", i);
				Caller caller = new Caller(this.instances, this.history);
				clients
					.add(threads.submit(new Client(name, i % 2 == 0, caller, lateCopies, this.locks, this.kill, end)));
			}
			TimeUnit.NANOSECONDS.sleep((long) (KILL * this.options.time().toNanos()));
			awaitSomethingToLose(end);
			killer.run();
			this.kill.done();
			for (Future<?> client : clients) {
				awaitEnd(client);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** The first calls of a process take long. */
	private void warmUp() throws InterruptedException {
		for (Instance instance : this.instances) {
			try {
				take(this.locks.subList(0, 1), new Caller(List.of(instance), this.history));
			}
			catch (GivenUpException ex) {
				// The history says why.
			}
		}
	}

	/** Otherwise the end of an instance would show little. */
	private void awaitSomethingToLose(long end) throws InterruptedException {
		while (System.nanoTime() < end && holds().noneMatch((hold) -> hold.instance().equals(this.kill.instance())
				&& hold.until() == Long.MAX_VALUE && hold.isHeldAt(System.nanoTime()))) {
			TimeUnit.MILLISECONDS.sleep(20);
		}
	}

	private Stream<Hold> holds() {
		return LockChecker.byClients(Replay.of(this.history.calls()).holds()).stream();
	}

	private void awaitEnd(Future<?> client) throws InterruptedException {
		try {
			client.get();
		}
		catch (ExecutionException ex) {
			this.history.failed("a client failed: " + ex.getCause());
		}
	}

	/**
	 * Reads all locks when the clients have ended, and takes and releases each when the
	 * leases of those that were not released are over.
	 * @throws InterruptedException if the thread is interrupted
	 */
	void readLocks() throws InterruptedException {
		Caller checker = new Caller(this.instances, this.history);
		try {
			for (String lock : this.locks) {
				checker.call(Request.look(lock, LockChecker.CLIENT));
			}
			awaitEndOfLeases();
			take(this.locks, checker);
		}
		catch (GivenUpException ex) {
			// The history says why.
		}
	}

	private static void take(List<String> locks, Caller checker) throws InterruptedException, GivenUpException {
		for (String lock : locks) {
			boolean free = checker.call(Request.look(lock, LockChecker.CLIENT)).answer() instanceof Free;
			if (free && checker.call(Request.acquire(lock, LockChecker.CLIENT, 2)).answer() instanceof Granted) {
				checker.call(Request.release(lock, LockChecker.CLIENT));
			}
		}
	}

	private void awaitEndOfLeases() throws InterruptedException {
		LongStream known = holds().filter((hold) -> !hold.released()).mapToLong((hold) -> hold.over() + REFUSED_NANOS);
		LongStream unnoticed = this.history.calls()
			.stream()
			.filter(Call::mayAcquireUnnoticed)
			.mapToLong(Call::unnoticedOver);
		long now = System.nanoTime();
		TimeUnit.NANOSECONDS.sleep(LongStream.concat(known, unnoticed).map((end) -> end - now).max().orElse(0));
	}

}
