/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AcquireLockOptions.AcquireLockOptionsBuilder;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import com.amazonaws.services.dynamodbv2.model.LockNotGrantedException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The AWS lock client for Java. It looks for a lock about as often as ours does, not once
 * a second as it would by itself. It gives no fencing tokens, renews every lock, and
 * tells of no loss.
 */
final class AwsLocks implements Locks {

	private static final long REFRESH_PERIOD = 50;

	private static final int HEARTBEATS_A_LEASE = 4;

	private final AmazonDynamoDBLockClient client;

	AwsLocks(DynamoDbClient dynamoDb, WorkerSettings settings) {
		this.client = new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamoDb, settings.table())
			.withOwnerName("node-" + settings.owner() + "-" + UUID.randomUUID())
			.withTimeUnit(TimeUnit.MILLISECONDS)
			.withLeaseDuration(settings.lease().toMillis())
			.withHeartbeatPeriod(settings.lease().dividedBy(HEARTBEATS_A_LEASE).toMillis())
			.withCreateHeartbeatBackgroundThread(true)
			.build());
	}

	@Override
	public @Nullable Held acquire(Attempt attempt, Losses losses) throws InterruptedException, LockingFailedException {
		try {
			if (attempt.waitTime().isZero()) {
				return this.client.tryAcquireLock(options(attempt).withShouldSkipBlockingWait(true).build())
					.map((item) -> new AwsHeld(this.client, item))
					.orElse(null);
			}
			return new AwsHeld(this.client, this.client.acquireLock(options(attempt).build()));
		}
		catch (LockCurrentlyUnavailableException | LockNotGrantedException ex) {
			return null;
		}
		catch (SdkException ex) {
			throw new LockingFailedException(ex);
		}
	}

	private static AcquireLockOptionsBuilder options(Attempt attempt) {
		Duration wait = attempt.waitTime();
		return AcquireLockOptions.builder(LockKeys.key(attempt.lock()))
			.withDeleteLockOnRelease(attempt.deletesItem())
			.withTimeUnit(TimeUnit.MILLISECONDS)
			.withAdditionalTimeToWaitForLock(wait.toMillis())
			.withRefreshPeriod(REFRESH_PERIOD);
	}

	@Override
	public void close() {
		try {
			this.client.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record AwsHeld(AmazonDynamoDBLockClient client, LockItem item) implements Held {

		@Override
		public @Nullable Long token() {
			return null;
		}

		@Override
		public boolean isHeld() {
			return !this.item.isExpired();
		}

		@Override
		public String release() throws LockingFailedException {
			try {
				return this.client.releaseLock(this.item) ? "RELEASED" : "LOST";
			}
			catch (SdkException ex) {
				throw new LockingFailedException(ex);
			}
		}

	}

}
