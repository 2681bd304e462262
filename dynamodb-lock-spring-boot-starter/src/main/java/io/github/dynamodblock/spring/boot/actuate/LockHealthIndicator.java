/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports the health of one lock client: down if the table does not answer a read with
 * the client's keys, out of service if this node's heartbeats have failed for so long
 * that a lock is about to expire. A check is one strongly consistent read of an item that
 * does not exist. It needs no additional permission. If DynamoDB does not answer, the
 * read fails within 10 seconds after it was sent. While the client has reached its
 * {@code maxConcurrentCalls}, the read first waits for a call slot.
 *
 * <p>
 * However often health is requested, there is one read at a time, and its result is used
 * for a second. Requests during a read get the previous result if that is at most 15
 * seconds old. Otherwise, about 10 of them wait for the read, and further requests report
 * down. Locks that are about to expire are reported at once. Thread-safe.
 *
 * <pre>{@code
 * Health health = new LockHealthIndicator(client, "", Map.of()).health();
 * }</pre>
 */
public class LockHealthIndicator extends AbstractHealthIndicator {

	private static final String NOBODYS = "dynamodb-lock-health";

	private static final Duration FRESH = Duration.ofSeconds(1);

	/** Longer than a read takes, so that requests do not pile up during an outage. */
	private static final Duration USABLE = Duration.ofSeconds(15);

	/** A web server has few threads, and liveness needs one of them. */
	private static final int MOST_WAITING = 8;

	private final LockClient client;

	private final String partition;

	private final Map<String, Object> details;

	/** The key that is read, with a sort key if the client's table has one. */
	private LockKey probe;

	private final ReentrantLock reading = new ReentrantLock();

	private volatile @Nullable Result last;

	/**
	 * Creates an indicator. The key that is read begins with the prefix of the client's
	 * keys, because a role may not be allowed to read others.
	 * @param client the client; it is not closed
	 * @param keyPrefix the prefix, besides the client's namespace; may be empty
	 * @param details additional details of every result
	 */
	public LockHealthIndicator(LockClient client, String keyPrefix, Map<String, Object> details) {
		super("The lock table could not be read");
		this.client = client;
		this.partition = keyPrefix + NOBODYS;
		this.details = Map.copyOf(details);
		this.probe = LockKey.of(this.partition);
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<HeldLock> held = this.client.held();
		// A lease without automatic renewal approaches its end as intended.
		long expiring = held.stream().filter((lock) -> lock.isAutomaticallyRenewed() && lock.isExpiring()).count();
		builder.withDetails(this.details)
			.withDetail("table", this.client.tableName())
			.withDetail("owner", this.client.ownerName())
			.withDetail("held", held.size())
			.withDetail("expiring", expiring);
		String error = result().error();
		if (error != null) {
			builder.down().withDetail("error", error);
			return;
		}
		if (expiring > 0) {
			builder.outOfService()
				.withDetail("reason", "Heartbeats are failing: locks held by this node will be lost unless a "
						+ "heartbeat succeeds");
		}
		else {
			builder.up();
		}
	}

	private Result result() {
		Result known = this.last;
		if (known != null && known.isWithin(FRESH)) {
			return known;
		}
		if (!this.reading.tryLock()) {
			if (known != null && known.isWithin(USABLE)) {
				return known;
			}
			if (this.reading.getQueueLength() >= MOST_WAITING) {
				return new Result("The table is being read, and many requests already wait for the result", 0);
			}
			this.reading.lock();
		}
		try {
			Result others = this.last;
			Result result = (others != null && others.isWithin(FRESH)) ? others : read();
			this.last = result;
			return result;
		}
		finally {
			this.reading.unlock();
		}
	}

	private Result read() {
		try {
			findProbe();
			return new Result(null, System.nanoTime());
		}
		catch (RuntimeException ex) {
			// Without the exception, because every probe would log its stack trace.
			return new Result(ex.getClass().getName() + ": " + ex.getMessage(), System.nanoTime());
		}
	}

	private void findProbe() {
		try {
			this.client.find(this.probe);
		}
		catch (IllegalArgumentException ex) {
			// Only the client knows whether its table has a sort key. It has rejected the
			// key and sent nothing.
			LockKey other = LockKey.of(this.partition, NOBODYS);
			this.client.find(other);
			this.probe = other;
		}
	}

	/** The result of a read, and when it ended. */
	private record Result(@Nullable String error, long nanoTime) {

		boolean isWithin(Duration age) {
			return System.nanoTime() - this.nanoTime <= age.toNanos();
		}

	}

}
