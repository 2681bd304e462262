/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.nullValue;

@ExtendWith(CapturedLogExtension.class)
class BodyThreadsTests {

	@Test
	void aTaskForWhichNoThreadCanBeStartedRunsInTheSubmittingThread(CapturedLog log) {
		AtomicReference<Thread> ran = new AtomicReference<>();
		BodyThreads threads = new BodyThreads((task) -> {
			throw new OutOfMemoryError("thrown by the test's executor");
		});
		threads.execute(() -> ran.set(Thread.currentThread()));
		assertThat(ran).hasValue(Thread.currentThread());
		assertThat(log).contains("Could not start a thread").contains("thrown by the test's executor");
	}

	@Test
	void threadsHaveTheClassLoaderOfTheApplicationAndNotTheThreadLocalsOfTheCaller() {
		InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
		tenant.set("the first caller's");
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		ClassLoader application = new ClassLoader(before) {
		};
		Thread.currentThread().setContextClassLoader(application);
		AtomicReference<String> seen = new AtomicReference<>("not run");
		AtomicReference<ClassLoader> loader = new AtomicReference<>();
		try {
			BodyThreads threads = new BodyThreads();
			// As a thread of the JVM's common pool has.
			Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
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

}
