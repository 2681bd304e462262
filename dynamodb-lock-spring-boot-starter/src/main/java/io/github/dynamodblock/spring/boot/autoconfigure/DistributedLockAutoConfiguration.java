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
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.MissingAdvice;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobRuns;
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
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * Auto-configuration of {@link DistributedLock}. Applications that use the annotation
 * need a {@link LockClient} bean. Without one, startup fails, so that no method silently
 * runs without its lock.
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
		 * Applies infrastructure advisors if nothing else does, such as without AspectJ
		 * or with {@code spring.aop.auto=false}.
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
			PropertyRefusals.check(PREFIX + ".max-locks-per-call",
					environment.getProperty(PREFIX + ".max-locks-per-call", Integer.class),
					advisor::setMaxLocksPerCall);
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockStartupCheck distributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, Environment environment) {
			return new DistributedLockStartupCheck(beanFactory, advisor,
					!MissingAdvice.WARN.name().equalsIgnoreCase(environment.getProperty(PREFIX + ".missing")));
		}

	}

	/** Locks and Spring's scheduling are on. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabled
	@ConditionalOnBean(ScheduledAnnotationBeanPostProcessor.class)
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
		LockedJobs dynamoDbLockedJobs() {
			return new LockedJobs();
		}

		@Bean
		@ConditionalOnMissingBean(name = "dynamoDbLockJobEventPublisher")
		@ConditionalOnEnabled("events.enabled")
		JobListener dynamoDbLockJobEventPublisher(ApplicationEventPublisher publisher) {
			return publisher::publishEvent;
		}

		@Bean
		ScheduledJobs dynamoDbLockScheduledJobs(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, LockedJobs all, JobClock clock, ObjectProvider<JobListener> listeners) {
			return new ScheduledJobs(beanFactory, advisor, all, new JobRuns(clock, listeners.orderedStream().toList()));
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

	}

}
