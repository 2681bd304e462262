/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports the health of one lock client: down if the table does not answer a read with
 * the client's keys, out of service if this node's heartbeats have failed for so long
 * that a lock is about to expire. A check is one strongly consistent read of an item that
 * does not exist. It needs no additional permission, and ends within 5 seconds.
 * Thread-safe.
 *
 * <pre>{@code
 * Health health = new LockHealthIndicator(client, "", Map.of()).health();
 * }</pre>
 */
public class LockHealthIndicator extends AbstractHealthIndicator {

	private static final String NOBODYS = "dynamodb-lock-health";

	private final LockClient client;

	private final String partition;

	private final Map<String, Object> details;

	/** The key that is read, with a sort key if the client's table has one. */
	private volatile LockKey probe;

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
		// A lease that is not renewed nears its end as intended.
		long expiring = held.stream().filter((lock) -> lock.isAutomaticallyRenewed() && lock.isExpiring()).count();
		builder.withDetails(this.details)
			.withDetail("table", this.client.tableName())
			.withDetail("owner", this.client.ownerName())
			.withDetail("held", held.size())
			.withDetail("expiring", expiring);
		try {
			findProbe();
		}
		catch (RuntimeException ex) {
			// Without the exception, whose stack would be logged by every probe.
			builder.down().withDetail("error", ex.getClass().getName() + ": " + ex.getMessage());
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

	private void findProbe() {
		try {
			this.client.find(this.probe);
		}
		catch (IllegalArgumentException ex) {
			// Only the client knows whether its table has a sort key. Nothing was sent.
			LockKey other = LockKey.of(this.partition, NOBODYS);
			this.client.find(other);
			this.probe = other;
		}
	}

}
