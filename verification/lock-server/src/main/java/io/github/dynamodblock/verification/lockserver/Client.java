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
 * Now and then it dies with a lock in its hands, and another one takes its place. Copies
 * of its requests arrive late.
 *
 * <p>
 * As the service asks, a client either has a new id for each acquisition, or it sends the
 * fencing token with each renewal and release, and marks each acquisition.
 */
final class Client implements Runnable {

	private static final double DEATH = 0.03;

	private static final double RENEWAL = 0.4;

	private static final double REPETITION = 0.25;

	private static final double LOOK = 0.3;

	/** How often a client that dies has renewed its lock for long before. */
	private static final double RENEWAL_BEFORE_DEATH = 0.4;

	private static final double MARKED_ACQUISITION = 0.5;

	/** How often a client that keeps its id wants the lock that it has just released. */
	private static final double SAME_LOCK = 0.7;

	private static final double LATE_COPY = 0.5;

	/** Seldom, because it takes the lock for its whole lease if it is free. */
	private static final double LATE_ACQUISITION = 0.04;

	/** How often a client keeps a lock longer than the lease that it got first. */
	private static final double LONG_HOLD = 0.04;

	private static final long SHORTEST_LEASE = 2;

	private static final long LONGEST_LEASE = 5;

	private static final long LONG_RENEWAL = 6;

	private final String name;

	private final boolean keepsId;

	private final Caller caller;

	private final LateCopies lateCopies;

	private final List<String> locks;

	private final Kill kill;

	private final long end;

	private String lock;

	private int ids;

	private int keys;

	/**
	 * Makes a client.
	 * @param name what it is called
	 * @param keepsId whether it has one id until it dies
	 * @param caller sends its requests
	 * @param lateCopies sends copies of them
	 * @param locks the locks that it wants, one at a time
	 * @param kill the end of an instance
	 * @param end when it takes no more locks
	 */
	Client(String name, boolean keepsId, Caller caller, LateCopies lateCopies, List<String> locks, Kill kill,
			long end) {
		this.name = name;
		this.keepsId = keepsId;
		this.caller = caller;
		this.lateCopies = lateCopies;
		this.lock = locks.get(0);
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
		if (!this.keepsId || !chance(SAME_LOCK)) {
			this.lock = this.locks.get(random().nextInt(this.locks.size()));
		}
		if (!this.keepsId) {
			this.ids++;
		}
		boolean dies = chance(DEATH);
		long seconds = dies ? SHORTEST_LEASE : random().nextLong(SHORTEST_LEASE, LONGEST_LEASE + 1);
		Request request = Request.acquire(this.lock, instanceId(), seconds);
		if (this.keepsId || chance(MARKED_ACQUISITION)) {
			request = request.marked(newKey());
		}
		Call grant = this.caller.call(request);
		copyLate(request, dies ? 1 : LATE_ACQUISITION);
		if (!(grant.answer() instanceof Granted granted)) {
			TimeUnit.MILLISECONDS.sleep(random().nextLong(100, 400));
			return;
		}
		if (dies) {
			if (chance(RENEWAL_BEFORE_DEATH)) {
				renew(grant, LONG_RENEWAL);
			}
			this.ids++;
		}
		else if (keep(grant)) {
			Request release = limited(Request.release(this.lock, instanceId()), granted);
			this.caller.call(release);
			copyLate(release, LATE_COPY);
		}
	}

	/** A client that died does not come back: the next one has another id. */
	private String instanceId() {
		return this.name + "-" + this.ids;
	}

	private String newKey() {
		return this.name + "-key-" + this.keys++;
	}

	private Request limited(Request request, Granted hold) {
		return this.keepsId ? request.limitedTo(hold.fencingToken()) : request;
	}

	private void copyLate(Request request, double probability) {
		if (chance(probability)) {
			this.lateCopies.send(request);
		}
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
		Request request = limited(Request.renew(grant.request().lock(), instanceId(), seconds, newKey()),
				(Granted) grant.answer());
		boolean renewed = this.caller.call(request).answer() instanceof Granted;
		copyLate(request, LATE_COPY);
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
