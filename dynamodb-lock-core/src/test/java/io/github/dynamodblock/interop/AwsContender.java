/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AcquireLockOptions.AcquireLockOptionsBuilder;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The AWS lock client for Java. It looks for the lock about as often as ours does, not
 * once a second as it would by itself, so that neither client is starved.
 */
final class AwsContender implements Contender {

	private static final long REFRESH_PERIOD = 50;

	private final SharedLock lock;

	private final Connection connection = new Connection();

	private final String ownerName = "aws-" + UUID.randomUUID();

	private final AmazonDynamoDBLockClient client;

	AwsContender(SharedLock lock, Duration lease) {
		this.lock = lock;
		var options = AmazonDynamoDBLockClientOptions.builder(this.connection.dynamoDb(), lock.table().tableName())
			.withPartitionKeyName(lock.table().partitionKeyName())
			.withOwnerName(this.ownerName)
			.withTimeUnit(TimeUnit.MILLISECONDS)
			.withLeaseDuration(lease.toMillis())
			.withHeartbeatPeriod(ClientKind.HEARTBEAT_PERIOD.toMillis())
			.withCreateHeartbeatBackgroundThread(true);
		if (lock.table().sortKeyName() != null) {
			options.withSortKeyName(lock.table().sortKeyName());
		}
		this.client = new AmazonDynamoDBLockClient(options.build());
	}

	@Override
	public ClientKind kind() {
		return ClientKind.AWS;
	}

	@Override
	public String ownerName() {
		return this.ownerName;
	}

	@Override
	public Grant acquire(byte @Nullable [] data) throws InterruptedException {
		AcquireLockOptionsBuilder options = options(PATIENCE);
		if (data != null) {
			options.withData(ByteBuffer.wrap(data));
		}
		return new AwsGrant(this.client, this.client.acquireLock(options.build()));
	}

	@Override
	public Optional<Grant> tryAcquire() throws InterruptedException {
		AcquireLockOptions options = options(Duration.ZERO).withShouldSkipBlockingWait(true).build();
		try {
			return this.client.tryAcquireLock(options).map((item) -> new AwsGrant(this.client, item));
		}
		catch (LockCurrentlyUnavailableException ex) {
			return Optional.empty();
		}
	}

	private AcquireLockOptionsBuilder options(Duration waitTime) {
		AcquireLockOptionsBuilder options = AcquireLockOptions.builder(this.lock.key().partition())
			.withDeleteLockOnRelease(this.lock.deleteOnRelease())
			.withTimeUnit(TimeUnit.MILLISECONDS)
			.withAdditionalTimeToWaitForLock(waitTime.toMillis())
			.withRefreshPeriod(REFRESH_PERIOD);
		return (this.lock.key().sort() != null) ? options.withSortKey(this.lock.key().sort()) : options;
	}

	@Override
	public Seen find() {
		LockItem found = this.client.getLock(this.lock.key().partition(), Optional.ofNullable(this.lock.key().sort()))
			.orElseThrow();
		return new Seen(found.getOwnerName(), Duration.ofMillis(found.getLeaseDuration()),
				found.getData().map((bytes) -> StandardCharsets.UTF_8.decode(bytes).toString()));
	}

	@Override
	public Connection connection() {
		return this.connection;
	}

	@Override
	public void close() {
		try {
			this.client.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.connection.close();
		}
	}

	private record AwsGrant(AmazonDynamoDBLockClient client, LockItem item) implements Grant {

		@Override
		public boolean isHeld() {
			return !this.item.isExpired();
		}

		@Override
		public boolean release() {
			return this.client.releaseLock(this.item);
		}

	}

}
