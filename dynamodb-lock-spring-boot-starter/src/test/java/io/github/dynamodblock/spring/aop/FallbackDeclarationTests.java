/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.aop.definition.Fallback;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The method that a fallback names is found before any call, and answers it.
 */
class FallbackDeclarationTests {

	@SuppressWarnings("StaticAssignmentOfThrowable") // nobody throws it
	private static final LockNotGrantedException REFUSAL = Mockito.mock(LockNotGrantedException.class);

	static Stream<Arguments> fitting() {
		return Stream.of(Arguments.of(new SameParameters(), "fallback of 7"),
				Arguments.of(new WithTheException(), "7 is busy"), Arguments.of(new WithAnyException(), "7 is busy"),
				Arguments.of(new OfTheSameName(), "7 is busy"), Arguments.of(new OfBothKinds(), "7 is busy"),
				Arguments.of(new AmongOverloads(), "fallback of 7"),
				Arguments.of(new Inheriting(), "inherited fallback of 7"), Arguments.of(new Static(), "fallback of 7"),
				Arguments.of(new FromAnInterface(), "default fallback of 7"));
	}

	@ParameterizedTest
	@MethodSource("fitting")
	void takesTheSameParametersOrThoseAndTheException(Object bean, String answer) throws Throwable {
		assertThat(fallback(bean.getClass()).invoke(bean, new Object[] { "7" }, REFUSAL)).isEqualTo(answer);
	}

	@Test
	void runsOnWhatIsBehindAProxy() throws Throwable {
		ProxyFactory factory = new ProxyFactory(new WithAField("field"));
		factory.setProxyTargetClass(true);
		assertThat(fallback(WithAField.class).invoke(factory.getProxy(), new Object[] { "7" }, REFUSAL))
			.isEqualTo("field of 7");
	}

	@Test
	void whatItThrowsIsThrownAsItIs() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> fallback(Throwing.class).invoke(new Throwing(), new Object[] { "7" }, REFUSAL))
			.withMessage("the fallback's");
	}

	private static Fallback fallback(Class<?> bean) {
		LockDefinitions definitions = new LockDefinitions(new DefaultListableBeanFactory());
		return Objects.requireNonNull(
				definitions.get(Objects.requireNonNull(ReflectionUtils.findMethod(bean, "work", String.class)), bean)
					.fallback());
	}

	static class SameParameters {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		@SuppressWarnings("UnusedMethod") // called by reflection
		private String busy(String id) {
			return "fallback of " + id;
		}

	}

	static class WithTheException {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id, LockNotGrantedException refusal) {
			assertThat(refusal).isSameAs(REFUSAL);
			return id + " is busy";
		}

	}

	static class WithAnyException {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		CharSequence work(String id) {
			return id;
		}

		String busy(String id, LockException refusal) {
			assertThat(refusal).isSameAs(REFUSAL);
			return id + " is busy";
		}

	}

	static class OfTheSameName {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "work")
		String work(String id) {
			return id;
		}

		String work(String id, RuntimeException refusal) {
			return id + " is busy";
		}

	}

	static class OfBothKinds {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id) {
			return "";
		}

		String busy(String id, LockNotGrantedException refusal) {
			return id + " is busy";
		}

	}

	static class AmongOverloads {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy() {
			return "";
		}

		String busy(Object id) {
			return "";
		}

		String busy(String id) {
			return "fallback of " + id;
		}

		String busy(String id, String other) {
			return "";
		}

	}

	static class Superclass {

		private String busy(String id) {
			return "inherited fallback of " + id;
		}

		String call() {
			return busy("");
		}

	}

	static class Inheriting extends Superclass {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

	}

	static class Static {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		static String busy(String id) {
			return "fallback of " + id;
		}

	}

	interface Answering {

		default String busy(String id) {
			return "default fallback of " + id;
		}

	}

	static class FromAnInterface implements Answering {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

	}

	public static class WithAField {

		private final String field;

		WithAField(String field) {
			this.field = field;
		}

		public WithAField() {
			this("the proxy's own");
		}

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		public String work(String id) {
			return id;
		}

		@SuppressWarnings("UnusedMethod") // called by reflection
		private String busy(String id) {
			return this.field + " of " + id;
		}

	}

	static class Throwing {

		@DistributedLock(name = "a", onBusy = OnBusy.FALLBACK, fallback = "busy")
		String work(String id) {
			return id;
		}

		String busy(String id) throws IOException {
			throw new IOException("the fallback's");
		}

	}

}
