/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of one lock client. Down if the table does not answer a read with the
 * client's keys, out of service if heartbeats of this node fail so long that a lock is in
 * danger. Each check is one strongly consistent read of an item that does not exist: it
 * writes nothing, needs no permission that locks do without, and ends within 5 seconds.
 * Thread-safe.
 *
 * <pre>{@code
 * Health health = new LockHealthIndicator(client).health();
 * }</pre>
 */
public final class LockHealthIndicator extends AbstractHealthIndicator {

	private static final String NOBODYS = "dynamodb-lock-health";

	private final LockClient client;

	private final String partition;

	/** Of the two kinds of keys, the one that fits the client's table. */
	private volatile LockKey probe;

	/**
	 * The health of a client whose keys have no prefix.
	 * @param client the client; it is not closed
	 */
	public LockHealthIndicator(LockClient client) {
		this(client, "");
	}

	/**
	 * The health of a client whose keys begin with a prefix, which the key that is read
	 * does too: a role may be allowed to read no others.
	 * @param client the client; it is not closed
	 * @param keyPrefix the prefix, besides the client's namespace; may be empty
	 */
	public LockHealthIndicator(LockClient client, String keyPrefix) {
		super("The lock table could not be read");
		this.client = client;
		this.partition = keyPrefix + NOBODYS;
		this.probe = LockKey.of(this.partition);
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<HeldLock> held = this.client.held();
		// A lease that nobody renews nears its end as it was meant to.
		long inDanger = held.stream().filter((lock) -> lock.isRenewedAutomatically() && lock.isInDanger()).count();
		builder.withDetail("table", this.client.tableName())
			.withDetail("owner", this.client.ownerName())
			.withDetail("held", held.size())
			.withDetail("inDanger", inDanger);
		read();
		if (inDanger > 0) {
			builder.outOfService()
				.withDetail("reason", "Heartbeats fail: locks held here will be lost unless one comes through");
		}
		else {
			builder.up();
		}
	}

	private void read() {
		try {
			this.client.find(this.probe);
		}
		catch (IllegalArgumentException ex) {
			// The client alone knows whether its table has a sort key, and has sent
			// nothing.
			LockKey other = LockKey.of(this.partition, NOBODYS);
			this.client.find(other);
			this.probe = other;
		}
	}

}
