/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.dynamodblock.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one client's locks of one name. A registry that fails is logged once and
 * harms no lock. Thread-safe.
 */
final class NamedLockMeters {

	private static final Logger logger = LoggerFactory.getLogger(NamedLockMeters.class);

	private static final String PREFIX = "dynamodb.lock.";

	private final Tags tags;

	private final String name;

	private final LockCounts counts;

	private final Supplier<MeterRegistry> registry;

	/** The locks that heartbeats keep. */
	private final Set<MeteredAcquisition> kept = ConcurrentHashMap.newKeySet();

	/** The locks that are held, each with its task of the long task timer. */
	private final Map<MeteredAcquisition, LongTaskTimer.Sample> active = new ConcurrentHashMap<>();

	private final AtomicBoolean failed = new AtomicBoolean();

	NamedLockMeters(String clientName, String name, LockCounts counts, Supplier<MeterRegistry> registry) {
		this.tags = Tags.of("client", clientName, "name", name);
		this.name = name;
		this.counts = counts;
		this.registry = registry;
	}

	/** Registers the gauges. */
	void begin() {
		meter((to) -> {
			Gauge.builder(PREFIX + "held", this, (meters) -> meters.counts.held(meters.name))
				.description("Locks that this node holds")
				.tags(this.tags)
				.register(to);
			Gauge.builder(PREFIX + "waiting", this, (meters) -> meters.counts.waiting(meters.name))
				.description("Acquisitions of this node that wait because others hold the lock")
				.tags(this.tags)
				.register(to);
			TimeGauge.builder(PREFIX + "heartbeat.age", this, TimeUnit.NANOSECONDS, NamedLockMeters::oldestHeartbeat)
				.description("Time since the last heartbeat of the held lock that has gone longest without")
				.tags(this.tags)
				.register(to);
			// A counter that appears with its first loss hides that loss from increase().
			Stream.of(LossReason.values()).forEach((reason) -> lost(to, reason));
			takeovers(to);
		});
	}

	private Counter takeovers(MeterRegistry to) {
		return Counter.builder(PREFIX + "takeovers")
			.description("Locks that were taken over from an owner whose lease had expired")
			.tags(this.tags)
			.register(to);
	}

	void takenOver() {
		meter((to) -> takeovers(to).increment());
	}

	private double oldestHeartbeat() {
		return this.kept.stream()
			.map(MeteredAcquisition::sinceHeartbeat)
			.max(Comparator.naturalOrder())
			.map(Duration::toNanos)
			.orElse(0L);
	}

	void acquired(AcquisitionOutcome outcome, Duration time) {
		meter((to) -> Timer.builder(PREFIX + "acquire")
			.description("Time from the request to the lock or the refusal")
			.tags(this.tags)
			.tag("outcome", outcome.text())
			.register(to)
			.record(time));
	}

	void kept(MeteredAcquisition lock) {
		this.kept.add(lock);
	}

	void heartbeat(String outcome) {
		meter((to) -> Counter.builder(PREFIX + "heartbeats")
			.description("Heartbeats of held locks")
			.tags(this.tags)
			.tag("outcome", outcome)
			.register(to)
			.increment());
	}

	void lost(LossReason reason) {
		meter((to) -> lost(to, reason).increment());
	}

	private Counter lost(MeterRegistry to, LossReason reason) {
		return Counter.builder(PREFIX + "lost")
			.description("Locks that were lost while they were held")
			.tags(this.tags)
			.tag("reason", reason.name().toLowerCase(Locale.ROOT))
			.register(to);
	}

	/** A lock is held from now on. */
	void acquired(MeteredAcquisition lock) {
		meter((to) -> this.active.put(lock,
				LongTaskTimer.builder(PREFIX + "hold.active")
					.description("How long the locks that this node holds have been held")
					.tags(this.tags)
					.register(to)
					.start()));
	}

	void over(MeteredAcquisition lock, Duration held) {
		this.kept.remove(lock);
		LongTaskTimer.Sample hold = this.active.remove(lock);
		if (hold != null) {
			meter((to) -> hold.stop());
		}
		meter((to) -> Timer.builder(PREFIX + "hold")
			.description("Time from the grant to the release, detachment or loss, or to the release's failure")
			.tags(this.tags)
			.register(to)
			.record(held));
	}

	private void meter(Consumer<MeterRegistry> change) {
		try {
			change.accept(this.registry.get());
		}
		catch (RuntimeException ex) {
			if (this.failed.compareAndSet(false, true)) {
				logger.warn("Locks named '{}' are not measured completely: the meter registry failed", this.name, ex);
			}
		}
	}

}
