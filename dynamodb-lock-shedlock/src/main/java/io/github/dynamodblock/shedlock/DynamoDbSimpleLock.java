/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseRequest;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that was granted to ShedLock. Its limits belong to its handle. An extension
 * therefore detaches the lock and adopts it with new limits. No other client can acquire
 * it in between.
 */
final class DynamoDbSimpleLock extends AbstractSimpleLock {

	private static final Logger logger = LoggerFactory.getLogger(DynamoDbSimpleLock.class);

	/** The scheduler's thread has other tasks; the client keeps retrying. */
	private static final ReleaseRequest SHORT_WAIT = ReleaseRequest.create().waitTime(Duration.ofSeconds(2));

	private final HeldLock lock;

	private final DynamoDbLockProvider provider;

	/** Set if an extension failed after it had detached the lock. */
	private @Nullable LockToken detached;

	DynamoDbSimpleLock(LockConfiguration configuration, HeldLock lock, DynamoDbLockProvider provider) {
		super(configuration);
		this.lock = lock;
		this.provider = provider;
	}

	/** Never throws, because the caller gets the result of the task. */
	@Override
	protected void doUnlock() {
		try {
			if (this.detached != null) {
				this.provider.client().release(this.detached);
			}
			else {
				this.lock.release(SHORT_WAIT);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Lock '{}' could not be released when its task ended; it expires no later than one lease after "
					+ "its last heartbeat. {}", this.lock.key(), ex.getMessage());
			logger.debug("Stack trace of the failed release", ex);
		}
	}

	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
		// Created first, so invalid limits leave the lock unchanged.
		LockRequest request = this.provider.request(extended);
		try {
			LockToken token = (this.detached != null) ? this.detached : this.lock.detach();
			this.detached = token;
			HeldLock adopted = this.provider.client().adopt(token, request);
			return Optional.of(new DynamoDbSimpleLock(extended, adopted, this.provider));
		}
		catch (LockLostException ex) {
			return Optional.empty();
		}
		catch (InterruptedException | io.github.dynamodblock.LockException ex) {
			throw DynamoDbLockProvider.failed("extended", request.key(), ex);
		}
	}

}
