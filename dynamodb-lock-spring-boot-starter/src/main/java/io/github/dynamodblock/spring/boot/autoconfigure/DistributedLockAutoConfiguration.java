/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Optional;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.aop.check.DistributedLockStartupCheck;
import io.github.dynamodblock.spring.aop.check.UnlockedMethodsReport;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of {@link DistributedLock}. Applications that use the annotation
 * need a {@link LockClient} bean; startup fails if there is none, so that nothing runs
 * unlocked in silence.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, MethodInterceptor.class })
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DistributedLockAutoConfiguration {

	/** Locks are on. */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnLocksEnabledCondition.class)
	@Import(AutoProxyCreatorRegistrar.class)
	static class AdviceConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockClient> client, Environment environment) {
			DistributedLockAdvisor advisor = new DistributedLockAdvisor(beanFactory,
					(name) -> client(beanFactory, client, name), new LockNamings(environment)::naming);
			// Bound by itself: the advisor is made before ordinary beans may be.
			Binder.get(environment).bind(PropertyValues.name("advice.order"), Integer.class).ifBound(advisor::setOrder);
			Binder.get(environment)
				.bind(PropertyValues.name("advice.max-locks-per-call"), Integer.class)
				.ifBound((max) -> setMaxLocksPerCall(advisor, max));
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DistributedLockStartupCheck distributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor, ObjectProvider<LockClientFactory> factory, Environment environment) {
			DistributedLockStartupCheck check = new DistributedLockStartupCheck(beanFactory, advisor);
			check.setHoldLimits((name) -> Optional.ofNullable(factory.getIfAvailable())
				.flatMap((made) -> made.holdLimit((name != null) ? name : ConfiguredLockClients.DEFAULT)));
			Binder.get(environment)
				.bind(PropertyValues.name("advice.missing"), MissingAdvice.class)
				.ifBound((missing) -> check.setFailOnMissingAdvice(missing == MissingAdvice.FAIL));
			return check;
		}

		private static void setMaxLocksPerCall(DistributedLockAdvisor advisor, int max) {
			new PropertyValues(DynamoDbLockProperties.PREFIX).check("advice.max-locks-per-call", max, (given) -> {
				advisor.setMaxLocksPerCall(given);
				return given;
			});
		}

		private static LockClient client(ConfigurableListableBeanFactory beanFactory, ObjectProvider<LockClient> client,
				@Nullable String name) {
			return (name != null) ? beanFactory.getBean(name, LockClient.class) : client.getObject();
		}

	}

	/** Locks are off. */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnLocksEnabledCondition.Not.class)
	static class UnlockedConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static UnlockedMethodsReport unlockedMethodsReport(ConfigurableListableBeanFactory beanFactory) {
			return new UnlockedMethodsReport(beanFactory, PropertyValues.name("enabled") + " is false");
		}

	}

}
