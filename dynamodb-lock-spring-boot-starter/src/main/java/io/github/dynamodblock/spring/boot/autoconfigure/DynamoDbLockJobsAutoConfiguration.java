/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.JobMeters;
import io.github.dynamodblock.spring.boot.actuate.LockedJobsEndpoint;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of what shows scheduled jobs: application events, meters and the
 * actuator endpoint {@code lockedjobs}.
 */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(LockClient.class)
@ConditionalOnBean(LockedJobs.class)
public final class DynamoDbLockJobsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "lockedJobsEventPublisher")
	@ConditionalOnBooleanProperty(name = DynamoDbLockProperties.PREFIX + ".events.enabled", matchIfMissing = true)
	JobListener lockedJobsEventPublisher(ApplicationEventPublisher publisher) {
		return publisher::publishEvent;
	}

	/** Meters. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class WithMeters {

		@Bean
		@ConditionalOnMissingBean
		JobMeters lockedJobsMeters(ObjectProvider<MeterRegistry> registry, JobClock clock) {
			return new JobMeters(registry::getObject, clock);
		}

	}

	/** The endpoint. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	@ConditionalOnAvailableEndpoint(LockedJobsEndpoint.class)
	static class WithEndpoint {

		@Bean
		@ConditionalOnMissingBean
		LockedJobsEndpoint lockedJobsEndpoint(LockedJobs jobs, JobClock clock, ApplicationEventPublisher events) {
			return new LockedJobsEndpoint(jobs, clock, events);
		}

	}

}
