/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.PriorityOrdered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A user's test that replaces annotated beans starts, with doubles that are not locked.
 */
@SpringJUnitConfig(BeanOverrideTests.Application.class)
@SuppressWarnings("NullAway.Init")
class BeanOverrideTests {

	@TestBean
	private Imports imports;

	@MockitoBean
	private Exports exports;

	@MockitoSpyBean
	private Reports reports;

	@Autowired
	private Reports lockedReports;

	static Imports imports() {
		return new Imports() {
			@Override
			public String run() {
				return "stub";
			}
		};
	}

	@Test
	void stubOfATestBeanRunsAsItIs() {
		assertThat(AopUtils.isAopProxy(this.imports)).isFalse();
		assertThat(this.imports.run()).isEqualTo("stub");
	}

	@Test
	void mockRunsAsItIs() {
		Mockito.when(this.exports.run()).thenReturn("mocked");
		assertThat(this.exports.run()).isEqualTo("mocked");
	}

	@Test
	void spyOfABeanIsLocked() {
		assertThat(Mockito.mockingDetails(this.reports).isSpy()).isTrue();
		assertThat(AopUtils.isAopProxy(this.lockedReports)).isTrue();
	}

	@Test
	void aBeanThatNoTestReplacesIsStillRefusedWithoutTheAdvice() {
		TestContext test = new TestContextManager(OneBeanIsReplaced.class).getTestContext();
		assertThatException().isThrownBy(test::getApplicationContext)
			.satisfies((failure) -> assertThat(failure)
				.hasStackTraceContaining("bean 'imports' was created without the lock advice"));
	}

	@SpringJUnitConfig(TooEarly.class)
	@MockitoBean(types = Exports.class)
	static class OneBeanIsReplaced {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class TooEarly {

		@Bean
		static Greedy greedy(Imports imports) {
			return new Greedy(imports);
		}

	}

	record Greedy(Imports imports) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DistributedLockAutoConfiguration.class })
	static class Application {

		@Bean
		@Primary
		LockClient lockClient() {
			return Mockito.mock(LockClient.class);
		}

		@Bean
		Imports imports() {
			return new Imports();
		}

		@Bean
		Exports exports() {
			return new Exports();
		}

		@Bean
		Reports reports() {
			return new Reports();
		}

	}

	static class Imports {

		@DistributedLock
		public String run() {
			return "imported";
		}

	}

	static class Exports {

		@DistributedLock
		public String run() {
			return "exported";
		}

	}

	static class Reports {

		@DistributedLock
		public String run() {
			return "reported";
		}

	}

}
