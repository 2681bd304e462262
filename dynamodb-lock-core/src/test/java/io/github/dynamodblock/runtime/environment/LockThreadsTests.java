/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class LockThreadsTests {

	@Test
	void aThreadCarriesNothingOfTheCallerThatItWasMadeFor() throws Exception {
		InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		LockThreads threads = new LockThreads(null);
		try (URLClassLoader loaderOfTenant = new URLClassLoader(new URL[0], before)) {
			tenant.set("a");
			Thread.currentThread().setContextClassLoader(loaderOfTenant);
			assertThat(onThreadOf(threads, tenant::get)).isNull();
			assertThat(onThreadOf(threads, () -> Thread.currentThread().getContextClassLoader())).isSameAs(before);
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
			tenant.remove();
		}
	}

	@Test
	@SuppressWarnings("NullAway") // the mistake that is tested
	void aThreadFactoryThatReturnsNullIsNamed() {
		ThreadFactory factory = (task) -> null;
		LockThreads threads = new LockThreads(factory);
		assertThatIllegalStateException().isThrownBy(() -> onThreadOf(threads, () -> "never"))
			.withMessageContaining("threadFactory")
			.withMessageContaining("returned null");
	}

	@Test
	void aNotificationThatComesAfterTheCloseRunsOnItsCallersThread() {
		ExecutorService listener = new LockThreads(null).listener();
		listener.shutdown();
		AtomicReference<Thread> thread = new AtomicReference<>();
		listener.execute(() -> thread.set(Thread.currentThread()));
		assertThat(thread).hasValue(Thread.currentThread());
	}

	@Test
	void notificationsThatBlockHaveSomeThreadsAndTheOthersWait() {
		ExecutorService listener = new LockThreads(null).listener();
		CountDownLatch end = new CountDownLatch(1);
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		AtomicInteger notified = new AtomicInteger();
		try {
			for (int i = 0; i < 100; i++) {
				listener.execute(() -> {
					threads.add(Thread.currentThread());
					awaitUninterruptibly(end);
					notified.incrementAndGet();
				});
			}
			await().until(() -> threads.size() == 8);
			end.countDown();
			await().until(() -> notified.get() == 100);
			assertThat(threads).hasSize(8);
		}
		finally {
			listener.shutdownNow();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static <T> T onThreadOf(LockThreads threads, Supplier<T> supplier) {
		ExecutorService executor = threads.unbounded("test");
		try {
			return CompletableFuture.supplyAsync(supplier, executor).join();
		}
		finally {
			executor.shutdown();
		}
	}

}
