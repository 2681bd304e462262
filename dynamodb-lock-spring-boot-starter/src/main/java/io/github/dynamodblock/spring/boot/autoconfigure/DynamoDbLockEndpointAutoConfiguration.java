/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.LockedJobsEndpoint;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.LockedJobs;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the actuator endpoints {@code locks}, for all lock client beans,
 * and {@code lockedjobs}, if they are exposed.
 */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(LockClient.class)
public final class DynamoDbLockEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	LocksEndpoint locksEndpoint(ConfigurableListableBeanFactory beanFactory, ApplicationEventPublisher events) {
		return new LocksEndpoint(
				SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, LockClient.class), events);
	}

	@Bean
	@ConditionalOnBean({ LockedJobs.class, JobClock.class })
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	LockedJobsEndpoint lockedJobsEndpoint(LockedJobs jobs, JobClock clock, ApplicationEventPublisher events) {
		return new LockedJobsEndpoint(jobs, clock, events);
	}

}
