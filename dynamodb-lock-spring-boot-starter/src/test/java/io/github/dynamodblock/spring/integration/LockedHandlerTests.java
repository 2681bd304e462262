/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Parallel;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandlingException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Message handlers of two applications behind {@link LockRequestHandlerAdvice}.
 */
@ExtendWith(DynamoDbExtension.class)
class LockedHandlerTests {

	private volatile Consumer<Object> handler = (payload) -> {
	};

	@Test
	void aHandlerRunsUnderTheLockOfItsMessagesKey(EmbeddedDynamoDb dynamoDb) {
		AtomicInteger handled = new AtomicInteger();
		TwoNodes.run(node(dynamoDb), (first, second) -> {
			this.handler = (payload) -> {
				assertThat(registry(first).heldLock("42")).get().matches(HeldLock::isHeld);
				assertThat(registry(second).obtain("42").tryLock()).isFalse();
				assertThat(registry(second).heldLock("43")).isEmpty();
				handled.incrementAndGet();
			};
			send(first, "42");
			assertThat(handled).hasValue(1);
			assertFree("42", first, second);
		});
	}

	@Test
	void aHandlerThatFailsReleasesTheLock(EmbeddedDynamoDb dynamoDb) {
		IllegalStateException failure = new IllegalStateException("thrown by the test's handler");
		this.handler = (payload) -> {
			throw failure;
		};
		TwoNodes.run(node(dynamoDb), (first, second) -> {
			assertThatExceptionOfType(MessageHandlingException.class).isThrownBy(() -> send(first, "42"))
				.withRootCauseInstanceOf(IllegalStateException.class)
				.havingRootCause()
				.isSameAs(failure);
			assertFree("42", first, second);
		});
	}

	@Test
	void aMessageWhoseLockStaysBusyFailsUnhandled(EmbeddedDynamoDb dynamoDb) {
		AtomicInteger handled = new AtomicInteger();
		this.handler = (payload) -> handled.incrementAndGet();
		TwoNodes.run(node(dynamoDb), (first, second) -> {
			first.getBean(LockRequestHandlerAdvice.class).setWaitLockDuration(Duration.ofMillis(100));
			registry(second).executeLocked("42", () -> {
				assertThatExceptionOfType(MessageHandlingException.class).isThrownBy(() -> send(first, "42"))
					.havingRootCause()
					.isInstanceOf(TimeoutException.class);
				send(first, "43");
			});
			assertThat(handled).hasValue(1);
			assertFree("42", first, second);
		});
	}

	@Test
	void handlersOfTwoNodesNeverMeetAtOneKey(EmbeddedDynamoDb dynamoDb) {
		int messages = 60;
		List<String> keys = List.of("a", "b");
		ConcurrentMap<Object, AtomicInteger> inside = new ConcurrentHashMap<>();
		AtomicInteger handled = new AtomicInteger();
		AtomicInteger met = new AtomicInteger();
		this.handler = (key) -> {
			AtomicInteger here = inside.computeIfAbsent(key, (each) -> new AtomicInteger());
			met.accumulateAndGet(here.incrementAndGet(), Math::max);
			LockSupport.parkNanos(100_000);
			handled.incrementAndGet();
			here.decrementAndGet();
		};
		TwoNodes.run(node(dynamoDb), (first, second) -> {
			Parallel.forEach(messages, (i) -> send((i % 2 == 0) ? first : second, keys.get(i / 2 % keys.size())));
			assertThat(handled).hasValue(messages);
			assertThat(met).hasValue(1);
		});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return TwoNodes.withLocks(dynamoDb)
			.withBean(LockedHandlerTests.class, () -> this)
			.withUserConfiguration(Handler.class);
	}

	private static DynamoDbLockRegistry registry(ApplicationContext node) {
		return node.getBean(DynamoDbLockRegistry.class);
	}

	private static void send(ApplicationContext node, String key) {
		node.getBean("handle.input", MessageChannel.class)
			.send(MessageBuilder.withPayload(key).setHeader("order", key).build());
	}

	private static void assertFree(String key, ApplicationContext first, ApplicationContext second) {
		assertThat(registry(first).heldLock(key)).isEmpty();
		assertThat(second.getBean(LockClient.class).find("registry:" + key)).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	static class Handler {

		@Bean
		LockRequestHandlerAdvice lockAdvice(DynamoDbLockRegistry registry) {
			return new LockRequestHandlerAdvice(registry,
					new SpelExpressionParser().parseExpression("headers['order']"));
		}

		@Bean
		IntegrationFlow handle(LockRequestHandlerAdvice lockAdvice, LockedHandlerTests test) {
			return (flow) -> flow.handle(Object.class, (payload, headers) -> {
				test.handler.accept(payload);
				return null;
			}, (endpoint) -> endpoint.advice(lockAdvice));
		}

	}

}
