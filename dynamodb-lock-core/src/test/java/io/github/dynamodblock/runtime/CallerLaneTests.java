/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.runtime.call.CallerLane;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.testing.VirtualThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

class CallerLaneTests {

	private static final String CLIENTS_THREAD = "client";

	private final List<String> made = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors
		.newSingleThreadExecutor((task) -> new Thread(task, CLIENTS_THREAD));

	private final Environment environment = (Environment) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { Environment.class }, (proxy, method, arguments) -> this.threads);

	private final CallerLane lane = new CallerLane(this.environment);

	@AfterEach
	void endThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void aWaitingCallerMakesTheCallsUntilTheResultIsThere() throws Exception {
		CompletableFuture<String> result = new CompletableFuture<>();
		String awaited = onThread((lane) -> {
			lane.execute(call("first"));
			this.threads.execute(() -> lane.execute(() -> {
				call("second").run();
				result.complete("done");
			}));
			return lane.await(result);
		});
		assertThat(awaited).isEqualTo("done");
		assertThat(this.made).containsExactly("first on caller", "second on caller");
	}

	@Test
	void callsThatComeWhileTheCallerIsBusyAreMadeByTheClient() throws Exception {
		boolean ended = onThread((lane) -> {
			CompletableFuture<Boolean> end = new CompletableFuture<>();
			// As a listener that the caller's thread runs, and that needs what the call
			// has.
			lane.execute(() -> {
				CompletableFuture.runAsync(() -> lane.execute(call("other")), (task) -> new Thread(task).start())
					.join();
				awaitCalls("other on client");
				end.complete(true);
			});
			return lane.await(end);
		});
		assertThat(ended).isTrue();
	}

	@Test
	void aWaitThatIsOverMakesNoMoreCalls() throws Exception {
		boolean ended = onThread((lane) -> {
			boolean inTime = lane.await(new CompletableFuture<>(), 0);
			lane.execute(call("late"));
			lane.close();
			return inTime;
		});
		assertThat(ended).isFalse();
		awaitCalls("late on client");
	}

	@Test
	void callsThatComeWhenTheCallerHasLeftAreMadeByTheClient() throws Exception {
		onThread((lane) -> {
			lane.close();
			lane.execute(call("late"));
			return true;
		});
		awaitCalls("late on client");
	}

	@Test
	void theLeaverMakesTheCallsThatNoThreadTakes() throws Exception {
		this.threads.shutdown();
		onThread((lane) -> {
			lane.execute(call("refused"));
			lane.close();
			return true;
		});
		awaitCalls("refused on caller");
	}

	@Test
	void anInterruptEndsTheWaitAndLeavesTheCallsToTheClient() throws Exception {
		onThread((lane) -> {
			lane.execute(call("not begun"));
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> lane.await(new CompletableFuture<>()));
			lane.close();
			return true;
		});
		awaitCalls("not begun on client");
	}

	@Test
	void anInterruptDuringACallTakesEffectWhenTheCallEnds() throws Exception {
		onThread((lane) -> {
			lane.execute(() -> {
				Thread.currentThread().interrupt();
				call("under way").run();
			});
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> lane.await(new CompletableFuture<>()));
			return true;
		});
		awaitCalls("under way on caller");
	}

	@Test
	void aCallThatHeedsNoInterruptsIsMadeWithoutTheFlagWhichIsKept() throws Exception {
		CompletableFuture<Boolean> interruptedInTheCall = new CompletableFuture<>();
		boolean interrupted = onThread((lane) -> {
			Thread.currentThread().interrupt();
			lane.execute(() -> interruptedInTheCall.complete(Thread.currentThread().isInterrupted()));
			assertThat(lane.awaitUninterruptibly(interruptedInTheCall)).isFalse();
			return Thread.interrupted();
		});
		assertThat(interrupted).isTrue();
	}

	@Test
	void aWorkerOfAPoolThatCompensatesForWaitingMakesNoCalls() {
		// Not the common pool: a thread that joins a task of that may run it.
		ForkJoinPool pool = new ForkJoinPool(1);
		try {
			pool.submit(() -> new CallerLane(this.environment).execute(call("call"))).join();
		}
		finally {
			pool.shutdown();
		}
		awaitCalls("call on client");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void aVirtualThreadThatKeepsNoCarrierMakesItsCalls() throws Exception {
		CompletableFuture<Boolean> madeHere = new CompletableFuture<>();
		Thread virtual = VirtualThreads.factory().newThread(() -> {
			Thread caller = Thread.currentThread();
			CallerLane lane = new CallerLane(this.environment);
			lane.execute(() -> madeHere.complete(Thread.currentThread() == caller));
			lane.awaitUninterruptibly(madeHere);
		});
		virtual.start();
		virtual.join();
		assertThat(madeHere).isCompletedWithValue(true);
	}

	private Runnable call(String name) {
		return () -> this.made.add(name + " on " + Thread.currentThread().getName());
	}

	private void awaitCalls(String... calls) {
		await().untilAsserted(() -> assertThat(this.made).containsExactly(calls));
	}

	/** Runs a caller on a thread that is no worker of a pool. */
	private <T> T onThread(Caller<T> caller) throws Exception {
		FutureTask<T> task = new FutureTask<>(() -> caller.call(new CallerLane(this.environment)));
		new Thread(task, "caller").start();
		return task.get(20, TimeUnit.SECONDS);
	}

	private interface Caller<T> {

		T call(CallerLane lane) throws Exception;

	}

	@ParameterizedTest
	@MethodSource
	void threadsThatWaitForOneFailureAreEachToldByAnExceptionOfTheirOwn(LockException failure) {
		CompletableFuture<Void> result = CompletableFuture.failedFuture(failure);
		LockException first = catchThrowableOfType(LockException.class, () -> this.lane.awaitUninterruptibly(result));
		LockException second = catchThrowableOfType(LockException.class, () -> this.lane.awaitUninterruptibly(result));
		assertThat(first).isNotSameAs(second).isNotSameAs(failure);
		for (LockException told : new LockException[] { first, second }) {
			assertThat(told).isExactlyInstanceOf(failure.getClass())
				.hasMessage(failure.getMessage())
				.hasCause(failure.getCause());
			assertThat(told.getStackTrace()).anyMatch((frame) -> frame.getClassName().equals(getClass().getName()));
		}
	}

	static Stream<LockException> threadsThatWaitForOneFailureAreEachToldByAnExceptionOfTheirOwn() {
		LockKey key = LockKey.of("k");
		return Stream.of(new LockStoreException("no answer", new IllegalStateException("the network is down")),
				new LockTableException("locks", LockTableException.Problem.MISSING, "no table", null),
				new LockLostException(key, LossReason.STOLEN, 7), new LockClientClosedException("me"));
	}

}
