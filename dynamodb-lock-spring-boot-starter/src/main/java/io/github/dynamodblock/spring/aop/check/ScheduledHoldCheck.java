/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job that every node starts at one time of the day, by its own clock, holds its lock
 * for longer than the clocks differ. Otherwise a short job runs once for each node.
 */
final class ScheduledHoldCheck implements AnnotatedMethodCheck {

	private final ConfigurableBeanFactory beanFactory;

	private final Consumer<InvalidDistributedLockException> warnings;

	ScheduledHoldCheck(ConfigurableBeanFactory beanFactory, Consumer<InvalidDistributedLockException> warnings) {
		this.beanFactory = beanFactory;
		this.warnings = warnings;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.onBusy() == OnBusy.SKIP && definition.holdAtLeast().equals(Duration.ZERO)
				&& isScheduledByCron(annotated)) {
			this.warnings.accept(new InvalidDistributedLockException(definition.location(), "holdAtLeast",
					"it is not set, and the job is started by cron on every node. The lock is released when the job "
							+ "ends, so that a node whose clock is half a second behind runs a shorter job again. Set it "
							+ "to more than the clocks can differ and less than the time between two runs, such as 30s",
					null));
		}
	}

	private boolean isScheduledByCron(AnnotatedMethod annotated) {
		return MergedAnnotations.from(annotated.method(), SearchStrategy.TYPE_HIERARCHY)
			.stream(Scheduled.class)
			.map((scheduled) -> resolved(scheduled.getString("cron")).strip())
			.anyMatch((cron) -> !cron.isEmpty() && !cron.equals(Scheduled.CRON_DISABLED));
	}

	private String resolved(String cron) {
		String resolved = this.beanFactory.resolveEmbeddedValue(cron);
		return (resolved != null) ? resolved : "";
	}

}
