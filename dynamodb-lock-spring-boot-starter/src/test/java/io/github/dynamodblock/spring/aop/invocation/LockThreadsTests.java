/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.nullValue;

@ExtendWith(CapturedLogExtension.class)
class LockThreadsTests {

	private final AtomicInteger done = new AtomicInteger();

	@Test
	void releasesBeyondTheLimitStandInLine() {
		CountDownLatch release = new CountDownLatch(1);
		Set<Thread> seen = ConcurrentHashMap.newKeySet();
		try (LockThreads threads = LockThreads.forReleases()) {
			for (int i = 0; i < 10 * LockThreads.MOST_RELEASES; i++) {
				threads.execute(() -> {
					seen.add(Thread.currentThread());
					awaitOpened(release);
					this.done.incrementAndGet();
				});
			}
			await().until(() -> seen.size() == LockThreads.MOST_RELEASES);
			release.countDown();
			await().until(() -> this.done.get() == 10 * LockThreads.MOST_RELEASES);
			assertThat(seen).hasSize(LockThreads.MOST_RELEASES).allMatch(Thread::isDaemon);
		}
	}

	@Test
	void whatNoThreadCanBeStartedForIsDoneByWhoeverBringsIt(CapturedLog log) {
		AtomicReference<Thread> ran = new AtomicReference<>();
		try (LockThreads threads = LockThreads.forReleases((task) -> {
			throw new OutOfMemoryError("thrown by the test's factory");
		})) {
			threads.execute(() -> ran.set(Thread.currentThread()));
		}
		assertThat(ran).hasValue(Thread.currentThread());
		assertThat(log).contains("Could not start a thread").contains("thrown by the test's factory");
	}

	@Test
	void whatComesAfterTheEndIsDoneByWhoeverBringsIt() {
		AtomicReference<Thread> ran = new AtomicReference<>();
		LockThreads threads = LockThreads.forReleases();
		threads.close();
		threads.execute(() -> ran.set(Thread.currentThread()));
		assertThat(ran).hasValue(Thread.currentThread());
	}

	@Test
	void whatComesAfterTheEndAndFailsIsDoneOnce(CapturedLog log) {
		LockThreads threads = LockThreads.forReleases();
		threads.close();
		assertThatIllegalStateException().isThrownBy(() -> threads.execute(() -> {
			this.done.incrementAndGet();
			throw new IllegalStateException("the task's");
		})).withMessage("the task's");
		assertThat(this.done).hasValue(1);
		assertThat(log).doesNotContain("Could not start a thread");
	}

	@Test
	void threadsHaveTheClassLoaderOfTheirCallerAndNotItsThreadLocals() {
		InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
		tenant.set("the first caller's");
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		ClassLoader application = new ClassLoader(before) {
		};
		Thread.currentThread().setContextClassLoader(application);
		AtomicReference<String> seen = new AtomicReference<>("not run");
		AtomicReference<ClassLoader> loader = new AtomicReference<>();
		try (LockThreads threads = LockThreads.forReleases()) {
			threads.execute(() -> {
				loader.set(Thread.currentThread().getContextClassLoader());
				seen.set(tenant.get());
			});
			await().untilAtomic(seen, nullValue());
			assertThat(loader).hasValue(application);
		}
		finally {
			tenant.remove();
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	private static void awaitOpened(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Interrupted by nobody the test knows", ex);
		}
	}

}
