/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class DistributedLockTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void endThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void twoNodesNeverRunTheSameMethodAtTheSameTime(EmbeddedDynamoDb dynamoDb) {
		Counter counter = new Counter();
		ApplicationContextRunner node = LockNode.of(dynamoDb).withBean(Counting.class, () -> new Counting(counter));
		node.run((first) -> node.run((second) -> {
			List<CompletableFuture<Void>> calls = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				Counting counting = ((i % 2 == 0) ? first : second).getBean(Counting.class);
				calls.add(run(counting::count));
			}
			calls.forEach(CompletableFuture::join);
			assertThat(counter.runs).hasValue(20);
			assertThat(counter.mostAtATime).hasValue(1);
		}));
	}

	@Test
	void keysAreLockedApart(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.fulfil("1", () -> {
				assertThat(orders.find("orders:1"))
					.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isFalse());
				run(() -> orders.fulfil("2", () -> {
				})).join();
			});
			assertThat(orders.find("orders:1")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		});
	}

	@Test
	void throwsAndSaysWhoHoldsTheLock(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			String holder = first.getBean(LockClient.class).ownerName();
			first.getBean(Orders.class)
				.fulfil("1",
						() -> assertThatExceptionOfType(LockNotGrantedException.class)
							.isThrownBy(() -> second.getBean(Orders.class).fulfil("1", Orders.UNREACHABLE))
							.withMessageContaining(holder));
		}));
	}

	@Test
	void skipsWhatIsAlreadyRunning(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Orders.class).fulfil("1", () -> {
			Orders busy = second.getBean(Orders.class);
			assertThat(busy.text()).isNull();
			assertThat(busy.optional()).isEmpty();
			assertThat(busy.optionalInt()).isEmpty();
			busy.nothing();
			assertThat(busy.bodies()).isZero();
		})));
	}

	@Test
	void aSkippedCallSaysWhoHoldsTheLock(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Orders.class).fulfil("1", () -> {
			second.getBean(Orders.class).nothing();
			assertThat(log).containsPattern("DEBUG .*Skipped .*Orders.nothing\\(\\): Lock 'orders:1' was not granted.*"
					+ first.getBean(LockClient.class).ownerName());
		})));
	}

	@Test
	void runsWhatIsNotRunning(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.text()).isEqualTo("ran");
			assertThat(orders.optional()).contains("ran");
			assertThat(orders.optionalInt()).hasValue(1);
			orders.nothing();
			assertThat(orders.bodies()).isEqualTo(4);
		});
	}

	@Test
	void waitsAsLongAsItSays(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			Gate gate = new Gate();
			CompletableFuture<Void> first = run(() -> orders.fulfil("1", gate::pass));
			gate.awaitEntered();
			CompletableFuture<Void> second = run(() -> orders.fulfilPatiently("1"));
			gate.open();
			assertThat(first).succeedsWithin(LIMIT);
			assertThat(second).succeedsWithin(LIMIT);
		});
	}

	@Test
	void anUncontendedCallCostsTwoWrites(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).withBean(Orders.class).run((context) -> {
			calls.clear();
			context.getBean(Orders.class).fulfil("1", () -> {
			});
			assertThat(calls.calls()).containsExactly("UpdateItemRequest", "UpdateItemRequest");
		});
	}

	@Test
	void aNestedCallJoinsTheLockThatItsThreadHolds(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.fulfil("1", () -> {
				calls.clear();
				orders.fulfil("1", () -> orders.fulfil("1", () -> {
				}));
				assertThat(calls.calls()).isEmpty();
				assertThat(orders.find("orders:1"))
					.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isFalse());
			});
			assertThat(orders.find("orders:1")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		});
	}

	@Test
	void theBodySeesTheInnermostLockItRunsUnder(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(LockContext.current()).isEmpty();
			orders.fulfil("1", () -> {
				HeldLock outer = LockContext.current().orElseThrow();
				orders.fulfil("2",
						() -> assertThat(LockContext.current()).map(HeldLock::key).hasValue(LockKey.of("orders:2")));
				assertThat(LockContext.current()).containsSame(outer);
				assertThat(outer.isHeld()).isTrue();
				assertThat(orders.find("orders:1").orElseThrow().fencingToken()).hasValue(outer.fencingToken());
			});
			assertThat(LockContext.current()).isEmpty();
		});
	}

	@Test
	void anotherThreadDoesNotJoin(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.fulfil("1",
					() -> assertThat(run(() -> orders.fulfil("1", Orders.UNREACHABLE))).failsWithin(LIMIT)
						.withThrowableThat()
						.withCauseInstanceOf(LockNotGrantedException.class));
		});
	}

	@Test
	void theLockStaysHeldForAsLongAsItSays(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			first.getBean(Orders.class).briefly();
			assertThat(first.getBean(Orders.class).find("brief"))
				.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isFalse());
			second.getBean(Orders.class).briefly();
			assertThat(second.getBean(Orders.class).bodies()).isZero();
			await().untilAsserted(() -> {
				second.getBean(Orders.class).briefly();
				assertThat(second.getBean(Orders.class).bodies()).isEqualTo(1);
			});
		}));
	}

	@Test
	void theLockIsReleasedWhenTheBodyThrows(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> orders.fulfil("1", () -> {
				throw failure;
			})).isSameAs(failure);
			assertThat(orders.find("orders:1")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		});
	}

	@Test
	void theKeyIsEvaluatedOnceBeforeTheBody(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			List<String> order = new ArrayList<>(List.of("7"));
			orders.change(order);
			assertThat(order).containsExactly("changed");
			assertThat(orders.find("orders:7")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
			assertThat(orders.find("orders:changed")).isEmpty();
		});
	}

	@Test
	void aKeyThatIsTooLongNamesTheMethod(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(Orders.class).fulfil("x".repeat(2048), Orders.UNREACHABLE))
			.withMessageContainingAll("Orders.fulfil(String, Runnable)", "has 2055 bytes", "at most 2048"));
	}

	@Test
	void aThreadInterruptedWhileItWaitsKeepsItsInterruptFlag(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> first.getBean(Orders.class).fulfil("1", () -> {
			Orders orders = second.getBean(Orders.class);
			CompletableFuture<Boolean> flag = new CompletableFuture<>();
			Thread waiter = new Thread(() -> {
				assertThatExceptionOfType(LockWaitInterruptedException.class)
					.isThrownBy(() -> orders.fulfilPatiently("1"))
					.withMessageContainingAll("orders:1", "fulfilPatiently")
					.withCauseInstanceOf(InterruptedException.class);
				flag.complete(Thread.currentThread().isInterrupted());
			});
			waiter.start();
			await().until(() -> WAITING.contains(waiter.getState()));
			waiter.interrupt();
			assertThat(flag).succeedsWithin(LIMIT).isEqualTo(true);
		})));
	}

	@Test
	void aMethodThatDeclaresTheInterruptThrowsIt(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			CompletableFuture<Void> interrupted = run(() -> {
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(InterruptedException.class).isThrownBy(orders::interruptibly);
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
			});
			assertThat(interrupted).succeedsWithin(LIMIT);
		});
	}

	private CompletableFuture<Void> run(Runnable task) {
		return CompletableFuture.runAsync(task, this.threads);
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb).withBean(Orders.class);
	}

	static class Counter {

		final AtomicInteger running = new AtomicInteger();

		final AtomicInteger mostAtATime = new AtomicInteger();

		final AtomicInteger runs = new AtomicInteger();

	}

	static class Counting {

		private final Counter counter;

		Counting(Counter counter) {
			this.counter = counter;
		}

		@DistributedLock(name = "count", waitTime = "30s")
		void count() {
			int running = this.counter.running.incrementAndGet();
			this.counter.mostAtATime.accumulateAndGet(running, Math::max);
			this.counter.runs.incrementAndGet();
			this.counter.running.decrementAndGet();
		}

	}

	static class Orders {

		static final Runnable UNREACHABLE = () -> {
			throw new AssertionError("runs although the lock is held");
		};

		private final AtomicInteger bodies = new AtomicInteger();

		private final LockClient locks;

		Orders(LockClient locks) {
			this.locks = locks;
		}

		int bodies() {
			return this.bodies.get();
		}

		Optional<LockRecord> find(String key) {
			return this.locks.find(key);
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0s")
		void fulfil(String id, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "1m")
		void fulfilPatiently(String id) {
		}

		@DistributedLock(name = "orders", key = "#order[0]")
		void change(List<String> order) {
			order.set(0, "changed");
		}

		@DistributedLock(name = "orders", key = "1")
		void interruptibly() throws InterruptedException {
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		@Nullable String text() {
			this.bodies.incrementAndGet();
			return "ran";
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		Optional<String> optional() {
			this.bodies.incrementAndGet();
			return Optional.of("ran");
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		OptionalInt optionalInt() {
			this.bodies.incrementAndGet();
			return OptionalInt.of(1);
		}

		@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
		void nothing() {
			this.bodies.incrementAndGet();
		}

		@DistributedLock(name = "brief", onBusy = OnBusy.SKIP, holdAtLeast = "3s")
		void briefly() {
			this.bodies.incrementAndGet();
		}

	}

}
