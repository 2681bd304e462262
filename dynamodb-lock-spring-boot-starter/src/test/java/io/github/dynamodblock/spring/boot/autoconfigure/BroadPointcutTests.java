/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An advisor of the application whose pointcut matches too much, such as a name pattern
 * of transactions, puts class proxies before the beans of locks, too.
 */
class BroadPointcutTests {

	@Test
	void everyBeanOfLocksCanHaveAClassProxy() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run("--dynamodb-lock.embedded.enabled=true", "--management.endpoints.jmx.exposure.include=*")) {
			assertThat(context.getBean(LockTemplate.class)).matches(AopUtils::isCglibProxy);
			assertThat(context.getBean(LockClient.class)).as("instrumented already")
				.matches(AopUtils::isJdkDynamicProxy);
			assertThat(context.getBean(EmbeddedDynamoDb.class)).matches(AopUtils::isCglibProxy);
			String found = context.getBean(LockTemplate.class)
				.execute("orders",
						(lock) -> context.getBean(LockClient.class).find("orders").orElseThrow().ownerName());
			assertThat(found).isEqualTo(context.getBean(LockClient.class).ownerName());
			await().until(context.getBean(Job.class)::hasRun);
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		Job job() {
			return new Job();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor everyPublicMethod() {
			return new EveryPublicMethod();
		}

	}

	static class Job {

		private final AtomicBoolean ran = new AtomicBoolean();

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() {
			this.ran.set(true);
		}

		boolean hasRun() {
			return this.ran.get();
		}

	}

	@SuppressWarnings("serial")
	static final class EveryPublicMethod extends StaticMethodMatcherPointcutAdvisor {

		EveryPublicMethod() {
			setAdvice((MethodInterceptor) (invocation) -> invocation.proceed());
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return Modifier.isPublic(method.getModifiers()) && method.getDeclaringClass() != Object.class
					&& targetClass.getName().startsWith("io.github.dynamodblock.");
		}

	}

}
