/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.lang.reflect.Method;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.samples.scheduledjobs.NightlyReport;
import io.github.dynamodblock.samples.scheduledjobs.Outbox;
import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.ReflectionUtils;

/**
 * A job of the application, as its annotations describe it.
 *
 * @param key the key of its lock
 * @param cron when it is due
 */
record Job(String key, CronExpression cron) {

	static final Job REPORT = of(NightlyReport.class, "make");

	static final Job OUTBOX = of(Outbox.class, "send");

	static final List<Job> ALL = List.of(REPORT, OUTBOX);

	private static Job of(Class<?> type, String methodName) {
		Method method = Objects.requireNonNull(ReflectionUtils.findMethod(type, methodName));
		Scheduled schedule = AnnotatedElementUtils.getMergedAnnotation(method, Scheduled.class);
		ScheduledLock lock = AnnotatedElementUtils.getMergedAnnotation(method, ScheduledLock.class);
		if (schedule == null || lock == null) {
			throw new IllegalStateException(method + " needs @Scheduled and @ScheduledLock");
		}
		return new Job(lock.name(), CronExpression.parse(schedule.cron()));
	}

	/** Returns whether a lock is that of a job. */
	static boolean isJob(String key) {
		return ALL.stream().anyMatch((job) -> job.key().equals(key));
	}

	/** Returns the first tick after a time. */
	Instant next(Instant after) {
		ZonedDateTime next = this.cron.next(after.atZone(ZoneId.systemDefault()));
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
