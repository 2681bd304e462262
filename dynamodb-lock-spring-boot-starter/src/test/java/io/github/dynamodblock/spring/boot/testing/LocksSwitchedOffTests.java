/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.ReactiveLockContext;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user's test of an application whose locks are switched off.
 */
@SpringBootTest(classes = LocksSwitchedOffTests.Application.class, properties = "dynamodb-lock.enabled=false",
		webEnvironment = SpringBootTest.WebEnvironment.NONE)
class LocksSwitchedOffTests {

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private Orders orders;

	@Test
	void callsForOneLockRunBesideEachOther() {
		CountDownLatch inside = new CountDownLatch(2);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(() -> this.orders.meet(inside), threads);
			CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> this.orders.meet(inside), threads);
			assertThat(one.join()).isTrue();
			assertThat(other.join()).isTrue();
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void lockContextsAreEmpty() {
		assertThat(this.orders.token()).isNull();
		assertThat(this.orders.later().block()).isEqualTo("no lock");
	}

	@Test
	void noLockClientAndNoDynamoDbIsThere(@Autowired ObjectProvider<LockClient> client,
			@Autowired ObjectProvider<LockTemplate> template, @Autowired ObjectProvider<EmbeddedDynamoDb> dynamoDb) {
		assertThat(client.getIfAvailable()).isNull();
		assertThat(template.getIfAvailable()).isNull();
		assertThat(dynamoDb.getIfAvailable()).isNull();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	static class Orders {

		@DistributedLock("orders")
		boolean meet(CountDownLatch inside) {
			inside.countDown();
			try {
				return inside.await(20, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		@DistributedLock("orders")
		@Nullable Long token() {
			return LockContext.current().map(HeldLock::fencingToken).orElse(null);
		}

		@DistributedLock("orders")
		public Mono<String> later() {
			return ReactiveLockContext.current().map((lock) -> lock.key().partition()).defaultIfEmpty("no lock");
		}

	}

}
