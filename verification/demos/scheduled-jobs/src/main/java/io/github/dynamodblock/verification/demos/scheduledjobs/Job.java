/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.lang.reflect.Method;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.samples.scheduledjob.NightlyReport;
import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.ReflectionUtils;

/**
 * A job of the nodes.
 *
 * @param key the key of its lock
 * @param cron when it is due
 */
record Job(String key, CronExpression cron) {

	/** The sample's job, whose cron expression is an argument of the nodes. */
	static final Job REPORT = of(NightlyReport.class, "make", "*/12 * * * * *");

	static final Job OUTBOX = of(Outbox.class, "send", Outbox.CRON);

	static final List<Job> ALL = List.of(REPORT, OUTBOX);

	private static Job of(Class<?> type, String methodName, String cron) {
		Method method = Objects.requireNonNull(ReflectionUtils.findMethod(type, methodName));
		ScheduledLock lock = AnnotatedElementUtils.getMergedAnnotation(method, ScheduledLock.class);
		if (lock == null) {
			throw new IllegalStateException(method + " needs @ScheduledLock");
		}
		return new Job(lock.name(), CronExpression.parse(cron));
	}

	/** Returns whether a lock is that of a job. */
	static boolean isJob(String key) {
		return ALL.stream().anyMatch((job) -> job.key().equals(key));
	}

	/** Returns the first tick after a time. */
	Instant next(Instant after) {
		ZonedDateTime next = this.cron.next(after.atZone(ZoneOffset.UTC));
		if (next == null) {
			throw new IllegalStateException("Cron expression " + this.cron + " has no tick after " + after);
		}
		return next.toInstant();
	}

	/**
	 * Returns the ticks of an interval.
	 * @param after its begin, which is not included
	 * @param until its end, which is included
	 */
	List<Instant> ticks(Instant after, Instant until) {
		List<Instant> ticks = new ArrayList<>();
		for (Instant tick = next(after); !tick.isAfter(until); tick = next(tick)) {
			ticks.add(tick);
		}
		return ticks;
	}

}
