/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.ClassUtils;

/**
 * Turns the annotation of one method into a {@link LockDefinition}, or says what is wrong
 * with it. One reader serves one method.
 */
final class LockDefinitionReader {

	private static final LockRequest ANY_LOCK = LockRequest.of("any");

	private final ConfigurableBeanFactory beanFactory;

	private final DistributedLock annotation;

	private final Method method;

	private final Class<?> beanClass;

	private final String location;

	/**
	 * Creates a reader for one method.
	 * @param beanFactory where placeholders and beans of expressions are looked up
	 * @param annotation the annotation that applies to the method
	 * @param method the method of the bean's class
	 * @param targetClass the class of the bean behind any proxy
	 */
	LockDefinitionReader(ConfigurableBeanFactory beanFactory, DistributedLock annotation, Method method,
			Class<?> targetClass) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
		this.method = method;
		this.beanClass = ClassUtils.getUserClass(targetClass);
		this.location = DistributedLockAnnotations.describe(method, targetClass);
	}

	LockDefinition read() {
		refuseAsynchronousMethod();
		OnBusy onBusy = this.annotation.onBusy();
		Duration waitTime = duration("waitTime", this.annotation.waitTime(), ANY_LOCK::waitTime);
		if (waitTime == null && onBusy == OnBusy.SKIP) {
			waitTime = Duration.ZERO;
		}
		Duration leaseDuration = duration("leaseDuration", this.annotation.leaseDuration(), ANY_LOCK::leaseDuration);
		Duration holdAtLeast = duration("holdAtLeast", this.annotation.holdAtLeast(), ANY_LOCK::holdAtLeast);
		return new LockDefinition(this.location, name(), !this.annotation.name().isEmpty(), key(), onBusy,
				(onBusy == OnBusy.SKIP) ? busyResult() : null, waitTime, leaseDuration,
				(holdAtLeast != null) ? holdAtLeast : Duration.ZERO);
	}

	private void refuseAsynchronousMethod() {
		if (AsynchronousMethods.isAsynchronous(this.method)) {
			throw invalid(null,
					"it returns " + this.method.getReturnType().getSimpleName()
							+ " and may go on after it has returned, when the lock would already be released. "
							+ "Annotate a method that returns when the work is done",
					null);
		}
	}

	private String name() {
		String given = this.annotation.name();
		String name = given.isEmpty() ? this.beanClass.getSimpleName() + "." + this.method.getName()
				: resolve("name", given);
		if (given.isEmpty() && this.beanClass.getSimpleName().isEmpty()) {
			throw invalid("name", "an anonymous class gives the lock no name; set one", null);
		}
		if (name.isBlank()) {
			throw invalid("name", "\"" + given + "\" is blank; give a name, or leave it out for the default", null);
		}
		if (name.indexOf(':') >= 0) {
			throw invalid("name", "\"" + name + "\" has a colon, which separates name and key in the lock table; "
					+ "use another character", null);
		}
		return name;
	}

	private @Nullable KeyExpression key() {
		String expression = this.annotation.key();
		if (!expression.isEmpty() && expression.isBlank()) {
			throw invalid("key",
					"\"" + expression + "\" is blank; give an expression, or leave it out for one lock of the name",
					null);
		}
		return expression.isEmpty() ? null
				: new KeyExpressionReader(this.beanFactory, this.method, this.location).read(expression);
	}

	private @Nullable Object busyResult() {
		Class<?> type = this.method.getReturnType();
		if (type.isPrimitive() && type != void.class) {
			throw invalid("onBusy",
					"a skipped call has no value to return as " + type.getName() + "; return "
							+ ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName()
							+ ", which is null then, or an Optional, or use OnBusy.THROW",
					null);
		}
		if (type == Optional.class) {
			return Optional.empty();
		}
		if (type == OptionalInt.class) {
			return OptionalInt.empty();
		}
		if (type == OptionalLong.class) {
			return OptionalLong.empty();
		}
		return (type == OptionalDouble.class) ? OptionalDouble.empty() : null;
	}

	private @Nullable Duration duration(String attribute, String text, Consumer<Duration> limits) {
		String value = resolve(attribute, text).strip();
		if (value.isEmpty()) {
			return null;
		}
		Duration duration;
		try {
			duration = DurationStyle.detectAndParse(value);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw invalid(attribute, "\"" + value + "\" is not a duration; give a whole number and a unit, such as "
					+ "500ms, 5s, 2m, 1h or 1d, or an ISO-8601 duration such as PT5S", ex);
		}
		try {
			limits.accept(duration);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, "\"" + value + "\" is out of range: " + ex.getMessage(), ex);
		}
		return duration;
	}

	private String resolve(String attribute, String text) {
		String resolved;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, "\"" + text + "\" has a placeholder without a value; set the property, or give a "
					+ "default as in ${property:default}", ex);
		}
		if (resolved == null || resolved.contains("${")) {
			throw invalid(attribute, "\"" + text + "\" has a placeholder without a value; set the property, or give a "
					+ "default as in ${property:default}", null);
		}
		return resolved;
	}

	private InvalidDistributedLockException invalid(@Nullable String attribute, String problem,
			@Nullable Throwable cause) {
		return new InvalidDistributedLockException(this.location, attribute, problem, cause);
	}

}
