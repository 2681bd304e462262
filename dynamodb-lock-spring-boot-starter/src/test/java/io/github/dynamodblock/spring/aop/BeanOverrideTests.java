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
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

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
