/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

class FreshLockTableRulesTests {

	@Test
	void nestedClassesShareTheTableOfTheClassAroundThem() {
		assertThat(FreshLockTableContextCustomizer.of(FreshLockTableTests.InANestedClass.class))
			.isEqualTo(FreshLockTableContextCustomizer.of(FreshLockTableTests.class));
	}

	@Test
	void nestedClassWithTheAnnotationHasItsOwnTable() {
		assertThat(FreshLockTableContextCustomizer.of(FreshLockTableTests.InANestedClassWithATableOfItsOwn.class))
			.isNotEqualTo(FreshLockTableContextCustomizer.of(FreshLockTableTests.class));
	}

	@Test
	void everyClassHasItsOwnTableEvenIfTheAnnotationIsInherited() {
		assertThat(FreshLockTableContextCustomizer.of(Heir.class)).isNotNull()
			.isNotEqualTo(FreshLockTableContextCustomizer.of(Sample.class));
	}

	@Test
	void classWithoutTheAnnotationIsLeftAlone() {
		assertThat(FreshLockTableContextCustomizer.of(FreshLockTableRulesTests.class)).isNull();
	}

	@Test
	void testsOfOneTableTakeTurns() throws Exception {
		Method method = Sample.class.getDeclaredMethod("method");
		TestContextManager first = new TestContextManager(Sample.class);
		TestContextManager second = new TestContextManager(Sample.class);
		CompletableFuture<Void> secondIsOver = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				second.beforeTestMethod(new Sample(), method);
				second.afterTestMethod(new Sample(), method, null);
				secondIsOver.complete(null);
			}
			catch (Exception ex) {
				secondIsOver.completeExceptionally(ex);
			}
		}, "second-test");
		first.beforeTestMethod(new Sample(), method);
		try {
			thread.start();
			Awaitility.await().until(() -> isWaiting(thread) || secondIsOver.isDone());
			assertThat(secondIsOver).isNotDone();
		}
		finally {
			first.afterTestMethod(new Sample(), method, null);
		}
		secondIsOver.get(30, TimeUnit.SECONDS);
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.WAITING;
	}

	@SpringJUnitConfig(TableApplication.class)
	@FreshLockTable
	static class Sample {

		void method() {
		}

	}

	static class Heir extends Sample {

	}

}
