/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.InstrumentedLockClients;
import io.github.dynamodblock.spring.boot.actuate.JobMeters;
import io.github.dynamodblock.spring.job.JobClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of acquisition observations and of meters for all lock client beans,
 * including the application's. Spring Boot's handler derives the acquisition timer from
 * the observations.
 */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnClass({ LockClient.class, ObservationRegistry.class })
@ImportRuntimeHints(DynamoDbLockObservabilityAutoConfiguration.ProxyHints.class)
public final class DynamoDbLockObservabilityAutoConfiguration {

	/** Observations and meters. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class WithMeters {

		@Bean
		@ConditionalOnMissingBean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static InstrumentedLockClients dynamoDbLockInstrumentation(ObjectProvider<ObservationRegistry> observations,
				ObjectProvider<MeterRegistry> meters) {
			return new InstrumentedLockClients(() -> observations.getIfAvailable(() -> timersOnly(meters.getObject())),
					meters::getObject);
		}

		@Bean
		@ConditionalOnBean(JobClock.class)
		@ConditionalOnMissingBean
		JobMeters dynamoDbLockJobMeters(ObjectProvider<MeterRegistry> registry, JobClock clock) {
			return new JobMeters(registry::getObject, clock);
		}

		/** Returns a registry for an application without observations. */
		private static ObservationRegistry timersOnly(MeterRegistry meters) {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
			return registry;
		}

	}

	/** Only observations. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(ObservationRegistry.class)
	@ConditionalOnMissingBean(type = "io.micrometer.core.instrument.MeterRegistry")
	static class WithObservations {

		@Bean
		@ConditionalOnMissingBean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static InstrumentedLockClients dynamoDbLockInstrumentation(ObjectProvider<ObservationRegistry> observations) {
			return new InstrumentedLockClients(observations::getObject, null);
		}

	}

	/** Hints for the proxies of lock clients. */
	static class ProxyHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(LockClient.class));
		}

	}

}
