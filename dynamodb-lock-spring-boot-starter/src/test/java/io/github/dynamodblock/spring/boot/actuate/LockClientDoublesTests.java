/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.verify;

/**
 * Doubles of lock clients in the tests of an application with meters and observations.
 */
class LockClientDoublesTests {

	@Nested
	@SpringBootTest(classes = Application.class, properties = "dynamodb-lock.embedded.enabled=true")
	class WithASpy {

		@MockitoSpyBean
		private LockClient client;

		@Test
		void callsAreVerifiedAndMeasured(@Autowired Orders orders, @Autowired MeterRegistry meters)
				throws InterruptedException {
			assertThat(orders.fulfil(4711)).isEqualTo("done");
			verify(this.client).acquire(any(LockRequest.class));
			assertThat(meters.get("dynamodb.lock.acquire").tag("dynamodb.lock.name", "orders").timer().count())
				.isPositive();
		}

		@Test
		void callsAreStubbed() throws InterruptedException {
			willReturn(Optional.empty()).given(this.client).tryAcquire("free");
			assertThat(this.client.tryAcquire("free")).isEmpty();
			verify(this.client).tryAcquire("free");
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class)
	@MockitoBean(types = LockClient.class)
	class WithAMock {

		@Test
		void aResultThatIsNotStubbedIsNamed(@Autowired Orders orders, @Autowired LockTemplate template) {
			assertThatIllegalStateException().isThrownBy(() -> orders.fulfil(4711))
				.withMessageContaining("returned null; is it a mock?");
			assertThatIllegalStateException().isThrownBy(() -> orders.later(4711).block())
				.withMessageContaining("returned null; is it a mock?");
			assertThatIllegalStateException().isThrownBy(() -> template.execute("key", (lock) -> "done"))
				.withMessageContaining("returned null; is it a mock?");
		}

	}

	@Nested
	@SpringBootTest(classes = { Application.class, Job.class })
	@MockitoBean(types = LockClient.class)
	class WithAMockAndASchedule {

		@Test
		void aTickExplainsThatTheClientMayBeAMock(@Autowired Job job) throws Exception {
			ScheduledMethodRunnable tick = new ScheduledMethodRunnable(job, "run");
			assertThatIllegalStateException().isThrownBy(tick::run)
				.withMessageContaining("returned null; is it a mock?");
		}

		@Test
		void theRegistryExplainsIt(@Autowired LockClient client) {
			Lock lock = new DynamoDbLockRegistry(client).obtain("key");
			assertThatIllegalStateException().isThrownBy(lock::lock)
				.withMessageContaining("returned null; is it a mock?");
			assertThatIllegalStateException().isThrownBy(lock::lockInterruptibly)
				.withMessageContaining("returned null; is it a mock?");
		}

	}

	@Nested
	@SpringBootTest(classes = { Application.class, MockConfiguration.class })
	class WithABeanThatIsAMock {

		@Autowired
		private LockClient client;

		@Test
		void itIsStubbed() throws InterruptedException {
			given(this.client.tryAcquire(any(LockRequest.class))).willReturn(Optional.empty());
			assertThat(this.client.tryAcquire(LockRequest.of("free"))).isEmpty();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ObservationRegistry observations() {
			return TestObservationRegistry.create();
		}

	}

	@EnableScheduling
	static class Job {

		@Scheduled(cron = "0 0 0 1 1 *")
		@ScheduledLock("yearly")
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MockConfiguration {

		@Bean
		LockClient mock() {
			return Mockito.mock(LockClient.class);
		}

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#p0")
		String fulfil(long id) {
			return "done";
		}

		@DistributedLock(name = "orders", key = "#p0")
		public Mono<String> later(long id) {
			return Mono.just("done");
		}

	}

}
