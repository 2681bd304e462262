/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class FutureMethodTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CallRecorder calls = new CallRecorder();

	private final CompletableFuture<String> work = new CompletableFuture<>();

	@Test
	void theLockIsHeldAndRenewedUntilTheFutureCompletes(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			this.calls.clear();
			await().until(() -> this.calls.calls().size() >= 2);
			assertThat(row.isFree()).isFalse();
			CompletableFuture<Boolean> freeWhenTold = result.thenApply((value) -> row.isFree());
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
			assertThat(freeWhenTold).succeedsWithin(LIMIT).isEqualTo(true);
		});
	}

	@Test
	void anUncontendedCallCostsTwoWrites(EmbeddedDynamoDb dynamoDb) {
		quietNode(dynamoDb).run((context) -> {
			this.calls.clear();
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.stage(() -> CompletableFuture.completedFuture("done"))).succeedsWithin(LIMIT);
			assertThat(this.calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@Test
	void whoeverCompletesTheFutureDoesNotWaitForTheRelease(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			Set<Thread> threads = ConcurrentHashMap.newKeySet();
			this.calls.deny((request) -> {
				threads.add(Thread.currentThread());
				return false;
			});
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT);
			assertThat(threads).isNotEmpty().doesNotContain(Thread.currentThread());
		});
	}

	@Test
	void theBodysFailureIsTheCallersAfterTheRelease(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			this.work.completeExceptionally(failure);
			assertThat(result).failsWithin(LIMIT).withThrowableThat().havingCause().isSameAs(failure);
			assertThat(new LockRow(dynamoDb, context, "orders:1").isFree()).isTrue();
		});
	}

	@Test
	void aBodyThatThrowsOrReturnsNullReleasesAtOnce(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> orders.fulfil(() -> {
				throw failure;
			})).isSameAs(failure);
			assertThat(row.isFree()).isTrue();
			assertThat(orders.fulfil(() -> null)).isNull();
			assertThat(row.isFree()).isTrue();
		});
	}

	@Test
	void cancellingTheResultCancelsTheBodysFutureAndReleases(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			assertThat(result.cancel(true)).isTrue();
			assertThat(result).isCancelled();
			assertThat(this.work).isCancelled();
			await().until(new LockRow(dynamoDb, context, "orders:1")::isFree);
		});
	}

	@Test
	void cancellingAResultThatIsThereChangesNothing(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT);
			assertThat(result.cancel(true)).isFalse();
			assertThat(result).isCompletedWithValue("done");
		});
	}

	@Test
	void aStageThatCannotBeCancelledKeepsTheLockUntilItEnds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockRow row = new LockRow(dynamoDb, context, "orders:1");
			CompletionStage<String> result = context.getBean(Orders.class).stage(this.work::minimalCompletionStage);
			assertThat(result.toCompletableFuture().cancel(true)).isTrue();
			assertThat(row.isFree()).isFalse();
			this.work.complete("done");
			await().until(row::isFree);
		});
	}

	@Test
	void whileTheLockIsBusyTheFutureSaysWhoHoldsIt(EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb,
				(orders, holder) -> assertThat(orders.fulfil(() -> this.work)).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class)
					.withMessageContaining(holder));
	}

	@Test
	void whileTheLockIsBusyASkippedCallCompletesWithNull(EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb, (orders, holder) -> assertThat(orders.skip()).isCompletedWithValue(null));
	}

	@Test
	void whileTheLockIsBusyTheFallbackAnswers(EmbeddedDynamoDb dynamoDb) {
		busy(dynamoDb, (orders, holder) -> assertThat(orders.orElse("argument")).isCompletedWithValueMatching(
				(answer) -> answer.startsWith("instead of argument: Lock 'orders:1'") && answer.contains(holder)));
	}

	@Test
	void aRefusalOfAnotherLockInTheBodyIsNotAnsweredByTheFallback(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockNotGrantedException other = new LockNotGrantedException(LockKey.of("other"), "at all", null, null);
			CompletableFuture<String> result = context.getBean(Orders.class).failing(other);
			assertThat(result).failsWithin(LIMIT).withThrowableThat().havingCause().isSameAs(other);
		});
	}

	@Test
	void aStoreThatDoesNotAnswerIsNotBusy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThat(context.getBean(Orders.class).skip()).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockStoreException.class);
			this.calls.deny((request) -> false);
		});
	}

	@Test
	void theBodyRunsUnderTheLockAndNestedCallsJoinIt(EmbeddedDynamoDb dynamoDb) {
		quietNode(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<Long> outer = new CompletableFuture<>();
			CompletableFuture<Long> nested = new CompletableFuture<>();
			CompletableFuture<String> result = orders.fulfil(() -> {
				outer.complete(LockContext.current().map(HeldLock::fencingToken).orElseThrow());
				this.calls.clear();
				return orders.fulfil(() -> {
					nested.complete(LockContext.current().map(HeldLock::fencingToken).orElseThrow());
					return this.work;
				});
			});
			assertThat(this.calls.calls()).isEmpty();
			assertThat(nested.join()).isEqualTo(outer.join());
			assertThat(LockContext.current()).isEmpty();
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
		});
	}

	@Test
	void aFutureThatOutlivesTheLockItJoinedIsReported(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<String> result = orders.blocking(() -> orders.fulfil(() -> this.work));
			assertThat(new LockRow(dynamoDb, context, "orders:1").isFree()).isTrue();
			this.work.complete("done");
			assertThat(result).isCompletedWithValue("done");
			await().untilAsserted(() -> assertThat(log)
				.containsPattern("WARN .*Orders.fulfil\\(Supplier\\) continued after lock 'orders:1'"));
		});
	}

	@Test
	void anUnfinishedFutureThatTheMethodDoesNotDeclareIsReported(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.blocking(() -> CompletableFuture.completedFuture("done"))).isCompleted();
			assertThat(orders.blocking(() -> "done")).isEqualTo("done");
			assertThat(log).doesNotContain("whose work is not done");
			assertThat(orders.blocking(() -> this.work)).isSameAs(this.work);
			assertThat(log).containsPattern("WARN .*Orders.blocking\\(Supplier\\) returned a "
					+ "java.util.concurrent.CompletableFuture whose work is not done. Lock 'orders:1'");
			orders.blocking(() -> Mono.just("done"));
			assertThat(log).containsPattern("returned a reactor.core.publisher.Mono\\w+ whose work is not done");
		});
	}

	@Test
	void aFailingReleaseReplacesNeitherResultNorFailure(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			this.calls.deny(UpdateItemRequest.class::isInstance);
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
			await().untilAsserted(() -> assertThat(log).contains("Lock 'orders:1' could not be released when"));
			this.calls.deny((request) -> false);
		});
	}

	@Test
	void theResultIsKeptWhenTheLockIsLost(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		quietNode(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).fulfil(() -> this.work);
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.complete("done");
			assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
			await().untilAsserted(() -> assertThat(log)
				.containsPattern("INFO .*Lock 'orders:1' .* was lost while .*fulfil.* ran: STOLEN"));
		});
	}

	@Test
	void aLossCancelsTheBodysFutureIfWanted(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).strictly(() -> this.work);
			new LockRow(dynamoDb, context, "orders:1").steal();
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
			assertThat(this.work).isCancelled();
		});
	}

	@Test
	void aResultThatComesWithALossIsNotGivenIfSoWanted(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			CompletableFuture<String> result = context.getBean(Orders.class).strictly(() -> this.work);
			new LockRow(dynamoDb, context, "orders:1").steal();
			this.work.complete("done");
			assertThat(result).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
		});
	}

	private void busy(EmbeddedDynamoDb dynamoDb, java.util.function.BiConsumer<Orders, String> check) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<String> holding = first.getBean(Orders.class).fulfil(() -> this.work);
			check.accept(second.getBean(Orders.class), first.getBean(LockClient.class).ownerName());
			this.work.complete("done");
			assertThat(holding).succeedsWithin(LIMIT);
		}));
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return quietNode(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=10s",
				"dynamodb-lock.heartbeat-period=400ms");
	}

	/** No heartbeat comes among the calls that a test counts. */
	private ApplicationContextRunner quietNode(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=60s")
			.withBean(Orders.class);
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		CompletableFuture<String> fulfil(Supplier<@Nullable CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		CompletionStage<String> stage(Supplier<CompletionStage<String>> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
		CompletableFuture<String> strictly(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s")
		<T> T blocking(Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		CompletableFuture<String> skip() {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "instead")
		CompletableFuture<String> orElse(String argument) {
			return CompletableFuture.completedFuture(argument);
		}

		CompletableFuture<String> instead(String argument, LockNotGrantedException refusal) {
			assertThat(LockContext.current()).isEmpty();
			return CompletableFuture.completedFuture("instead of " + argument + ": " + refusal.getMessage());
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.FALLBACK, fallback = "neverAsked")
		CompletableFuture<String> failing(RuntimeException failure) {
			return CompletableFuture.failedFuture(failure);
		}

		CompletableFuture<String> neverAsked(RuntimeException failure) {
			throw new AssertionError("the fallback was asked", failure);
		}

	}

}
