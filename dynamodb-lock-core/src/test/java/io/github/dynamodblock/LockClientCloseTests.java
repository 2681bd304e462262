/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Closing a client while releases, acquisitions and executors are slow or fail, with real
 * threads.
 */
@Timeout(120)
class LockClientCloseTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final Gate gate = new Gate();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(
			(builder) -> builder.overrideConfiguration((override) -> override.addExecutionInterceptor(this.gate)));

	@AfterEach
	void close() {
		this.gate.open();
		this.dynamoDb.close();
	}

	@Test
	void aReleaseThatIsNotWaitedForGoesOnInTheBackground() throws Exception {
		try (LockClient client = builder().build()) {
			HeldLock lock = client.acquire("k");
			this.gate.shut();
			ReleaseRequest request = ReleaseRequest.create().waitTime(Duration.ofMillis(100));
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.release(request))
				.withMessageContaining("continues in the background");
			assertThat(lock.isHeld()).isFalse();
			this.gate.open();
			await().until(() -> client.find("k").orElseThrow().isReleased());
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		}
	}

	@Test
	void aReadThatIsRetriedEndsWhenItsClientCloses() throws Exception {
		FaultyCalls faults = new FaultyCalls();
		try (DynamoDbClient throttled = TestDynamoDb.newClientWithoutRetries(faults)) {
			FaultyCalls.Injection injection = faults.inject(CallFault.throttled(), GetItemRequest.class::isInstance);
			LockClient client = LockClient.builder(throttled).tableName(this.table.tableName()).build();
			CompletableFuture<?> read = CompletableFuture.runAsync(() -> client.find("k"),
					(task) -> new Thread(task).start());
			await().until(() -> injection.count() > 2);
			client.close();
			assertThat(read).failsWithin(Duration.ofSeconds(60))
				.withThrowableThat()
				.withCauseInstanceOf(LockClientClosedException.class);
		}
	}

	@Test
	void manyLocksAreReleasedByFewThreadsWhenTheirClientCloses() throws Exception {
		AtomicInteger threads = new AtomicInteger();
		AtomicInteger mostThreads = new AtomicInteger();
		LockClient client = builder().leaseDuration(Duration.ofMinutes(5)).threadFactory((task) -> {
			Thread thread = new Thread(() -> {
				mostThreads.accumulateAndGet(threads.incrementAndGet(), Math::max);
				try {
					task.run();
				}
				finally {
					threads.decrementAndGet();
				}
			});
			thread.setDaemon(true);
			return thread;
		}).build();
		for (int i = 0; i < 200; i++) {
			client.acquire("k" + i);
		}
		this.gate.slowDown(Duration.ofMillis(10));
		client.close();
		assertThat(mostThreads).hasValueLessThanOrEqualTo(40);
		try (LockClient other = builder().build()) {
			for (int i = 0; i < 200; i++) {
				assertThat(other.find("k" + i).orElseThrow().isReleased()).isTrue();
			}
		}
		await().untilAsserted(() -> assertThat(threads).hasValue(0));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aListenerExecutorThatRejectsAffectsNoLockAndLaterEventsAreReported(boolean error) throws Exception {
		AtomicInteger refusals = new AtomicInteger(1);
		Executor executor = (task) -> {
			if (refusals.getAndDecrement() > 0) {
				if (error) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				throw new RejectedExecutionException("full");
			}
			task.run();
		};
		List<String> reported = new ArrayList<>();
		try (LockClient client = builder().listenerExecutor(executor).listener(new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				reported.add("acquired");
			}

			@Override
			public void onReleased(HeldLock lock) {
				reported.add("released");
				throw new IllegalStateException("a listener that fails");
			}
		}).build()) {
			HeldLock lock = client.acquire("k");
			lock.renew();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			client.acquire("k").release();
		}
		assertThat(reported).containsExactly("released", "acquired", "released");
	}

	@Test
	void aListenerOnTheThreadThatClosesMayCloseTheClientOnceMore() throws Exception {
		AtomicReference<@Nullable LockClient> closing = new AtomicReference<>();
		LockClient client = builder().listenerExecutor(Runnable::run).listener(new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				Objects.requireNonNull(closing.get()).close();
			}
		}).build();
		closing.set(client);
		client.acquire("k");
		assertThat(CompletableFuture.runAsync(client::close)).succeedsWithin(Duration.ofSeconds(20));
		try (LockClient other = builder().build()) {
			assertThat(other.tryAcquire("k")).isPresent();
		}
	}

	@ParameterizedTest
	@EnumSource(ClosedBy.class)
	void aCallbackThatClosesTheClientIsNotInterrupted(ClosedBy callback) throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		AtomicReference<@Nullable LockClient> closing = new AtomicReference<>();
		Runnable close = () -> {
			Objects.requireNonNull(closing.get()).close();
			interrupted.complete(Thread.currentThread().isInterrupted());
		};
		LockClientBuilder builder = builder();
		if (callback == ClosedBy.LISTENER) {
			builder.listener(new LockListener() {
				@Override
				public void onReleased(HeldLock lock) {
					close.run();
				}
			});
		}
		try (LockClient client = builder.build(); LockClient other = builder().build()) {
			closing.set(client);
			HeldLock held = other.acquire("held");
			CompletableFuture<?> ended = switch (callback) {
				case LISTENER -> CompletableFuture.completedFuture(client.acquire("k").release());
				case CALL -> client.acquireAsync(LockRequest.of("k"), Runnable::run).thenRun(close);
				case TIMER ->
					client.acquireAsync(LockRequest.of("held").waitTime(Duration.ofMillis(600)), Runnable::run)
						.whenComplete((lock, refusal) -> close.run())
						.exceptionally((refusal) -> held);
			};
			assertThat(interrupted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(false);
			assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
			assertThat(held.isHeld()).isTrue();
		}
	}

	private enum ClosedBy {

		LISTENER, CALL, TIMER

	}

	@Test
	void aListenerMayCloseAClientThatAnotherThreadIsClosing() throws Exception {
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		AtomicReference<@Nullable LockClient> closing = new AtomicReference<>();
		LockClient client = builder().listener(new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				Objects.requireNonNull(closing.get()).close();
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
		}).build();
		closing.set(client);
		client.acquire("k");
		client.close();
		assertThat(interrupted).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
	}

	@Test
	void aCallerOfTheClientThatClosesIsNotLeftWaitingForATokensAnswer() throws Exception {
		LockClient client = builder().build();
		LockToken token = client.acquire("k").detach();
		this.gate.fail();
		CompletableFuture<LockToken> renewal = CompletableFuture.supplyAsync(() -> client.renew(token));
		await().until(() -> this.gate.failures() > 1);
		client.close();
		assertThat(renewal).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LockClientClosedException.class);
	}

	@Test
	void aFutureThatTimesOutLeavesNothingLocked() throws Exception {
		try (LockClient client = builder().build(); LockClient other = builder().build()) {
			HeldLock held = other.acquire("k");
			CompletableFuture<HeldLock> future = client
				.acquireAsync(LockRequest.of("k").waitTime(Duration.ofMinutes(5)), Runnable::run)
				.orTimeout(200, TimeUnit.MILLISECONDS);
			assertThat(future).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(TimeoutException.class);
			held.release();
			try (HeldLock next = other.acquire("k")) {
				assertThat(next.isHeld()).isTrue();
			}
			assertThat(client.holds(LockKey.of("k"))).isFalse();
		}
	}

	@Test
	void whateverHangsOnAFutureMayReleaseTheLockAtOnceOnTheThreadThatBringsIt() throws Exception {
		try (LockClient client = builder().build()) {
			CompletableFuture<ReleaseOutcome> released = client.acquireAsync(LockRequest.of("k"), Runnable::run)
				.thenApply(HeldLock::release);
			assertThat(released).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	@Test
	void handlesOfManyThreadsEndOnceWhetherReleasedOrDetached() throws Exception {
		try (LockClient client = builder().build()) {
			for (int i = 0; i < 50; i++) {
				HeldLock lock = client.acquire("k");
				CompletableFuture<ReleaseOutcome> release = CompletableFuture.supplyAsync(lock::release);
				LockToken token = null;
				try {
					token = lock.detach();
				}
				catch (IllegalStateException released) {
					assertThat(released).hasMessageContaining("released by");
				}
				assertThat(release.join())
					.isEqualTo((token == null) ? ReleaseOutcome.RELEASED : ReleaseOutcome.DETACHED);
				if (token != null) {
					assertThat(client.release(token)).isEqualTo(ReleaseOutcome.RELEASED);
				}
			}
		}
	}

	private LockClientBuilder builder() {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName());
	}

	/**
	 * What every write has to pass.
	 */
	private static final class Gate implements ExecutionInterceptor {

		private final AtomicInteger failures = new AtomicInteger();

		private volatile CountDownLatch shut = new CountDownLatch(0);

		private volatile Duration delay = Duration.ZERO;

		private volatile boolean failing;

		void shut() {
			this.shut = new CountDownLatch(1);
		}

		void open() {
			this.shut.countDown();
		}

		void slowDown(Duration delay) {
			this.delay = delay;
		}

		void fail() {
			this.failing = true;
		}

		int failures() {
			return this.failures.get();
		}

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (this.failing) {
				this.failures.incrementAndGet();
				throw new IllegalStateException("the test fails this call");
			}
			LockSupport.parkNanos(this.delay.toNanos());
			try {
				this.shut.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
