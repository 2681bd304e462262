/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.aop.invocation.JobShutdown;
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.MissingAdvice;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.spring.aop.check.DistributedLockStartupCheck;
import io.github.dynamodblock.spring.aop.check.UnlockedMethodsReport;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of {@link DistributedLock}. Applications that use the annotation
 * need a {@link LockClient} bean. Without one, startup fails, so no method silently runs
 * without its lock.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, MethodInterceptor.class })
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DistributedLockAutoConfiguration {

	/** Locks are on. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabled
	static class AdviceConfiguration {

		private static final String PREFIX = DynamoDbLockProperties.PREFIX + ".advice";

		/**
		 * Applies infrastructure advisors if nothing else does, for example without
		 * AspectJ or with {@code spring.aop.auto=false}.
		 */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static BeanDefinitionRegistryPostProcessor distributedLockAutoProxyCreator(Environment environment) {
			return (registry) -> {
				AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
				if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
					AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
				}
			};
		}

		@Bean
		@ConditionalOnMissingBean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockClient> client, ObjectProvider<DynamoDbLockProperties> properties,
				Environment environment) {
			DistributedLockAdvisor advisor = new DistributedLockAdvisor(beanFactory,
					(name) -> (name != null) ? beanFactory.getBean(name, LockClient.class) : client.getObject(),
					() -> properties.getObject().naming());
			// Read one by one, because this bean is created before ordinary beans may be.
			advisor.setOrder(
					environment.getProperty(PREFIX + ".order", Integer.class, DistributedLockAdvisor.DEFAULT_ORDER));
			advisor.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
			PropertyRefusals.check(PREFIX + ".max-locks-per-call",
					environment.getProperty(PREFIX + ".max-locks-per-call", Integer.class),
					advisor::setMaxLocksPerCall);
			return advisor;
		}

		@Bean
		@ConditionalOnMissingBean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockStartupCheck distributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, Environment environment) {
			return new DistributedLockStartupCheck(beanFactory, advisor,
					!MissingAdvice.WARN.name().equalsIgnoreCase(environment.getProperty(PREFIX + ".missing")));
		}

		/** Contains no jobs without Spring's scheduling. */
		@Bean
		@ConditionalOnMissingBean
		LockedJobs dynamoDbLockedJobs() {
			return new LockedJobs();
		}

	}

	/**
	 * Scheduled jobs. Spring calls them if scheduling is enabled, even if it is enabled
	 * late.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabled
	static class JobsConfiguration {

		@Bean
		@ConditionalOnMissingBean
		JobClock dynamoDbLockJobClock(DynamoDbLockProperties properties) {
			Duration tolerance = properties.jobs().clockTolerance();
			PropertyRefusals.check(DynamoDbLockProperties.PREFIX + ".jobs.clock-tolerance", tolerance,
					(value) -> new JobClock(Clock.systemUTC(), value));
			return new JobClock(Clock.systemUTC(), tolerance);
		}

		@Bean
		@ConditionalOnMissingBean(name = "dynamoDbLockJobEventPublisher")
		@ConditionalOnEnabled("events.enabled")
		JobListener dynamoDbLockJobEventPublisher(ApplicationEventPublisher publisher) {
			return publisher::publishEvent;
		}

		@Bean
		static JobShutdown dynamoDbLockJobShutdown() {
			return new JobShutdown();
		}

		@Bean
		ScheduledJobs dynamoDbLockScheduledJobs(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, LockedJobs all, JobClock clock, ObjectProvider<JobListener> listeners,
				JobShutdown shutdown, Environment environment) {
			String application = environment.getProperty("spring.application.name");
			JobRuns runs = new JobRuns(StringUtils.hasText(application) ? application : null, clock,
					listeners.orderedStream().toList(), all);
			return new ScheduledJobs(beanFactory, advisor.selection(), all, runs, shutdown);
		}

		/** Comes last, because other configurers may replace the scheduler. */
		@Bean
		SchedulingConfigurer dynamoDbLockSchedulingConfigurer(ScheduledJobs jobs) {
			return jobs::begin;
		}

	}

	/** Locks are off. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabled(matching = false)
	static class UnlockedConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static UnlockedMethodsReport distributedLockUnlockedMethodsReport(ConfigurableListableBeanFactory beanFactory) {
			return new UnlockedMethodsReport(beanFactory);
		}

		/** Contains no jobs; a tick simply calls the method. */
		@Bean
		@ConditionalOnMissingBean
		LockedJobs dynamoDbLockedJobs() {
			return new LockedJobs() {

				@Override
				public void tick(JobSchedule schedule, Runnable call) {
					call.run();
				}

			};
		}

	}

}
