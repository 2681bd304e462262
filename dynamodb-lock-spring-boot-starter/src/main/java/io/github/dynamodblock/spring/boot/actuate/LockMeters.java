/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one lock client, fed by a listener of each request. Those of a name are
 * there from its first acquisition on. Acquisitions are timed by their observation.
 * Thread-safe.
 */
final class LockMeters {

	private static final String PREFIX = "dynamodb.lock.";

	/** So that reading many gauges does not count all locks for each of them. */
	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockClient client;

	private final String clientName;

	private final Supplier<MeterRegistry> registry;

	private final ConcurrentMap<String, Named> named = new ConcurrentHashMap<>();

	private final AtomicBoolean clockMeasured = new AtomicBoolean();

	private volatile Counts last;

	LockMeters(LockClient client, String clientName, Supplier<MeterRegistry> registry) {
		this.client = client;
		this.clientName = clientName;
		this.registry = registry;
		this.last = new Counts(System.nanoTime() - FRESH_NANOS, Map.of(), Map.of());
	}

	/** A request to which the meters listen. */
	LockRequest measured(LockRequest request) {
		String name = LockAcquisitionContext.name(request.name());
		Named meters = this.named.get(name);
		if (meters == null) {
			Named added = new Named(name);
			Named before = this.named.putIfAbsent(name, added);
			meters = (before != null) ? before : added;
			if (before == null) {
				added.begin();
				if (this.clockMeasured.compareAndSet(false, true)) {
					measureClock(this.registry.get());
				}
			}
		}
		return request.listener(new Hold(meters, request.automaticRenewal()));
	}

	private void measureClock(MeterRegistry to) {
		TimeGauge.builder(PREFIX + "clock.difference", this.client, TimeUnit.NANOSECONDS, LockMeters::clockDifference)
			.description("How far this node's clock is ahead of DynamoDB's at least; negative if it is behind")
			.tags("client", this.clientName)
			.register(to);
	}

	private static double clockDifference(LockClient client) {
		return client.serviceTime()
			.map((time) -> (double) time.differenceOf(Instant.now()).toNanos())
			.orElse(Double.NaN);
	}

	private Counts counts() {
		Counts counts = this.last;
		long now = System.nanoTime();
		if (now - counts.countedAt() >= FRESH_NANOS) {
			counts = new Counts(now,
					byName(this.client.held().stream().map((lock) -> LockAcquisitionContext.name(lock.name()))),
					byName(this.client.waiting()
						.stream()
						.map((waiting) -> LockAcquisitionContext.name(waiting.request().name()))));
			this.last = counts;
		}
		return counts;
	}

	private static Map<String, Long> byName(Stream<String> names) {
		return names.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
	}

	private static Duration since(long nanoTime) {
		return Duration.ofNanos(System.nanoTime() - nanoTime);
	}

	/**
	 * The meters of the locks of one name. A registry that fails is logged once and harms
	 * no lock.
	 */
	private final class Named {

		private final Tags tags;

		private final String name;

		/** The locks that heartbeats keep. */
		private final Set<Hold> kept = ConcurrentHashMap.newKeySet();

		/** The locks that are held, each with its task of the long task timer. */
		private final Map<Hold, LongTaskTimer.Sample> active = new ConcurrentHashMap<>();

		Named(String name) {
			this.tags = Tags.of("client", LockMeters.this.clientName, "name", name);
			this.name = name;
		}

		private long held() {
			return counts().held().getOrDefault(this.name, 0L);
		}

		private long waiting() {
			return counts().waiting().getOrDefault(this.name, 0L);
		}

		/** Registers the gauges. */
		void begin() {
			MeterRegistry to = registry();
			Gauge.builder(PREFIX + "held", this, (meters) -> meters.held())
				.description("Locks that this node holds")
				.tags(this.tags)
				.register(to);
			Gauge.builder(PREFIX + "waiting", this, (meters) -> meters.waiting())
				.description("Acquisitions of this node that wait because others hold the lock")
				.tags(this.tags)
				.register(to);
			TimeGauge.builder(PREFIX + "heartbeat.age", this, TimeUnit.NANOSECONDS, Named::oldestHeartbeat)
				.description("Time since the last heartbeat of the held lock that has gone longest without")
				.tags(this.tags)
				.register(to);
			// A counter that appears with its first loss hides that loss from
			// increase().
			Stream.of(LossReason.values()).forEach((reason) -> lost(to, reason));
			takeovers(to);
		}

		private Counter takeovers(MeterRegistry to) {
			return Counter.builder(PREFIX + "takeovers")
				.description("Locks that were taken over from an owner that was seen not to renew its lock")
				.tags(this.tags)
				.register(to);
		}

		void takenOver() {
			takeovers(registry()).increment();
		}

		private double oldestHeartbeat() {
			return this.kept.stream()
				.map(Hold::sinceHeartbeat)
				.max(Comparator.naturalOrder())
				.map(Duration::toNanos)
				.orElse(0L);
		}

		void kept(Hold lock) {
			this.kept.add(lock);
		}

		void heartbeat(String outcome) {
			Counter.builder(PREFIX + "heartbeats")
				.description("Heartbeats of held locks")
				.tags(this.tags)
				.tag("outcome", outcome)
				.register(registry())
				.increment();
		}

		void lost(LossReason reason) {
			lost(registry(), reason).increment();
		}

		private Counter lost(MeterRegistry to, LossReason reason) {
			return Counter.builder(PREFIX + "lost")
				.description("Locks that were lost while they were held")
				.tags(this.tags)
				.tag("reason", reason.name().toLowerCase(Locale.ROOT))
				.register(to);
		}

		/** A lock is held from now on. */
		void acquired(Hold lock) {
			this.active.put(lock,
					LongTaskTimer.builder(PREFIX + "hold.active")
						.description("How long the locks that this node holds have been held")
						.tags(this.tags)
						.register(registry())
						.start());
		}

		void over(Hold lock, Duration held) {
			this.kept.remove(lock);
			LongTaskTimer.Sample hold = this.active.remove(lock);
			if (hold != null) {
				hold.stop();
			}
			Timer.builder(PREFIX + "hold")
				.description("Time from the grant to the release, detachment or loss, or to the release's failure")
				.tags(this.tags)
				.register(registry())
				.record(held);
		}

		private MeterRegistry registry() {
			return LockMeters.this.registry.get();
		}

	}

	/** The lock that comes of one request. */
	private static final class Hold implements LockListener {

		private final Named meters;

		private final boolean automaticRenewal;

		private volatile long acquiredAt;

		private volatile long heartbeatAt;

		Hold(Named meters, boolean automaticRenewal) {
			this.meters = meters;
			this.automaticRenewal = automaticRenewal;
		}

		Duration sinceHeartbeat() {
			return since(this.heartbeatAt);
		}

		@Override
		public void onAcquired(HeldLock lock) {
			this.acquiredAt = System.nanoTime();
			this.heartbeatAt = this.acquiredAt;
			this.meters.acquired(this);
			if (this.automaticRenewal) {
				this.meters.kept(this);
			}
		}

		@Override
		public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
			this.meters.takenOver();
		}

		@Override
		public void onRenewed(HeldLock lock) {
			this.heartbeatAt = System.nanoTime();
			this.meters.heartbeat("confirmed");
		}

		@Override
		public void onRenewalFailed(HeldLock lock, Throwable cause) {
			this.meters.heartbeat("failed");
		}

		@Override
		public void onReleased(HeldLock lock) {
			over();
		}

		@Override
		public void onReleaseFailed(HeldLock lock, LockException cause) {
			over();
		}

		@Override
		public void onDetached(HeldLock lock) {
			over();
		}

		@Override
		public void onLost(HeldLock lock, LossReason reason) {
			over();
			this.meters.lost(reason);
		}

		private void over() {
			this.meters.over(this, since(this.acquiredAt));
		}

	}

	/**
	 * How many locks the client holds and waits for.
	 *
	 * @param countedAt when, by the system's nanosecond timer
	 * @param held by name
	 * @param waiting by name
	 */
	private record Counts(long countedAt, Map<String, Long> held, Map<String, Long> waiting) {
	}

}
