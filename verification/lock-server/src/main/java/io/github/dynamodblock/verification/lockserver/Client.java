/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Caller.GivenUpException;

/**
 * One client: it takes a lock, keeps it for a while, and gives it back, again and again.
 * Now and then it dies with a lock in its hands, and another one takes its place.
 */
final class Client implements Runnable {

	private static final double DEATH = 0.03;

	private static final double RENEWAL = 0.4;

	private static final double REPETITION = 0.25;

	private static final double LOOK = 0.3;

	/** How often a client keeps a lock longer than the lease that it got first. */
	private static final double LONG_HOLD = 0.04;

	private static final long SHORTEST_LEASE = 2;

	private static final long LONGEST_LEASE = 5;

	private final String name;

	private final Caller caller;

	private final List<String> locks;

	private final Kill kill;

	private final long end;

	private int deaths;

	private int renewals;

	/**
	 * Makes a client.
	 * @param name what it is called
	 * @param caller sends its requests
	 * @param locks the locks that it wants, one at a time
	 * @param kill the end of an instance
	 * @param end when it takes no more locks
	 */
	Client(String name, Caller caller, List<String> locks, Kill kill, long end) {
		this.name = name;
		this.caller = caller;
		this.locks = locks;
		this.kill = kill;
		this.end = end;
	}

	@Override
	public void run() {
		try {
			while (System.nanoTime() < this.end) {
				cycle();
			}
		}
		catch (GivenUpException ex) {
			// The history says why.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void cycle() throws InterruptedException, GivenUpException {
		String lock = this.locks.get(random().nextInt(this.locks.size()));
		boolean dies = chance(DEATH);
		long seconds = dies ? SHORTEST_LEASE : random().nextLong(SHORTEST_LEASE, LONGEST_LEASE + 1);
		Call grant = this.caller.call(Request.acquire(lock, instanceId(), seconds));
		if (!(grant.answer() instanceof Granted)) {
			TimeUnit.MILLISECONDS.sleep(random().nextLong(100, 400));
			return;
		}
		if (dies) {
			this.deaths++;
		}
		else if (keep(grant)) {
			this.caller.call(Request.release(lock, instanceId()));
		}
	}

	/** A client that died does not come back: the next one has another id. */
	private String instanceId() {
		return this.name + "-" + this.deaths;
	}

	/**
	 * Works under the lock.
	 * @return whether the client still has it, as far as it knows
	 */
	private boolean keep(Call grant) throws InterruptedException, GivenUpException {
		boolean held = work(grant, random().nextLong(5, 150));
		if (held && chance(RENEWAL)) {
			long seconds = random().nextLong(1, 4);
			held = renew(grant, seconds);
			if (held && chance(LONG_HOLD)) {
				long firstLease = TimeUnit.SECONDS.toMillis(grant.request().seconds());
				held = work(grant, firstLease + random().nextLong(TimeUnit.SECONDS.toMillis(seconds) - 500));
			}
		}
		if (held && chance(LOOK)) {
			this.caller.call(Request.look(grant.request().lock(), instanceId()));
		}
		return held;
	}

	/**
	 * Passes time, but not beyond the end. If the instance that granted the lock dies
	 * meanwhile, another one must renew it at once.
	 */
	private boolean work(Call grant, long milliseconds) throws InterruptedException, GivenUpException {
		boolean killedBefore = this.kill.has(grant.instance());
		long left = TimeUnit.NANOSECONDS.toMillis(this.end - System.nanoTime());
		this.kill.pause(grant.instance(), Math.max(0, Math.min(milliseconds, left)));
		return killedBefore || !this.kill.has(grant.instance()) || renew(grant, SHORTEST_LEASE);
	}

	private boolean renew(Call grant, long seconds) throws InterruptedException, GivenUpException {
		String key = instanceId() + "-" + this.renewals++;
		Request request = Request.renew(grant.request().lock(), instanceId(), seconds, key);
		boolean renewed = this.caller.call(request).answer() instanceof Granted;
		if (renewed && chance(REPETITION)) {
			// As if the answer had been lost.
			renewed = this.caller.repeat(request).answer() instanceof Granted;
		}
		return renewed;
	}

	private static boolean chance(double probability) {
		return random().nextDouble() < probability;
	}

	private static Random random() {
		return ThreadLocalRandom.current();
	}

}
