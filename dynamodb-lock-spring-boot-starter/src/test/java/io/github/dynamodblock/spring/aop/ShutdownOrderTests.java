/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the context closes, beans end their work under their locks before the client goes.
 */
@ExtendWith(DynamoDbExtension.class)
class ShutdownOrderTests {

	@ParameterizedTest
	@ValueSource(classes = { Worker.class, WorkerOfTheNamedClient.class })
	void aJobThatItsBeanWaitsForKeepsItsLock(Class<? extends Worker> type, EmbeddedDynamoDb dynamoDb) {
		AtomicReference<Worker> worker = new AtomicReference<>();
		scanned(dynamoDb, type).run((context) -> {
			Worker proxy = context.getBean(type);
			CompletableFuture<Boolean> job = CompletableFuture.supplyAsync(proxy::work);
			proxy.started().await();
			proxy.job(job);
			worker.set(proxy);
		});
		assertThat(worker.get()).isNotNull().extracting(Worker::heldAtTheEnd).isEqualTo(true);
	}

	@Test
	void aLockedCallInTheDestructionOfABeanIsGrantedTheLock(EmbeddedDynamoDb dynamoDb) {
		AtomicReference<String> done = new AtomicReference<>();
		scanned(dynamoDb, Flush.class).withBean("done", AtomicReference.class, () -> done)
			.withBean("last", Last.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(done).hasValue("flushed under flush");
	}

	@Test
	void theClientIsDestroyedBeforeWhatItIsMadeOf() {
		LockNode.bare()
			.withUserConfiguration(ClientWithAnAnnotatedPart.class)
			.run((context) -> assertThat(context.getBeanFactory().getDependentBeans("client")).doesNotContain("part"));
	}

	@Test
	void aPrototypeIsNotKeptInMind(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean("prototype", Flush.class, Flush::new, (bean) -> bean.setScope(BeanDefinition.SCOPE_PROTOTYPE))
			.run((context) -> assertThat(context.getBeanFactory().getDependentBeans("dynamoDbLockClient"))
				.doesNotContain("prototype"));
	}

	/** As if scanned: defined, and so made, before anything that is auto-configured. */
	private static ApplicationContextRunner scanned(EmbeddedDynamoDb dynamoDb, Class<?> type) {
		return LockNode.of(dynamoDb).withBean("scanned", type);
	}

	static class Worker {

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch stopping = new CountDownLatch(1);

		private CompletableFuture<Boolean> job = new CompletableFuture<>();

		private boolean heldAtTheEnd;

		@DistributedLock("work")
		boolean work() {
			return await();
		}

		boolean await() {
			this.started.countDown();
			try {
				this.stopping.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return LockContext.current().orElseThrow().isHeld();
		}

		CountDownLatch started() {
			return this.started;
		}

		void job(CompletableFuture<Boolean> running) {
			this.job = running;
		}

		boolean heldAtTheEnd() {
			return this.heldAtTheEnd;
		}

		@PreDestroy
		void waitForTheJob() {
			this.stopping.countDown();
			this.heldAtTheEnd = this.job.join();
		}

	}

	static class WorkerOfTheNamedClient extends Worker {

		@Override
		@DistributedLock(name = "work", lockClient = "dynamoDbLockClient")
		boolean work() {
			return await();
		}

	}

	static class Flush {

		@DistributedLock("flush")
		String flush() {
			return "flushed under " + LockContext.current().orElseThrow().key();
		}

	}

	/** Calls a locked method of another bean at its end. */
	static class Last implements AutoCloseable {

		private final Flush flush;

		private final AtomicReference<String> done;

		Last(Flush flush, AtomicReference<String> done) {
			this.flush = flush;
			this.done = done;
		}

		@Override
		public void close() {
			this.done.set(this.flush.flush());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientWithAnAnnotatedPart {

		@Bean
		LockClient client(AnnotatedPart part) {
			return Mockito.mock(LockClient.class);
		}

		@Bean
		AnnotatedPart part() {
			return new AnnotatedPart();
		}

	}

	static class AnnotatedPart {

		@DistributedLock("a")
		public void work() {
		}

	}

}
