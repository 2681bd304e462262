/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.Hang;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

/**
 * Callers that are interrupted before or during a call: by other threads, and by the
 * SDK's timer, which ends a call at its limit by interrupting its thread.
 */
class InterruptedCallTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final FaultyCalls faults = new FaultyCalls();

	private final CallRecorder recorder = new CallRecorder();

	/** The calls of callers that left before they had made them. */
	private final AtomicInteger leftToTheClient = new AtomicInteger();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults, this.recorder);

	private final LockClient client = LockClient.builder(this.dynamoDb)
		.tableName(TestDynamoDb.newTable().tableName())
		.leaseDuration(Duration.ofSeconds(2))
		.callersContext((threads) -> (call) -> {
			this.leftToTheClient.incrementAndGet();
			threads.execute(call);
		})
		.build();

	@ParameterizedTest
	@EnumSource(Interruptible.class)
	void aMethodThatAnInterruptEndsSendsNothingForAThreadThatIsInterruptedBefore(Interruptible method)
			throws Exception {
		Given given = given();
		// The test's own thread may be a worker of a pool, which makes no calls itself.
		this.leftToTheClient.set(0);
		int before = this.recorder.calls().size();
		Caller<Boolean> caller = start(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> method.call.on(this.client, given));
			return Thread.currentThread().isInterrupted();
		});
		assertThat(caller.result()).isFalse();
		assertThat(this.leftToTheClient).hasValue(0);
		assertThat(given.held.isHeld()).isTrue();
		this.client.close();
		// The close releases the lock that is held, and nothing else was left to send.
		assertThat(this.recorder.operations().subList(before, this.recorder.calls().size()))
			.containsExactly("UpdateItem");
	}

	@ParameterizedTest
	@EnumSource(value = Interruptible.class, names = "DETACH", mode = EnumSource.Mode.EXCLUDE)
	void anInterruptEndsAMethodThatDeclaresItWhenItsCallEnds(Interruptible method) throws Exception {
		Given given = given();
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, (request) -> true, 1);
			Caller<Boolean> caller = start(() -> {
				assertThatExceptionOfType(InterruptedException.class)
					.isThrownBy(() -> method.call.on(this.client, given));
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			assertThat(caller.result()).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource(Uninterruptible.class)
	void anyOtherMethodDoesItsWorkForAThreadThatIsInterruptedBefore(Uninterruptible method) throws Exception {
		Given given = given();
		Caller<Boolean> caller = start(() -> {
			Thread.currentThread().interrupt();
			method.call.on(this.client, given);
			return Thread.currentThread().isInterrupted();
		});
		assertThat(caller.result()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(Uninterruptible.class)
	void anInterruptDuringTheCallOfAnyOtherMethodStopsNothing(Uninterruptible method) throws Exception {
		Given given = given();
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, (request) -> true, 1);
			Caller<Boolean> caller = start(() -> {
				method.call.on(this.client, given);
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			if (method.isCalledByTheClientsThreads()) {
				hang.close();
			}
			assertThat(caller.result()).isTrue();
		}
	}

	/** A held lock and a detached one, without heartbeats. */
	private Given given() throws InterruptedException {
		HeldLock held = this.client.acquire(LockRequest.of("held").automaticRenewal(false).leaseDuration(LEASE));
		LockToken detached = this.client
			.acquire(LockRequest.of("detached").automaticRenewal(false).leaseDuration(LEASE))
			.detach();
		TransactWriteItem item = TransactWriteItem.builder()
			.put((put) -> put.tableName(this.client.tableName()).item(Map.of("key", AttributeValue.fromS("item"))))
			.build();
		return new Given(held, detached, item);
	}

	@AfterEach
	void close() {
		this.client.close();
		this.dynamoDb.close();
	}

	@Test
	void aCallThatEndsAtItsLimitIsNoInterruptOfItsCaller() throws Exception {
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, LockCalls::isClaim);
			Caller<Boolean> caller = start(() -> {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.client.tryAcquire("k"));
				return Thread.currentThread().isInterrupted();
			});
			assertThat(caller.result()).isFalse();
		}
	}

	@Test
	void anInterruptDuringACallTakesEffectWhenTheCallEnds() throws Exception {
		try (Hang hang = Hang.beyondTheirLimit()) {
			this.faults.inject(hang, LockCalls::isClaim, 1);
			Caller<Boolean> caller = start(() -> {
				assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.client.acquire("k"));
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			assertThat(caller.thread.isAlive()).isTrue();
			hang.close();
			assertThat(caller.result()).isFalse();
		}
		// Whether or not the call took the lock, it is free again.
		assertThat(this.client.acquire("k").release()).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aReleaseWhoseCallIsInterruptedIsRepeatedAndKeepsTheFlag() throws Exception {
		HeldLock lock = this.client.acquire("k");
		try (Hang hang = Hang.untilTheirLimit()) {
			this.faults.inject(hang, LockCalls::isRelease, 1);
			Caller<Boolean> caller = start(() -> {
				assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> hang.hanging() == 1);
			caller.thread.interrupt();
			assertThat(caller.result()).isTrue();
		}
	}

	@Test
	void anInterruptOfAnUninterruptibleWaitKeepsItsPlaceInTheLine() throws Exception {
		HeldLock held = this.client.acquire("k");
		LockRequest request = LockRequest.of("k").waitTime(LEASE);
		Caller<Boolean> first = start(() -> {
			HeldLock lock = this.client.acquireUninterruptibly(request.name("first"));
			return lock.isHeld() && Thread.currentThread().isInterrupted();
		});
		await().until(() -> this.client.waiting().size() == 1);
		CompletableFuture<HeldLock> second = this.client.acquireAsync(request);
		await().until(() -> this.client.waiting().size() == 2);
		first.interruptWaiting();
		assertThat(this.client.waiting()).hasSize(2)
			.first()
			.satisfies((waiting) -> assertThat(waiting.request().name()).hasValue("first"));
		held.release();
		assertThat(first.result()).isTrue();
		assertThat(second).isNotDone();
		second.cancel(false);
	}

	@Test
	void anUninterruptibleAcquisitionKeepsTheFlagIfItIsRefused() throws Exception {
		given();
		Caller<Boolean> caller = start(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> this.client.acquireUninterruptibly(LockRequest.of("held").waitTime(Duration.ZERO)));
			return Thread.currentThread().isInterrupted();
		});
		assertThat(caller.result()).isTrue();
	}

	@Test
	void theCloseOfTheClientEndsAnUninterruptibleWait() throws Exception {
		given();
		Caller<Boolean> caller = start(() -> {
			assertThatExceptionOfType(LockClientClosedException.class)
				.isThrownBy(() -> this.client.acquireUninterruptibly(LockRequest.of("held")));
			return Thread.currentThread().isInterrupted();
		});
		await().until(() -> this.client.waiting().size() == 1);
		caller.thread.interrupt();
		this.client.close();
		assertThat(caller.result()).isTrue();
	}

	@Test
	void anUninterruptibleAcquisitionThatMakesNoSenseSendsNothing() throws Exception {
		given();
		int before = this.recorder.calls().size();
		LockRequest tooShort = LockRequest.of("k")
			.leaseDuration(Duration.ofSeconds(2))
			.holdAtMost(Duration.ofSeconds(1))
			.holdAtLeast(Duration.ofSeconds(3));
		assertThatIllegalArgumentException().isThrownBy(() -> this.client.acquireUninterruptibly(tooShort))
			.withMessageContaining("holdAtLeast");
		assertThat(this.recorder.calls()).hasSize(before);
	}

	@Test
	void noCallOfAnUninterruptibleWaitIsMadeWithTheInterruptFlag() throws Exception {
		Queue<Boolean> flags = new ConcurrentLinkedQueue<>();
		try (LockClient other = LockClient.builder(this.dynamoDb).tableName(this.client.tableName()).build()) {
			HeldLock held = other.acquire("k");
			Caller<Boolean> caller = start(() -> {
				this.client.acquireUninterruptibly(LockRequest.of("k").waitTime(LEASE));
				return Thread.currentThread().isInterrupted();
			});
			await().until(() -> this.client.waiting().size() == 1);
			caller.interruptWaiting();
			this.faults.inject(new CallFault() {
			}, (request) -> Thread.currentThread() == caller.thread
					&& !flags.add(Thread.currentThread().isInterrupted()));
			await().until(() -> flags.size() > 2);
			held.release();
			assertThat(caller.result()).isTrue();
		}
		assertThat(flags).doesNotContain(true);
	}

	/** Starts a caller on a thread that is no worker of a pool, and makes its calls. */
	private static <T> Caller<T> start(Callable<T> action) {
		FutureTask<T> task = new FutureTask<>(action);
		Thread thread = new Thread(task, "caller");
		thread.start();
		return new Caller<>(thread, task);
	}

	private record Given(HeldLock held, LockToken detached, TransactWriteItem item) {
	}

	/** Calls a method and checks its result. */
	private interface Call {

		void on(LockClient client, Given given) throws InterruptedException;

	}

	@SuppressWarnings("ImmutableEnumChecker") // lambdas without state
	private enum Interruptible {

		ACQUIRE((client, given) -> client.acquire("k")),

		TRY_ACQUIRE((client, given) -> client.tryAcquire("k")),

		EXECUTE((client, given) -> client.execute("k", (lock) -> fail("the body ran"))),

		ADOPT((client, given) -> client.adopt(given.detached)),

		RENEW((client, given) -> given.held.renew()),

		TRANSACT_WRITE((client, given) -> given.held.transactWrite(List.of(given.item))),

		DETACH((client, given) -> given.held.detach());

		private final Call call;

		Interruptible(Call call) {
			this.call = call;
		}

	}

	@SuppressWarnings("ImmutableEnumChecker") // lambdas without state
	private enum Uninterruptible {

		ACQUIRE((client, given) -> assertThat(client.acquireUninterruptibly(LockRequest.of("k")).isHeld()).isTrue()),

		ACQUIRE_WITHOUT_A_WAIT((client,
				given) -> assertThat(
						client.acquireUninterruptibly(LockRequest.of("k").waitTime(Duration.ZERO)).isHeld())
					.isTrue()),

		FIND((client, given) -> assertThat(client.find("held")).isPresent()),

		LIST((client, given) -> assertThat(client.list()).hasSize(2)),

		LIST_PARTITION((client, given) -> assertThat(client.listPartition("held")).hasSize(1)),

		RENEW_BY_TOKEN((client, given) -> assertThat(client.renew(given.detached)).isNotEqualTo(given.detached)),

		RELEASE_BY_TOKEN(
				(client, given) -> assertThat(client.release(given.detached)).isEqualTo(ReleaseOutcome.RELEASED)),

		FORCE_RELEASE((client, given) -> assertThat(client.forceRelease(given.held.key(), client.ownerName()))
			.isEqualTo(ReleaseOutcome.RELEASED)),

		CHANGE((client, given) -> {
			ItemChange change = ItemChange.none().attribute("step", AttributeValue.fromN("1"));
			assertThat(client.change(given.held.key(), change).attributes()).containsKey("step");
		}),

		RELEASE((client, given) -> assertThat(given.held.release()).isEqualTo(ReleaseOutcome.RELEASED)),

		RELEASE_WITH_A_SHORT_WAIT((client,
				given) -> assertThat(given.held.release(ReleaseRequest.create().waitTime(Duration.ofSeconds(4))))
					.isEqualTo(ReleaseOutcome.RELEASED)),

		CLOSE_HANDLE((client, given) -> {
			given.held.close();
			assertThat(client.find("held").orElseThrow().isReleased()).isTrue();
		}),

		CLOSE((client, given) -> {
			client.close();
			assertThat(given.held.lossReason()).hasValue(LossReason.CLOSED);
		}),

		CHECKPOINT((client, given) -> {
			client.beforeCheckpoint();
			client.afterRestore();
			assertThat(client.find("held").orElseThrow().isReleased()).isTrue();
		});

		private final Call call;

		Uninterruptible(Call call) {
			this.call = call;
		}

		boolean isCalledByTheClientsThreads() {
			return this == RELEASE_WITH_A_SHORT_WAIT || this == CLOSE || this == CHECKPOINT;
		}

	}

	private record Caller<T>(Thread thread, FutureTask<T> task) {

		/** Returns when the thread has noticed it. */
		void interruptWaiting() {
			await().until(() -> this.thread.getState() == Thread.State.TIMED_WAITING);
			this.thread.interrupt();
			await().until(() -> !this.thread.isInterrupted() && this.thread.getState() == Thread.State.TIMED_WAITING);
		}

		T result() throws Exception {
			try {
				return this.task.get(30, TimeUnit.SECONDS);
			}
			catch (ExecutionException ex) {
				throw new AssertionError("The caller failed", ex.getCause());
			}
		}

	}

}
