/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.JobSchedule;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;

/**
 * Reads the job of a method with {@link ScheduledLock} and {@link Scheduled}, or reports
 * what is wrong with it. One reader serves one method.
 */
final class JobDefinitionReader {

	private final ConfigurableBeanFactory beanFactory;

	private final Method method;

	private final String location;

	JobDefinitionReader(ConfigurableBeanFactory beanFactory, Method method, String location) {
		this.beanFactory = beanFactory;
		this.method = method;
		this.location = location;
	}

	/**
	 * Reads the job.
	 * @return the job, or {@code null} if Spring does not schedule the method repeatedly
	 */
	@Nullable JobDefinition read() {
		ScheduledLock lock = AnnotatedElementUtils.findMergedAnnotation(this.method, ScheduledLock.class);
		if (lock == null) {
			return null;
		}
		if (lock.attempts() < 1) {
			throw invalid("attempts", "it is " + lock.attempts() + ", so that the job would never run; set at least 1");
		}
		// Spring ignores the annotations of overridden methods and of interfaces.
		List<MergedAnnotation<Scheduled>> annotations = MergedAnnotations.from(this.method, SearchStrategy.DIRECT)
			.stream(Scheduled.class)
			.toList();
		List<JobDefinition> jobs = annotations.stream()
			.flatMap((scheduled) -> Stream.ofNullable(schedule(scheduled))
				.map((schedule) -> new JobDefinition(schedule, lock.attempts(), lock.onMissed(),
						scheduled.getString("scheduler"))))
			.toList();
		if (jobs.size() > 1) {
			throw invalid(null, "it has several @Scheduled annotations, whose runs one ledger cannot keep apart; "
					+ "schedule one method for each");
		}
		JobDefinition job = jobs.isEmpty() ? null : jobs.get(0);
		if (lock.onMissed() == OnMissed.RUN_ONCE && ((job != null) ? !(job.schedule() instanceof JobSchedule.Cron)
				: annotations.stream().noneMatch(this::isDisabled))) {
			throw invalid("onMissed", "RUN_ONCE needs @Scheduled with a cron expression, whose ticks are known; "
					+ "use a cron expression, or SKIP");
		}
		return job;
	}

	private boolean isDisabled(MergedAnnotation<Scheduled> scheduled) {
		return resolved(scheduled.getString("cron")).equals(Scheduled.CRON_DISABLED);
	}

	private @Nullable JobSchedule schedule(MergedAnnotation<Scheduled> scheduled) {
		String cron = resolved(scheduled.getString("cron"));
		if (!cron.isEmpty()) {
			return cron.equals(Scheduled.CRON_DISABLED) ? null : cron(cron, resolved(scheduled.getString("zone")));
		}
		Duration rate = duration(scheduled, "fixedRate");
		if (rate != null) {
			return JobSchedule.fixedRate(rate);
		}
		Duration delay = duration(scheduled, "fixedDelay");
		return (delay != null) ? JobSchedule.fixedDelay(delay) : null;
	}

	private JobSchedule cron(String expression, String zone) {
		JobSchedule schedule;
		try {
			TimeZone timeZone = zone.isEmpty() ? null : StringUtils.parseTimeZoneString(zone);
			schedule = JobSchedule.cron(expression, (timeZone != null) ? timeZone.toZoneId() : ZoneId.systemDefault());
		}
		catch (IllegalArgumentException ex) {
			throw invalid(null, "its @Scheduled is invalid: " + ex.getMessage());
		}
		if (schedule.tick(Instant.now(), null).isEmpty()) {
			throw invalid(null, "the cron expression \"" + expression + "\" of its @Scheduled never fires; correct it, "
					+ "or disable it by \"-\"");
		}
		return schedule;
	}

	private @Nullable Duration duration(MergedAnnotation<Scheduled> scheduled, String attribute) {
		Scheduled annotation = scheduled.synthesize();
		DurationFormat.Unit unit = DurationFormat.Unit.fromChronoUnit(annotation.timeUnit().toChronoUnit());
		long number = scheduled.getLong(attribute);
		if (number >= 0) {
			return Duration.of(number, annotation.timeUnit().toChronoUnit());
		}
		String text = resolved(scheduled.getString(attribute + "String"));
		try {
			Duration duration = text.isEmpty() ? null : DurationFormatterUtils.detectAndParse(text, unit);
			return (duration == null || duration.isNegative()) ? null : duration;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(null, attribute + "String of its @Scheduled is invalid: " + ex.getMessage());
		}
	}

	/** Evaluates placeholders and expressions, as Spring does for its annotation. */
	private String resolved(String text) {
		String resolved = new EmbeddedValueResolver(this.beanFactory).resolveStringValue(text);
		return (resolved != null) ? resolved.strip() : "";
	}

	private InvalidDistributedLockException invalid(@Nullable String attribute, String problem) {
		return new InvalidDistributedLockException(this.location, attribute, problem, null);
	}

}
