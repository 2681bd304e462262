/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@Order(1)
@ExtendWith(DynamoDbExtension.class)
class SeveralLocksTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CallRecorder calls = new CallRecorder();

	@AfterEach
	void endThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void allLocksOfACollectionAreHeldInTheOrderOfTheirKeys(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.clear();
			context.getBean(Transfers.class)
				.transfer(List.of("b", "a", "b"), () -> assertThat(LockContext.currentLocks()).extracting(HeldLock::key)
					.containsExactly(LockKey.of("accounts:a"), LockKey.of("accounts:b")));
			assertThat(this.calls.calls()).hasSize(4).containsOnly("UpdateItemRequest");
			assertThat(isFree(dynamoDb, context, "a")).isTrue();
			assertThat(isFree(dynamoDb, context, "b")).isTrue();
		});
	}

	@Test
	void aCallOfMoreLocksThanAllowedIsRefusedBeforeAnythingIsSent(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.advice.max-locks-per-call=2").run((context) -> {
			Transfers transfers = context.getBean(Transfers.class);
			this.calls.clear();
			assertThatIllegalArgumentException()
				.isThrownBy(() -> transfers.transfer(List.of("a", "b", "c"), Assertions::fail))
				.withMessageContainingAll("Transfers.transfer(List, Runnable)", "this call needs 3 locks",
						"at most 2 are allowed (dynamodb-lock.advice.max-locks-per-call)");
			assertThat(this.calls.calls()).isEmpty();
			transfers.transfer(List.of("a", "b", "b", "a"), () -> assertThat(LockContext.currentLocks()).hasSize(2));
		});
	}

	@Test
	void aCallTakesAHundredLocksAtMostUnlessSet(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.clear();
			List<String> accounts = IntStream.rangeClosed(0, 100).mapToObj(Integer::toString).toList();
			assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(Transfers.class).transfer(accounts, Assertions::fail))
				.withMessageContainingAll("this call needs 101 locks", "at most 100 are allowed");
			assertThat(this.calls.calls()).isEmpty();
		});
	}

	@Test
	void whoeverNamesTheSameLocksInAnotherOrderDoesNotBlock(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			CompletableFuture<?> there = run(() -> transferOften(first, List.of("a", "b")));
			CompletableFuture<?> back = run(() -> transferOften(second, List.of("b", "a")));
			assertThat(there).succeedsWithin(LIMIT);
			assertThat(back).succeedsWithin(LIMIT);
		}));
	}

	private static void transferOften(ApplicationContext node, List<String> accounts) {
		for (int i = 0; i < 10; i++) {
			node.getBean(Transfers.class).transferPatiently(accounts, () -> {
			});
		}
	}

	@Test
	void noneIsHeldWhenOneIsBusy(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Transfers.class).transfer(List.of("b"), () -> {
			Transfers busy = second.getBean(Transfers.class);
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> busy.transfer(List.of("a", "b", "c"), SeveralLocksTests::unreachable))
				.withMessageContaining("accounts:b");
			assertThat(isFree(dynamoDb, second, "a")).isTrue();
			assertThat(isFree(dynamoDb, second, "c")).isTrue();
		})));
	}

	@Test
	void aLockThatWasNotUsedIsNotHeldForAnyTime(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Transfers.class).transfer(List.of("b"), () -> {
			second.getBean(Transfers.class).transferForLong(List.of("a", "b"), SeveralLocksTests::unreachable);
			assertThat(isFree(dynamoDb, second, "a")).isTrue();
		})));
	}

	@Test
	void publishersTakeAllOrNone(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			List<String> all = List.of("a", "b");
			assertThat(second.getBean(Transfers.class).reactively(all).block(LIMIT)).isEqualTo(2);
			first.getBean(Transfers.class).transfer(List.of("b"), () -> {
				assertThat(second.getBean(Transfers.class).reactively(all).toFuture()).failsWithin(LIMIT)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(LockNotGrantedException.class);
				assertThat(isFree(dynamoDb, second, "a")).isTrue();
			});
		}));
	}

	@Test
	void theWaitTimeIsForAllTogether(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node
			.run((second) -> waitForTwo(first, second.getBean(LockClient.class), () -> second.getBean(Transfers.class)
				.transferAfterAWait(List.of("a", "b"), SeveralLocksTests::unreachable))));
	}

	@Test
	void theClientsWaitTimeIsForAllTogetherToo(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.wait-time=3s");
		node.run((first) -> node
			.run((second) -> waitForTwo(first, second.getBean(LockClient.class), () -> second.getBean(Transfers.class)
				.transferByDefault(List.of("a", "b"), SeveralLocksTests::unreachable))));
	}

	@Test
	void aLockThatIsLostWhileTheCallWaitsForAnotherKeepsTheBodyFromRunning(EmbeddedDynamoDb dynamoDb) {
		loseWhileWaiting(dynamoDb,
				(transfers, accounts) -> transfers.transferPatiently(accounts, SeveralLocksTests::unreachable));
		loseWhileWaiting(dynamoDb, (transfers, accounts) -> transfers.reactivelyAndPatiently(accounts).block(LIMIT));
	}

	private void loseWhileWaiting(EmbeddedDynamoDb dynamoDb, BiConsumer<Transfers, List<String>> call) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.heartbeat-period=400ms");
		node.run((first) -> node.run((second) -> {
			Gate gate = new Gate();
			CompletableFuture<?> holding = run(() -> first.getBean(Transfers.class).transfer(List.of("b"), gate::pass));
			gate.awaitEntered();
			CompletableFuture<?> waiting = run(
					() -> call.accept(second.getBean(Transfers.class), List.of("a", "b", "c")));
			LockClient client = second.getBean(LockClient.class);
			await().until(() -> !client.held().isEmpty() && !client.waiting().isEmpty());
			new LockRow(dynamoDb, second, "accounts:a").steal();
			await().until(() -> client.held().isEmpty());
			gate.open();
			assertThat(waiting).failsWithin(LIMIT)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class);
			assertThat(isFree(dynamoDb, second, "b")).isTrue();
			assertThat(isFree(dynamoDb, second, "c")).isTrue();
			assertThat(holding).succeedsWithin(LIMIT);
		}));
	}

	/** The first lock is freed while it is waited for, the second one is not. */
	private void waitForTwo(ApplicationContext node, LockClient client, Runnable call) {
		Transfers holding = node.getBean(Transfers.class);
		Gate first = new Gate();
		Gate second = new Gate();
		CompletableFuture<?> both = CompletableFuture.allOf(run(() -> holding.transfer(List.of("a"), first::pass)),
				run(() -> holding.transfer(List.of("b"), second::pass)));
		first.awaitEntered();
		second.awaitEntered();
		CompletableFuture<?> waiting = run(call);
		await().until(() -> client.waiting().stream().anyMatch((each) -> each.waited().toMillis() >= 200));
		first.open();
		// What is left of three seconds after the wait for the first is less than that.
		assertThat(waiting).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockNotGrantedException.class)
			.withMessageContaining("'accounts:b' was not granted within")
			.satisfies((refusal) -> assertThat(refusal.getMessage()).doesNotContain("within 3 s"));
		second.open();
		assertThat(both).succeedsWithin(LIMIT);
	}

	@Test
	void aNestedCallTakesOnlyWhatItsThreadDoesNotHold(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Transfers transfers = context.getBean(Transfers.class);
			transfers.transfer(List.of("a", "c"), () -> {
				this.calls.clear();
				transfers.transfer(List.of("a", "b", "c"), () -> {
					assertThat(this.calls.calls()).containsExactly("UpdateItemRequest");
					assertThat(LockContext.currentLocks()).hasSize(3).allMatch(HeldLock::isHeld);
				});
				assertThat(isFree(dynamoDb, context, "b")).isTrue();
				assertThat(LockContext.currentLocks()).hasSize(2).allMatch(HeldLock::isHeld);
			});
			assertThat(isFree(dynamoDb, context, "a")).isTrue();
			assertThat(isFree(dynamoDb, context, "c")).isTrue();
		});
	}

	@Test
	void aJoinedLockIsTheCurrentOne(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Transfers transfers = context.getBean(Transfers.class);
			transfers.transfer(List.of("a"), () -> transfers.transfer(List.of("b"), () -> transfers.transfer(
					List.of("a"),
					() -> assertThat(LockContext.current()).map(HeldLock::key).hasValue(LockKey.of("accounts:a")))));
		});
	}

	@Test
	void theContextHasTheLocksInTheOrderOfTheirKeys(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.run((context) -> assertThat(context.getBean(Transfers.class).all("b", "a")).extracting(HeldLock::key)
				.containsExactly(LockKey.of("accounts:a"), LockKey.of("accounts:b")));
	}

	private static void unreachable() {
		throw new AssertionError("runs although a lock is held");
	}

	private CompletableFuture<Void> run(Runnable task) {
		return CompletableFuture.runAsync(task, this.threads);
	}

	private static boolean isFree(EmbeddedDynamoDb dynamoDb, ApplicationContext node, String account) {
		return new LockRow(dynamoDb, node, "accounts:" + account).isFree();
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=60s")
			.withBean(Transfers.class);
	}

	static class Transfers {

		@DistributedLock(name = "accounts", key = "#p0", waitTime = "0s")
		void transfer(List<String> accounts, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "accounts", key = "#p0", waitTime = "1m")
		void transferPatiently(List<String> accounts, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "accounts", key = "#p0", waitTime = "3s")
		void transferAfterAWait(List<String> accounts, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "accounts", key = "#p0")
		void transferByDefault(List<String> accounts, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "accounts", key = "#p0", onBusy = OnBusy.SKIP, holdAtLeast = "1m")
		void transferForLong(List<String> accounts, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "accounts", key = "#p0", waitTime = "0s")
		Mono<Integer> reactively(List<String> accounts) {
			return Mono.fromCallable(accounts::size);
		}

		@DistributedLock(name = "accounts", key = "#p0", waitTime = "1m")
		Mono<Integer> reactivelyAndPatiently(List<String> accounts) {
			unreachable();
			return Mono.just(accounts.size());
		}

		@DistributedLock(name = "accounts", key = "#p0")
		List<HeldLock> all(String... accounts) {
			return LockContext.currentLocks();
		}

	}

}
