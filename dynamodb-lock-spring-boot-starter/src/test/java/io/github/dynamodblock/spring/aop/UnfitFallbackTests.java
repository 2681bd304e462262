/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A fallback that could not answer for its method ends the start.
 */
class UnfitFallbackTests {

	static Stream<Arguments> unfit() {
		return Stream.of(
				Arguments.of(Missing.class,
						"there is no other method busy in " + Missing.class.getName()
								+ "; write busy(String) or busy(String, LockNotGrantedException)"),
				Arguments.of(Itself.class, "there is no other method work"),
				Arguments.of(OtherParameters.class,
						"busy(Integer) cannot be called with the arguments of the method; write busy(String) or"),
				Arguments.of(OtherException.class, "busy(String, IllegalStateException) cannot be called"),
				Arguments.of(ExceptionFirst.class, "busy(LockNotGrantedException, String) cannot be called"),
				Arguments.of(OtherType.class,
						"busy(String) returns java.lang.Integer, and the method "
								+ "java.lang.String; return the same"),
				Arguments.of(OtherGenericType.class,
						"returns java.util.concurrent.CompletableFuture<java.lang.Integer>, and the method "
								+ "java.util.concurrent.CompletableFuture<java.lang.String>"),
				Arguments.of(NoResult.class, "busy(String) returns void, and the method java.lang.String"),
				Arguments.of(NullForAPrimitive.class, "busy(String) returns java.lang.Integer, and the method int"),
				Arguments.of(Ambiguous.class,
						"several methods fit: busy(String), busy(String, LockNotGrantedException); rename all but one"),
				Arguments.of(Annotated.class, "busy(String) has its own @DistributedLock"),
				Arguments.of(NotNamed.class, "OnBusy.FALLBACK needs the name of the method to call; set it"),
				Arguments.of(NeverCalled.class, "\"busy\" is never called with OnBusy.SKIP; set onBusy = "
						+ "OnBusy.FALLBACK, or leave it out"));
	}

	@ParameterizedTest
	@MethodSource("unfit")
	void isRefusedWithTheReasonIfItCannotAnswer(Class<?> bean, String problem) {
		assertThatExceptionOfType(InvalidDistributedLockException.class).isThrownBy(() -> read(bean))
			.withMessageContainingAll("Lock annotation on " + bean.getName() + ".work(String)", "attribute 'fallback'",
					problem);
	}

	private static void read(Class<?> bean) {
		Method method = Objects.requireNonNull(ReflectionUtils.findMethod(bean, "work", String.class));
		new LockDefinitions(new DefaultListableBeanFactory()).get(method, bean);
	}

	static class Missing {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

	}

	static class Itself {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "work")
		String work(String id) {
			return id;
		}

	}

	static class OtherParameters {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(Integer id) {
			return "";
		}

	}

	static class OtherException {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id, IllegalStateException refusal) {
			return "";
		}

	}

	static class ExceptionFirst {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(LockNotGrantedException refusal, String id) {
			return "";
		}

	}

	static class OtherType {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		Integer busy(String id) {
			return 1;
		}

	}

	static class OtherGenericType {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		CompletableFuture<String> work(String id) {
			return CompletableFuture.completedFuture(id);
		}

		CompletableFuture<Integer> busy(String id) {
			return CompletableFuture.completedFuture(1);
		}

	}

	static class NoResult {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		void busy(String id) {
		}

	}

	static class NullForAPrimitive {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		int work(String id) {
			return 1;
		}

		Integer busy(String id) {
			return 1;
		}

	}

	static class Ambiguous {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id) {
			return "";
		}

		String busy(String id, LockNotGrantedException refusal) {
			return "";
		}

	}

	static class Annotated {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		@DistributedLock(name = "b")
		String busy(String id) {
			return "";
		}

	}

	static class NotNamed {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK)
		String work(String id) {
			return id;
		}

	}

	static class NeverCalled {

		@DistributedLock(name = "a", onBusy = OnBusy.SKIP, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id) {
			return "";
		}

	}

}
