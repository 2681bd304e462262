/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ComposedAnnotationTests {

	private final LockDefinitions definitions = new LockDefinitions(new DefaultListableBeanFactory());

	@Test
	void theScheduledLockSkipsAndPassesOnWhatItIsGiven() {
		LockDefinition definition = definition(Jobs.class, "nightly");
		assertThat(definition.name()).isEqualTo("nightly");
		assertThat(definition.onBusy()).isEqualTo(OnBusy.SKIP);
		assertThat(definition.request().leaseDuration()).hasValue(Duration.ofMinutes(5));
		assertThat(definition.request().holdAtMost()).hasValue(Duration.ofMinutes(1));
		assertThat(definition.onLost()).isEqualTo(OnLost.INTERRUPT);
		assertThat(definition.lockClient()).isEqualTo("second");
		assertThat(key(definition)).containsExactly("eu");
	}

	@ParameterizedTest
	@ValueSource(strings = { "byValue", "byName" })
	void theScheduledLockNeedsANameOnly(String method) {
		LockDefinition definition = definition(Jobs.class, method);
		assertThat(definition.name()).isEqualTo("job");
		assertThat(definition.onBusy()).isEqualTo(OnBusy.SKIP);
		assertThat(definition.request().waitTime()).as("no wait").hasValue(Duration.ZERO);
		assertThat(definition.request().holdAtLeast()).isEqualTo(Duration.ZERO);
		assertThat(definition.request().awaitSilentOwner()).isTrue();
		assertThat(definition.onLost()).isEqualTo(OnLost.REPORT);
		assertThat(definition.key()).isNull();
		assertThat(definition.lockClient()).isNull();
	}

	@Test
	void theScheduledLockHasNoAttributeThatDoesNothingOnATick() {
		assertThat(attributes(ScheduledLock.class)).containsExactlyInAnyOrder("value", "name", "key", "leaseDuration",
				"holdAtMost", "onLost", "lockClient", "attempts", "onMissed");
	}

	@Test
	void anAnnotationOfTheApplicationsSetsAnyAttribute() {
		LockDefinition definition = definition(Jobs.class, "exclusive");
		assertThat(definition.name()).isEqualTo("exclusive");
		assertThat(definition.onBusy()).isEqualTo(OnBusy.FALLBACK);
		assertThat(definition.fallback()).isNotNull();
		assertThat(definition.request().permits()).isEqualTo(7);
		assertThat(definition.request().waitTime()).hasValue(Duration.ofSeconds(2));
		assertThat(definition.request().leaseDuration()).hasValue(Duration.ofSeconds(3));
		assertThat(definition.request().holdAtLeast()).isEqualTo(Duration.ofSeconds(4));
		assertThat(definition.request().holdAtMost()).hasValue(Duration.ofSeconds(5));
		assertThat(definition.request().awaitSilentOwner()).isTrue();
		assertThat(definition.onLost()).isEqualTo(OnLost.INTERRUPT);
		assertThat(definition.lockClient()).isEqualTo("third");
		assertThat(key(definition)).containsExactly("us");
		assertThat(attributes(Exclusive.class)).as("attributes tried here")
			.containsExactlyInAnyOrderElementsOf(attributes(DistributedLock.class));
	}

	@Test
	void anAnnotationOfAnAnnotationCounts() {
		LockDefinition definition = definition(Jobs.class, "twice");
		assertThat(definition.name()).isEqualTo("twice");
		assertThat(definition.request().holdAtMost()).hasValue(Duration.ofMinutes(2));
		assertThat(definition.onBusy()).isEqualTo(OnBusy.SKIP);
	}

	private LockDefinition definition(Class<?> type, String name) {
		return this.definitions.get(Objects.requireNonNull(ReflectionUtils.findMethod(type, name)), type);
	}

	private static List<String> key(LockDefinition definition) {
		return Objects.requireNonNull(definition.key()).evaluate(new Object[0], new Jobs());
	}

	private static List<String> attributes(Class<?> annotation) {
		return Arrays.stream(annotation.getDeclaredMethods()).map(Method::getName).toList();
	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock
	@interface Exclusive {

		@AliasFor(annotation = DistributedLock.class, attribute = "name")
		String value() default "";

		@AliasFor(annotation = DistributedLock.class, attribute = "name")
		String name() default "";

		@AliasFor(annotation = DistributedLock.class)
		String key() default "";

		@AliasFor(annotation = DistributedLock.class)
		String permits() default "1";

		@AliasFor(annotation = DistributedLock.class)
		String waitTime() default "";

		@AliasFor(annotation = DistributedLock.class)
		String leaseDuration() default "";

		@AliasFor(annotation = DistributedLock.class)
		String holdAtLeast() default "";

		@AliasFor(annotation = DistributedLock.class)
		String holdAtMost() default "";

		@AliasFor(annotation = DistributedLock.class)
		boolean awaitSilentOwner() default false;

		@AliasFor(annotation = DistributedLock.class)
		OnBusy onBusy() default OnBusy.THROW;

		@AliasFor(annotation = DistributedLock.class)
		String fallback() default "";

		@AliasFor(annotation = DistributedLock.class)
		OnLost onLost() default OnLost.REPORT;

		@AliasFor(annotation = DistributedLock.class)
		String lockClient() default "";

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@ScheduledLock(holdAtMost = "2m")
	@interface Limited {

		@AliasFor(annotation = ScheduledLock.class)
		String name();

	}

	static class Jobs {

		@ScheduledLock(name = "nightly", key = "'eu'", leaseDuration = "5m", holdAtMost = "1m",
				onLost = OnLost.INTERRUPT, lockClient = "second")
		void nightly() {
		}

		@ScheduledLock("job")
		void byValue() {
		}

		@ScheduledLock(name = "job")
		void byName() {
		}

		@Exclusive(name = "exclusive", key = "'us'", permits = "7", waitTime = "2s", leaseDuration = "3s",
				holdAtLeast = "4s", holdAtMost = "5s", awaitSilentOwner = true, onBusy = OnBusy.FALLBACK,
				fallback = "busy", onLost = OnLost.INTERRUPT, lockClient = "third")
		void exclusive() {
		}

		void busy() {
		}

		@Limited(name = "twice")
		void twice() {
		}

	}

}
