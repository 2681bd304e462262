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
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.MissingAdvice;
import io.github.dynamodblock.spring.job.CheckedJobClock;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobListener;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.spring.aop.check.DistributedLockStartupCheck;
import io.github.dynamodblock.spring.aop.check.UnlockedMethodsReport;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.TaskSchedulerRouter;

/**
 * Auto-configuration of {@link DistributedLock}. Applications that use the annotation
 * need a {@link LockClient} bean; startup fails if there is none, so that nothing runs
 * unlocked in silence.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, MethodInterceptor.class })
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DistributedLockAutoConfiguration {

	private static void checkTolerance(Duration tolerance) {
		if (tolerance.isZero() || tolerance.isNegative()) {
			throw new IllegalArgumentException("must be positive");
		}
	}

	/** Locks are on. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = DynamoDbLockProperties.PREFIX + ".enabled", matchIfMissing = true)
	@Import(AutoProxyCreatorRegistrar.class)
	static class AdviceConfiguration {

		private static final String PREFIX = DynamoDbLockProperties.PREFIX + ".advice";

		private static final String CLOCK_TOLERANCE = DynamoDbLockProperties.PREFIX + ".jobs.clock-tolerance";

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockClient> client, ObjectProvider<DynamoDbLockProperties> properties,
				Environment environment) {
			DistributedLockAdvisor advisor = new DistributedLockAdvisor(beanFactory,
					(name) -> (name != null) ? beanFactory.getBean(name, LockClient.class) : client.getObject(),
					() -> properties.getObject().naming());
			DynamoDbLockProperties.Advice advice = advice(environment);
			advisor.setOrder(advice.order());
			advisor.jobs().enable(() -> runs(beanFactory), () -> scheduler(beanFactory));
			PropertyRefusals.check(PREFIX + ".max-locks-per-call", advice.maxLocksPerCall(),
					advisor::setMaxLocksPerCall);
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockStartupCheck distributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, Environment environment) {
			return new DistributedLockStartupCheck(beanFactory, advisor,
					advice(environment).missing() == MissingAdvice.FAIL);
		}

		@Bean
		@ConditionalOnMissingBean
		static JobClock jobClock(DynamoDbLockProperties properties) {
			Duration tolerance = properties.jobs().clockTolerance();
			PropertyRefusals.check(CLOCK_TOLERANCE, tolerance, DistributedLockAutoConfiguration::checkTolerance);
			return new CheckedJobClock(Clock.systemUTC(), tolerance);
		}

		@Bean
		static LockedJobs lockedJobs(DistributedLockAdvisor advisor) {
			return advisor.jobs().all();
		}

		@Bean(LockedJobsLifecycle.NAME)
		static LockedJobsLifecycle lockedJobsLifecycle(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor) {
			return new LockedJobsLifecycle(advisor.jobs(), beanFactory);
		}

		private static JobRuns runs(ConfigurableListableBeanFactory beanFactory) {
			JobClock clock = beanFactory.getBean(JobClock.class);
			return new JobRuns(clock, beanFactory.getBeanProvider(JobListener.class).orderedStream().toList());
		}

		/** Finds schedulers as scheduled methods do. */
		private static TaskScheduler scheduler(ConfigurableListableBeanFactory beanFactory) {
			TaskSchedulerRouter router = new TaskSchedulerRouter();
			router.setBeanName("lockedJobsScheduler");
			router.setBeanFactory(beanFactory);
			return router;
		}

		/** Bound by themselves: these beans are made before ordinary ones may be. */
		private static DynamoDbLockProperties.Advice advice(Environment environment) {
			return Binder.get(environment).bindOrCreate(PREFIX, DynamoDbLockProperties.Advice.class);
		}

	}

	/** Locks are off. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = DynamoDbLockProperties.PREFIX + ".enabled", havingValue = false)
	static class UnlockedConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static UnlockedMethodsReport unlockedMethodsReport(ConfigurableListableBeanFactory beanFactory) {
			return new UnlockedMethodsReport(beanFactory);
		}

	}

}
