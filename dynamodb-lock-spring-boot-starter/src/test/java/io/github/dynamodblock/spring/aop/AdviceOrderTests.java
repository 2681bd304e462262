/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The lock is taken inside of what decides whether and where a method runs, and outside
 * of what happens to its data.
 */
@ExtendWith(DynamoDbExtension.class)
class AdviceOrderTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.aspectj", "none.hidden" })
	void theLockIsHeldUntilTheTransactionIsCommitted(String hidden, EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withClassLoader(new FilteredClassLoader(hidden))
			.withUserConfiguration(Transactions.class)
			.run((context) -> {
				context.getBean(Booking.class).book();
				assertThat(context.getBean(RecordingTransactions.class).events).containsExactly("begin, lock is held",
						"commit, lock is held");
				assertThat(context.getBean(LockClient.class).find("booking"))
					.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
			});
	}

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

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		Booking booking() {
			return new Booking();
		}

		@Bean
		RecordingTransactions transactionManager(ObjectProvider<LockClient> locks) {
			return new RecordingTransactions(locks);
		}

	}

	public static class Booking {

		@Transactional
		@DistributedLock("booking")
		public void book() {
		}

	}

	static class RecordingTransactions extends AbstractPlatformTransactionManager {

		final transient List<String> events = new CopyOnWriteArrayList<>();

		private final transient ObjectProvider<LockClient> locks;

		RecordingTransactions(ObjectProvider<LockClient> locks) {
			this.locks = locks;
		}

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.events.add("begin, " + lock());
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.events.add("commit, " + lock());
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.events.add("rollback, " + lock());
		}

		private String lock() {
			boolean held = this.locks.getObject().find("booking").filter((lock) -> !lock.isReleased()).isPresent();
			return held ? "lock is held" : "lock is free";
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
