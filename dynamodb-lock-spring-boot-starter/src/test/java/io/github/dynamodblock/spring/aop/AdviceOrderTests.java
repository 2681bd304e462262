/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The lock is taken inside of what decides whether and where a method runs.
 */
@ExtendWith(DynamoDbExtension.class)
class AdviceOrderTests {

	@Test
	void anAsynchronousMethodIsLockedByTheThreadThatRunsIt(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withUserConfiguration(Asynchronous.class).run((context) -> {
			Mails mails = context.getBean(Mails.class);
			mails.send();
			mails.gate().awaitEntered();
			assertThat(context.getBean(LockClient.class).find("mails")).hasValueSatisfying(
					(lock) -> assertThat(lock.isReleased()).as("after the call has returned").isFalse());
			mails.gate().open();
			await().untilAsserted(() -> assertThat(context.getBean(LockClient.class).find("mails"))
				.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue()));
		});
	}

	@Test
	void aRetryTriesToGetTheLockAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = LockNode.of(dynamoDb).withUserConfiguration(Retries.class);
		node.run((first) -> node.run((second) -> {
			Imports busy = second.getBean(Imports.class);
			Thread waiter = new Thread(busy::run);
			first.getBean(Imports.class).runWith(() -> {
				waiter.start();
				await().untilAsserted(() -> assertThat(busy.attempts()).isGreaterThan(1));
			});
			await().untilAsserted(() -> assertThat(busy.runs()).isEqualTo(1));
		}));
	}

	@Test
	void aCallThatMustWaitForItsTurnAsksForNoLock(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withUserConfiguration(Limits.class).run((context) -> {
			Exports exports = context.getBean(Exports.class);
			Gate gate = new Gate();
			Thread first = new Thread(() -> exports.run(gate::pass));
			Thread second = new Thread(() -> exports.run(gate::pass));
			first.start();
			gate.awaitEntered();
			second.start();
			await().until(() -> second.getState() == Thread.State.WAITING);
			assertThat(exports.attempts()).isEqualTo(1);
			gate.open();
			await().until(() -> !first.isAlive() && !second.isAlive());
			assertThat(exports.attempts()).isEqualTo(2);
		});
	}

	@Test
	void anUnauthorizedCallTakesNoLock(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).withUserConfiguration(Security.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			calls.clear();
			as("ROLE_GUEST", () -> {
				assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(payments::pay);
				assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(payments::secured);
			});
			assertThat(calls.calls()).isEmpty();
			as("ROLE_CLERK", () -> {
				assertThat(payments.pay()).isEqualTo("paid");
				assertThat(payments.secured()).isEqualTo("paid");
			});
			assertThat(calls.calls()).hasSize(4);
		});
	}

	private static void as(String role, Runnable action) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("user", "", role));
		try {
			action.run();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Limits {

		@Bean
		Exports exports() {
			return new Exports();
		}

	}

	static class Exports {

		private final AtomicInteger attempts = new AtomicInteger();

		@ConcurrencyLimit(1)
		@DistributedLock(name = "exports", key = "#root.target.attempt()")
		public void run(Runnable body) {
			body.run();
		}

		public int attempt() {
			return this.attempts.incrementAndGet();
		}

		int attempts() {
			return this.attempts.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(securedEnabled = true)
	static class Security {

		@Bean
		Payments payments() {
			return new Payments();
		}

	}

	static class Payments {

		@PreAuthorize("hasRole('CLERK')")
		@DistributedLock("payments")
		public String pay() {
			return "paid";
		}

		@Secured("ROLE_CLERK")
		@DistributedLock("payments")
		public String secured() {
			return "paid";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		@Bean
		Mails mails() {
			return new Mails();
		}

	}

	static class Mails {

		private final Gate gate = new Gate();

		Gate gate() {
			return this.gate;
		}

		@Async
		@DistributedLock("mails")
		public void send() {
			this.gate.pass();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Retries {

		@Bean
		Imports imports() {
			return new Imports();
		}

	}

	static class Imports {

		private final AtomicInteger attempts = new AtomicInteger();

		private final AtomicInteger runs = new AtomicInteger();

		@Retryable(includes = LockNotGrantedException.class, maxRetries = 1000, delay = 100)
		@DistributedLock(name = "imports", key = "#root.target.attempt()", waitTime = "0s")
		public void run() {
			this.runs.incrementAndGet();
		}

		@DistributedLock(name = "imports", key = "1")
		public void runWith(Runnable body) {
			body.run();
		}

		int attempts() {
			return this.attempts.get();
		}

		int runs() {
			return this.runs.get();
		}

		public int attempt() {
			this.attempts.incrementAndGet();
			return 1;
		}

	}

}
