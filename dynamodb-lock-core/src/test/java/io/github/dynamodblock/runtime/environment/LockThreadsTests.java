/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
		ExecutorService listener = new LockThreads(null).listeners();
		listener.shutdown();
		AtomicReference<Thread> thread = new AtomicReference<>();
		listener.execute(() -> thread.set(Thread.currentThread()));
		assertThat(thread).hasValue(Thread.currentThread());
	}

	@Test
	void aThreadKnowsTheExecutorThatItBelongsTo() {
		LockThreads threads = new LockThreads(null);
		ThreadPoolExecutor one = threads.unbounded("one");
		ThreadPoolExecutor other = threads.unbounded("other");
		try {
			assertThat(CompletableFuture.supplyAsync(() -> LockThreads.runsThisThread(one), one).join()).isTrue();
			assertThat(CompletableFuture.supplyAsync(() -> LockThreads.runsThisThread(other), one).join()).isFalse();
			assertThat(LockThreads.runsThisThread(one)).isFalse();
		}
		finally {
			one.shutdown();
			other.shutdown();
		}
	}

	@Test
	void anExecutorIsNamedAsItsThreadsAreInAThreadDump() {
		ThreadPoolExecutor executor = new LockThreads(null).unbounded("call");
		String thread = CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), executor).join();
		executor.shutdown();
		assertThat(executor.getThreadFactory()).hasToString("dynamodb-lock-call");
		assertThat(thread).isEqualTo("dynamodb-lock-call-1");
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
