/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A release that fails never replaces the result or the exception of the work. */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class FailingReleaseTests {

	private final CallRecorder calls = new CallRecorder();

	@ParameterizedTest
	@EnumSource
	void theResultIsTheCallers(Place place, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			assertThat(place.run(context, () -> {
				this.calls.deny((request) -> true);
				return "done";
			})).isEqualTo("done");
			assertThat(log).containsPattern("WARN .*Lock '(registry:)?k' (could not be released|was unlocked here)");
			this.calls.deny((request) -> false);
		});
	}

	@ParameterizedTest
	@EnumSource
	void theExceptionIsTheCallers(Place place, EmbeddedDynamoDb dynamoDb) {
		IllegalArgumentException failure = new IllegalArgumentException("the work's");
		node(dynamoDb).run((context) -> {
			Throwable thrown = catchThrowable(() -> place.run(context, () -> {
				this.calls.deny((request) -> true);
				throw failure;
			}));
			assertThat((thrown instanceof CompletionException) ? thrown.getCause() : thrown).isSameAs(failure);
			this.calls.deny((request) -> false);
		});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=1m")
			.withBean(Work.class);
	}

	enum Place {

		METHOD {

			@Override
			Object run(ApplicationContext context, Callable<String> work) throws Exception {
				return context.getBean(Work.class).method(work);
			}

		},

		FUTURE {

			@Override
			Object run(ApplicationContext context, Callable<String> work) {
				return context.getBean(Work.class).future(work).join();
			}

		},

		MONO {

			@Override
			Object run(ApplicationContext context, Callable<String> work) {
				return context.getBean(Work.class).mono(work).toFuture().join();
			}

		},

		FLUX {

			@Override
			Object run(ApplicationContext context, Callable<String> work) {
				return context.getBean(Work.class).flux(work).last().toFuture().join();
			}

		},

		TEMPLATE {

			@Override
			Object run(ApplicationContext context, Callable<String> work) throws Exception {
				return context.getBean(LockTemplate.class).executeChecked("k", (lock) -> work.call());
			}

		},

		TEMPLATE_IF_FREE {

			@Override
			Object run(ApplicationContext context, Callable<String> work) throws Exception {
				return context.getBean(LockTemplate.class)
					.executeIfFreeChecked("k", (lock) -> work.call())
					.orElseThrow();
			}

		},

		REGISTRY {

			@Override
			Object run(ApplicationContext context, Callable<String> work) throws Exception {
				Lock lock = new DynamoDbLockRegistry(context.getBean(LockClient.class)).obtain("k");
				lock.lock();
				try {
					return work.call();
				}
				finally {
					lock.unlock();
				}
			}

		};

		abstract Object run(ApplicationContext context, Callable<String> work) throws Exception;

	}

	static class Work {

		@DistributedLock("k")
		String method(Callable<String> work) throws Exception {
			return work.call();
		}

		@DistributedLock("k")
		CompletableFuture<String> future(Callable<String> work) {
			return Mono.fromCallable(work).toFuture();
		}

		@DistributedLock("k")
		Mono<String> mono(Callable<String> work) {
			return Mono.fromCallable(work);
		}

		@DistributedLock("k")
		Flux<String> flux(Callable<String> work) {
			return Flux.from(mono(work));
		}

	}

}
