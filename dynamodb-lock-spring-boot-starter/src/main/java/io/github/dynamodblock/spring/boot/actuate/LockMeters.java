/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.boot.actuate.LockObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Meters of one lock client, recorded by a listener on each request. The meters of a lock
 * name are registered at its first acquisition. Acquisitions are timed by their
 * observation. Thread-safe.
 */
final class LockMeters {

	private static final String PREFIX = LockObservationDocumentation.PREFIX;

	private static final String OUTCOME = LowCardinalityKeyNames.OUTCOME.asString();

	private final LockClient client;

	private final String clientName;

	private final Supplier<MeterRegistry> registry;

	private final Map<String, Named> named = new ConcurrentHashMap<>();

	LockMeters(LockClient client, String clientName, Supplier<MeterRegistry> registry) {
		this.client = client;
		this.clientName = clientName;
		this.registry = SingletonSupplier.of(() -> measureClock(registry.get()));
	}

	/** Returns the request with a listener that records the meters. */
	LockRequest measured(LockRequest request, String name) {
		return request.listener(new Hold(this.named.computeIfAbsent(name, Named::new), request));
	}

	private MeterRegistry measureClock(MeterRegistry registry) {
		TimeGauge.builder(PREFIX + "clock.difference", this.client, TimeUnit.NANOSECONDS, LockMeters::clockDifference)
			.description("Minimum time by which this node's clock is ahead of DynamoDB's; negative if it is behind")
			.tags(LowCardinalityKeyNames.CLIENT.asString(), this.clientName)
			.register(registry);
		return registry;
	}

	private static double clockDifference(LockClient client) {
		return client.serviceTime()
			.map((time) -> (double) time.differenceOf(Instant.now()).toNanos())
			.orElse(Double.NaN);
	}

	/** The meters of one lock name. */
	private final class Named {

		/** The held locks that heartbeats renew. */
		private final Set<Hold> renewed = ConcurrentHashMap.newKeySet();

		private final LongTaskTimer active;

		private final Timer held;

		private final MeterProvider<Counter> heartbeats;

		private final Counter takeovers;

		private final Counter contended;

		private final MeterProvider<Counter> losses;

		Named(String name) {
			Tags tags = Tags.of(LowCardinalityKeyNames.CLIENT.asString(), LockMeters.this.clientName,
					LowCardinalityKeyNames.NAME.asString(), name);
			MeterRegistry registry = LockMeters.this.registry.get();
			this.active = LongTaskTimer.builder(PREFIX + "hold.active")
				.description("Locks that this node holds, and for how long")
				.tags(tags)
				.register(registry);
			this.held = Timer.builder(PREFIX + "hold")
				.description("Time from the grant until the lock was released, detached or lost, or its release failed")
				.tags(tags)
				.register(registry);
			TimeGauge.builder(PREFIX + "heartbeat.age", this, TimeUnit.NANOSECONDS, Named::heartbeatAge)
				.description("Longest time since the last heartbeat, among the held locks")
				.tags(tags)
				.register(registry);
			this.heartbeats = counter("heartbeats", "Heartbeats of held locks", tags).withRegistry(registry);
			this.takeovers = counter("takeovers",
					"Locks that were taken over from an owner that had stopped renewing them", tags)
				.register(registry);
			this.contended = counter("contended",
					"Locks that ended after another client had been seen waiting for them", tags)
				.register(registry);
			this.losses = counter("lost", "Locks that were lost while they were held", tags).withRegistry(registry);
			// Registered in advance: a counter that appears with its first loss hides
			// that loss from increase().
			for (LossReason reason : LossReason.values()) {
				losses(reason);
			}
		}

		private static Counter.Builder counter(String name, String description, Tags tags) {
			return Counter.builder(PREFIX + name).description(description).tags(tags);
		}

		Counter losses(LossReason reason) {
			return this.losses.withTag(PREFIX + "reason", reason.name().toLowerCase(Locale.ROOT));
		}

		private double heartbeatAge() {
			long now = System.nanoTime();
			return this.renewed.stream().mapToLong((hold) -> now - hold.heartbeatAt).max().orElse(0);
		}

	}

	/** The lock of one request. */
	private static final class Hold implements LockListener {

		private final Named meters;

		private final boolean renewed;

		private Timer.@Nullable Sample held;

		private LongTaskTimer.@Nullable Sample active;

		private volatile long heartbeatAt;

		Hold(Named meters, LockRequest request) {
			this.meters = meters;
			this.renewed = request.automaticRenewal();
		}

		@Override
		public void onAcquired(HeldLock lock) {
			this.held = Timer.start();
			this.active = this.meters.active.start();
			this.heartbeatAt = System.nanoTime();
			if (this.renewed) {
				this.meters.renewed.add(this);
			}
		}

		@Override
		public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
			this.meters.takeovers.increment();
		}

		@Override
		public void onRenewed(HeldLock lock) {
			this.heartbeatAt = System.nanoTime();
			this.meters.heartbeats.withTag(OUTCOME, "confirmed").increment();
		}

		@Override
		public void onRenewalFailed(HeldLock lock, Throwable cause) {
			this.meters.heartbeats.withTag(OUTCOME, "failed").increment();
		}

		@Override
		public void onReleased(HeldLock lock) {
			end(lock);
		}

		@Override
		public void onReleaseFailed(HeldLock lock, LockException cause) {
			end(lock);
		}

		@Override
		public void onDetached(HeldLock lock) {
			end(lock);
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			end(lock);
			this.meters.losses(reason).increment();
		}

		private void end(HeldLock lock) {
			if (lock.isContended()) {
				this.meters.contended.increment();
			}
			this.meters.renewed.remove(this);
			if (this.held != null && this.active != null) {
				this.held.stop(this.meters.held);
				this.active.stop();
			}
		}

	}

}
