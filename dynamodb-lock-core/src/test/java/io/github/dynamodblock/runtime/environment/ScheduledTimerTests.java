/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ScheduledTimerTests {

	private static final long LATER = Duration.ofMinutes(1).toNanos();

	private static final long STEP = Duration.ofMillis(100).toNanos();

	/** How many steps are ahead, for tasks that are due later than the last one. */
	private static final int STEPS = 50;

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private final ScheduledThreadPoolExecutor executor = new LockThreads(this::thread).timer("test");

	private final ScheduledTimer timer = new ScheduledTimer(this.executor);

	private final List<String> ran = new CopyOnWriteArrayList<>();

	private final List<WeakReference<Object>> tasks = new ArrayList<>();

	@AfterEach
	void end() {
		this.executor.shutdownNow();
	}

	private Thread thread(Runnable task) {
		if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			throw new OutOfMemoryError("the test lets no thread be made");
		}
		Thread thread = new Thread(task);
		this.threads.add(thread);
		return thread;
	}

	@Test
	void tasksRunInTheOrderOfTheirTimes() {
		schedule(Duration.ofSeconds(2), "third");
		schedule(Duration.ZERO, "first");
		schedule(Duration.ofSeconds(1), "second");
		await().until(() -> this.ran.size() == 3);
		assertThat(this.ran).containsExactly("first", "second", "third");
	}

	@Test
	void tasksOfOneTimeRunInTheOrderInWhichTheyCame() {
		CompletableFuture<Void> busy = keepBusy();
		for (int i = 0; i < 100; i++) {
			schedule(Duration.ofNanos(-i), Integer.toString(i));
		}
		busy.complete(null);
		await().until(() -> this.ran.size() == 100);
		assertThat(this.ran).isSortedAccordingTo((one, other) -> Integer.parseInt(one) - Integer.parseInt(other));
	}

	@Test
	void aTaskThatIsDueBeforeTheThreadWouldWakeRunsInItsTime() {
		schedule(Duration.ofMinutes(1), "later");
		awaitSleepingThread();
		long begin = System.nanoTime();
		schedule(Duration.ofMillis(20), "sooner");
		await().until(() -> !this.ran.isEmpty());
		assertThat(this.ran).containsExactly("sooner");
		assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
	}

	@Test
	void aCancelledTaskDoesNotRun() {
		CompletableFuture<Void> busy = keepBusy();
		Timer.Task cancelled = schedule(Duration.ZERO, "cancelled");
		schedule(Duration.ZERO, "kept");
		cancelled.cancel();
		busy.complete(null);
		await().until(() -> !this.ran.isEmpty());
		assertThat(this.ran).containsExactly("kept");
	}

	@Test
	void aCancelledTaskIsNotReachableUntilItsTime() {
		Timer.Task near = this.timer.schedule(STEP / 2, remembered());
		Timer.Task far = this.timer.schedule(LATER, remembered());
		near.cancel();
		far.cancel();
		assertThat(this.tasks).hasSize(2);
		await().untilAsserted(() -> {
			System.gc();
			assertThat(this.tasks).allMatch((task) -> task.get() == null);
		});
	}

	@Test
	void cancelledTasksOccupyTheQueueOncePerStep() {
		for (int i = 0; i < 10_000; i++) {
			this.timer.schedule(STEP + i * (LATER / 1_000), () -> this.ran.add("never")).cancel();
		}
		// One more step for each that has ended meanwhile.
		assertThat(this.executor.getQueue()).hasSizeLessThan(2 * STEPS);
	}

	@Test
	void aTaskThatIsSetAndCancelledAgainAndAgainDoesNotWakeTheThread() {
		schedule(Duration.ofSeconds(3), "first").cancel();
		Thread sleeping = awaitSleepingThread();
		long before = waits(sleeping);
		for (int i = 0; i < 10_000; i++) {
			schedule(Duration.ofSeconds(3), "never").cancel();
		}
		assertThat(waits(sleeping) - before).isLessThan(100);
	}

	@Test
	void noTaskRunsBeforeItsTime() {
		Queue<Long> early = new ConcurrentLinkedQueue<>();
		List<Duration> delays = IntStream.range(0, 400)
			.mapToObj(Duration::ofMillis)
			.collect(Collectors.toCollection(ArrayList::new));
		delays.add(Duration.ofNanos(STEPS * STEP + STEP / 2));
		for (Duration delay : delays) {
			long due = System.nanoTime() + delay.toNanos();
			this.timer.schedule(delay.toNanos(), () -> early.add(Math.max(0, due - System.nanoTime())));
		}
		await().until(() -> early.size() == delays.size());
		assertThat(early).containsOnly(0L);
	}

	@Test
	void eachTaskOfManyThreadsRunsOnce() throws Exception {
		AtomicIntegerArray runs = new AtomicIntegerArray(20_000);
		List<Thread> setters = IntStream.range(0, 4)
			.mapToObj((first) -> new Thread(() -> IntStream.iterate(first, (i) -> i < runs.length(), (i) -> i + 4)
				.forEach((i) -> this.timer.schedule(STEP + i, () -> runs.incrementAndGet(i)))))
			.toList();
		setters.forEach(Thread::start);
		for (Thread setter : setters) {
			setter.join();
		}
		await().until(() -> IntStream.range(0, runs.length()).allMatch((i) -> runs.get(i) > 0));
		assertThat(IntStream.range(0, runs.length()).map(runs::get)).containsOnly(1);
		assertThat(this.executor.getQueue()).isEmpty();
	}

	@Test
	void aTaskThatIsCancelledBeforeItHasAThreadDoesNotRun() {
		this.failures.set(1);
		Timer.Task cancelled = schedule(Duration.ZERO, "cancelled");
		cancelled.cancel();
		schedule(Duration.ZERO, "next");
		await().until(() -> !this.ran.isEmpty());
		assertThat(this.ran).containsExactly("next");
	}

	@Test
	void aTaskThatFailsOrLeavesAnInterruptBehindHarmsNoOther() {
		CompletableFuture<Void> busy = keepBusy();
		this.timer.schedule(0, () -> {
			Thread.currentThread().interrupt();
			throw new AssertionError("the test lets this task fail");
		});
		schedule(Duration.ZERO, "next");
		busy.complete(null);
		await().until(() -> !this.ran.isEmpty());
		assertThat(this.threads).hasSize(1);
	}

	@Test
	void anIdleThreadEndsAndTheNextTaskHasAnother() throws Exception {
		schedule(Duration.ZERO, "first");
		schedule(Duration.ofMinutes(1), "cancelled").cancel();
		await().until(() -> !this.ran.isEmpty());
		this.threads.get(0).join(Duration.ofSeconds(20).toMillis());
		assertThat(this.threads.get(0).isAlive()).isFalse();
		schedule(Duration.ZERO, "second");
		await().until(() -> this.ran.size() == 2);
		assertThat(this.threads).hasSize(2);
	}

	@Test
	void aTaskForWhichNoThreadCanBeMadeRunsWhenOneCan() {
		this.failures.set(3);
		schedule(Duration.ZERO, "late");
		await().until(() -> !this.ran.isEmpty());
	}

	@Test
	void aStepForWhichNoThreadCanBeMadeEndsWhenOneCan() {
		this.failures.set(1);
		this.timer.schedule(STEP + STEP / 2, () -> this.ran.add("late"));
		await().until(() -> !this.ran.isEmpty());
	}

	@Test
	void nothingRunsAfterTheShutdown() throws Exception {
		schedule(Duration.ofMinutes(1), "too late");
		awaitSleepingThread();
		this.executor.shutdown();
		this.executor.shutdownNow();
		schedule(Duration.ZERO, "much too late");
		assertThat(this.executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
		assertThat(this.ran).isEmpty();
	}

	/** A task that the test remembers weakly. */
	private Runnable remembered() {
		Object captured = new Object();
		this.tasks.add(new WeakReference<>(captured));
		return () -> this.ran.add(captured.toString());
	}

	/** How often a thread has begun to wait. */
	private static long waits(Thread thread) {
		return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
	}

	private CompletableFuture<Void> keepBusy() {
		CompletableFuture<Void> busy = new CompletableFuture<>();
		this.timer.schedule(0, busy::join);
		return busy;
	}

	private Timer.Task schedule(Duration delay, String name) {
		return this.timer.schedule(delay.toNanos(), () -> this.ran.add(name));
	}

	private Thread awaitSleepingThread() {
		await().until(() -> !this.threads.isEmpty() && this.threads.get(0).getState() == Thread.State.TIMED_WAITING);
		return this.threads.get(0);
	}

}
