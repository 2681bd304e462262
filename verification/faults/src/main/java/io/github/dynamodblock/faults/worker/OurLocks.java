/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.DefaultLockClient;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The lock client of this project. Holders that are not aware of losses believe to hold
 * their locks until they release them, and write without a guard.
 */
final class OurLocks implements Locks {

	private static final int HEARTBEATS_A_LEASE = 4;

	private static final int OBSERVATIONS = 10_000;

	private static final Duration TIME_TO_LIVE = Duration.ofDays(7);

	private final LockClient client;

	private final double clockRate;

	private final boolean aware;

	OurLocks(DynamoDbClient dynamoDb, WorkerSettings settings) {
		this.clockRate = settings.clockRate();
		this.aware = settings.kind() != LockKind.UNAWARE;
		this.client = (settings.clockRate() == 1) ? usual(dynamoDb, settings) : rated(dynamoDb, settings);
	}

	private static LockClient usual(DynamoDbClient dynamoDb, WorkerSettings settings) {
		return LockClient.builder(dynamoDb)
			.tableName(settings.table())
			.ownerName("node-" + settings.owner())
			.leaseDuration(settings.lease())
			.build();
	}

	/** The builder has no option for a clock that is wrong. */
	private static LockClient rated(DynamoDbClient dynamoDb, WorkerSettings settings) {
		TableSchema schema = TableSchema.of(settings.table());
		LeaseTerms terms = new LeaseTerms(settings.lease(), settings.lease().dividedBy(HEARTBEATS_A_LEASE), null,
				LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, TIME_TO_LIVE, null);
		ClientSettings client = new ClientSettings("node-" + settings.owner() + "-" + UUID.randomUUID(), terms,
				settings.lease(), null, false, null, OBSERVATIONS, true, List.of(), new ItemRules(schema));
		return new DefaultLockClient(client, RatedEnvironment
			.of(new ThreadedEnvironment(new DynamoDbLockStore(dynamoDb, schema), null, null), settings.clockRate()));
	}

	@Override
	public @Nullable Held acquire(Attempt attempt, Losses losses) throws InterruptedException, LockingFailedException {
		LockRequest any = (attempt.lock() < LockKeys.PERMITS)
				? LockRequest.of(LockKeys.SEMAPHORE).permits(LockKeys.PERMITS)
				: LockRequest.of(LockKeys.key(attempt.lock()));
		LockRequest request = any.waitTime(attempt.waitTime())
			.automaticRenewal(attempt.renewed())
			.deleteOnRelease(attempt.deletesItem())
			.listener(new LossListener(losses, this.clockRate));
		try {
			if (attempt.waitTime().isZero()) {
				return this.client.tryAcquire(request).map((lock) -> new OurHeld(lock, this.aware)).orElse(null);
			}
			return new OurHeld(this.client.acquire(request), this.aware);
		}
		catch (LockNotGrantedException ex) {
			return null;
		}
		catch (LockException ex) {
			if (ex instanceof LockTableException table && table.problem() == LockTableException.Problem.NOT_A_LOCK) {
				// No fault explains an item that a lock client cannot read.
				throw new IllegalStateException(ex);
			}
			throw new LockingFailedException(ex);
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

	private record OurHeld(HeldLock lock, boolean aware) implements Held {

		@Override
		public int lock(int asked) {
			return LockKeys.lock(this.lock.key().partition());
		}

		@Override
		public Long token() {
			return this.lock.fencingToken();
		}

		@Override
		public boolean isHeld() {
			return !this.aware || this.lock.isHeld();
		}

		@Override
		public @Nullable HeldLock guard() {
			return this.aware ? this.lock : null;
		}

		@Override
		public String release() throws LockingFailedException {
			try {
				return this.lock.release().name();
			}
			catch (LockException ex) {
				throw new LockingFailedException(ex);
			}
		}

	}

	/**
	 * Passes losses on, with the deadline as it was when the lock was last renewed. One
	 * lock's listener is called by one thread at a time.
	 */
	private static final class LossListener implements LockListener {

		private final Losses losses;

		private final double clockRate;

		private volatile long deadline;

		LossListener(Losses losses, double clockRate) {
			this.losses = losses;
			this.clockRate = clockRate;
		}

		@Override
		public void onAcquired(HeldLock lock) {
			note(lock);
		}

		@Override
		public void onRenewed(HeldLock lock) {
			note(lock);
		}

		private void note(HeldLock lock) {
			long now = System.nanoTime();
			Duration remaining = lock.remaining();
			if (!remaining.isZero()) {
				this.deadline = now + (long) (remaining.toNanos() / this.clockRate);
			}
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			this.losses.lost(reason.name(), this.deadline);
		}

	}

}
