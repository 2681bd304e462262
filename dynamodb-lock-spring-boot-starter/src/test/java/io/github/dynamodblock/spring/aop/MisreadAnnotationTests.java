/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.LockNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

/**
 * An annotation that would do something else than it seems to say fails startup.
 */
class MisreadAnnotationTests {

	static Stream<Arguments> misread() {
		return Stream.of(
				Arguments.of(ParameterInName.class, "name", "\"orders-#id\" is literal text: #id is not evaluated"),
				Arguments.of(PositionInName.class, "name", "is literal text: #p0 is not evaluated"),
				Arguments.of(DurationWithoutAUnit.class, "waitTime",
						"\"5\" is not a duration; use a whole number with a unit, such as 500ms, 5s"),
				Arguments.of(LimitWithoutAUnit.class, "holdAtMost", "\"3600\" is not a duration; use"),
				Arguments.of(ScheduledPrimitive.class, null, "or use @DistributedLock with OnBusy.THROW"),
				Arguments.of(TwoAnnotations.class, null,
						"it has @DistributedLock and @ScheduledLock, but only one would apply; keep one"));
	}

	@ParameterizedTest
	@MethodSource("misread")
	void failsStartupAndNamesMethodAndAttribute(Class<?> bean, @Nullable String attribute, String problem) {
		node().withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.asInstanceOf(throwable(InvalidDistributedLockException.class))
				.hasMessageContaining(problem)
				.satisfies((failure) -> {
					assertThat(failure.location()).startsWith(bean.getName() + ".work(");
					assertThat(failure.attribute().orElse(null)).isEqualTo(attribute);
				}));
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalClass.class, Value.class })
	void aClassOfWhichThereCanBeNoProxyFailsStartup(Class<?> bean) {
		node().withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("the class is final", bean.getName()));
	}

	@Test
	void aNumberSignThatNamesNoParameterIsPartOfTheName() {
		node().withBean(NumberSign.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anAttributeThatOnlyTheScheduledLockHasIsNotSaidToBeAnotherAnnotations() {
		node().withBean(NoAttempt.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("NoAttempt.work(), attribute 'attempts': it is 0")
				.hasMessageNotContaining("@DistributedLock"));
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("first", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	public static class ParameterInName {

		@DistributedLock("orders-#id")
		public void work(String id) {
		}

	}

	public static class PositionInName {

		@DistributedLock("orders-#p0.name")
		public void work(String id) {
		}

	}

	public static class NumberSign {

		@DistributedLock("issue-#42 of #ideas")
		public void work(String id) {
		}

	}

	static class DurationWithoutAUnit {

		@DistributedLock(name = "a", waitTime = "5")
		void work() {
		}

	}

	static class LimitWithoutAUnit {

		@ScheduledLock(name = "a", holdAtMost = "3600")
		void work() {
		}

	}

	static class ScheduledPrimitive {

		@ScheduledLock("a")
		int work() {
			return 1;
		}

	}

	static class NoAttempt {

		@ScheduledLock(name = "a", attempts = 0)
		void work() {
		}

	}

	static class TwoAnnotations {

		@ScheduledLock("mine")
		@DistributedLock("theirs")
		void work() {
		}

	}

	static final class FinalClass {

		@DistributedLock("a")
		void work() {
		}

	}

	record Value() {

		@DistributedLock("a")
		void work() {
		}

	}

}
