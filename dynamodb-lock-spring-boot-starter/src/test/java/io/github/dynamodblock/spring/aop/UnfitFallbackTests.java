/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A fallback that could not answer for its method ends the start.
 */
class UnfitFallbackTests {

	static Stream<Class<?>> unfit() {
		return Stream.of(Missing.class, Itself.class, OtherParameters.class, OtherException.class, ExceptionFirst.class,
				OtherType.class, NoResult.class, Annotated.class, NotNamed.class);
	}

	@ParameterizedTest
	@MethodSource("unfit")
	void isRefusedWithWhatWouldFit(Class<?> bean) {
		assertThatExceptionOfType(InvalidDistributedLockException.class).isThrownBy(() -> read(bean))
			.withMessageContainingAll("Lock annotation on " + bean
				.getName() + ".work(String)", "attribute 'fallback'", "must be another method of " + bean.getName()
						+ " that takes (String) or (String, LockNotGrantedException), returns String, and has no lock "
						+ "annotation");
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

	static class NoResult {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		void busy(String id) {
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

}
