/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The client of this project.
 */
final class OurContender implements Contender {

	private final SharedLock lock;

	private final Connection connection = new Connection();

	private final LockClient client;

	OurContender(SharedLock lock, Duration lease) {
		this.lock = lock;
		this.client = LockClient.builder(this.connection.dynamoDb())
			.tableName(lock.table().tableName())
			.sortKeyName(lock.table().sortKeyName())
			.ownerName("ours")
			.leaseDuration(lease)
			.heartbeatPeriod(ClientKind.HEARTBEAT_PERIOD)
			.waitTime(PATIENCE)
			.timeToLive(null)
			.deleteOnRelease(lock.deleteOnRelease())
			.build();
	}

	@Override
	public ClientKind kind() {
		return ClientKind.OURS;
	}

	@Override
	public String ownerName() {
		return this.client.ownerName();
	}

	@Override
	public Grant acquire(byte @Nullable [] data) throws InterruptedException {
		LockRequest request = LockRequest.of(this.lock.key());
		return new OurGrant(this.client.acquire((data != null) ? request.data(data) : request));
	}

	@Override
	public Optional<Grant> tryAcquire() throws InterruptedException {
		return this.client.tryAcquire(LockRequest.of(this.lock.key())).map(OurGrant::new);
	}

	@Override
	public Seen find() {
		LockRecord found = this.client.find(this.lock.key()).orElseThrow();
		return new Seen(found.ownerName(), found.leaseDuration(),
				found.data().map((bytes) -> new String(bytes, StandardCharsets.UTF_8)));
	}

	@Override
	public Connection connection() {
		return this.connection;
	}

	@Override
	public void close() {
		this.client.close();
		this.connection.close();
	}

	private record OurGrant(HeldLock held) implements Grant {

		@Override
		public boolean isHeld() {
			return this.held.isHeld();
		}

		@Override
		public boolean release() {
			return this.held.release() == ReleaseOutcome.RELEASED;
		}

	}

}
