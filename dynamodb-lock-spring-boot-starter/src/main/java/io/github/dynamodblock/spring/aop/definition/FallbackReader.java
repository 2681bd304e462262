/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.OnBusy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the method that answers for an annotated one, or says why none fits.
 */
final class FallbackReader {

	private final Method method;

	private final Class<?> beanClass;

	private final String location;

	FallbackReader(Method method, Class<?> beanClass, String location) {
		this.method = method;
		this.beanClass = beanClass;
		this.location = location;
	}

	/**
	 * Reads the attribute.
	 * @param onBusy what a call does when the lock is not granted
	 * @param name the name of the fallback; may be empty
	 * @return the fallback, or {@code null} if none is wanted
	 */
	@Nullable Fallback read(OnBusy onBusy, String name) {
		if (onBusy != OnBusy.FALLBACK) {
			if (!name.isEmpty()) {
				throw invalid("\"" + name + "\" is never called with OnBusy." + onBusy
						+ "; set onBusy = OnBusy.FALLBACK, or leave it out");
			}
			return null;
		}
		if (name.isBlank()) {
			throw invalid("OnBusy.FALLBACK needs the name of the method to call; set it");
		}
		Fallback fallback = find(name);
		checkReturnType(fallback.method());
		if (AnnotatedElementUtils.hasAnnotation(fallback.method(), DistributedLock.class)) {
			throw invalid(describe(List.of(fallback.method()))
					+ " has its own @DistributedLock, which the call would bypass; take it off, or name another "
					+ "method");
		}
		ReflectionUtils.makeAccessible(fallback.method());
		return fallback;
	}

	private Fallback find(String name) {
		List<Method> named = Arrays
			.stream(ReflectionUtils.getUniqueDeclaredMethods(this.beanClass,
					(candidate) -> candidate.getName().equals(name) && !candidate.isSynthetic()))
			.filter((candidate) -> !candidate.equals(this.method))
			.toList();
		if (named.isEmpty()) {
			throw invalid("there is no other method " + name + " in " + this.beanClass.getName() + "; write "
					+ signatures(name));
		}
		List<Fallback> fitting = new ArrayList<>();
		for (Method candidate : named) {
			Fallback fallback = fit(candidate);
			if (fallback != null) {
				fitting.add(fallback);
			}
		}
		if (fitting.isEmpty()) {
			throw invalid(
					describe(named) + " cannot be called with the arguments of the method; write " + signatures(name));
		}
		if (fitting.size() > 1) {
			throw invalid("several methods fit: " + describe(fitting.stream().map(Fallback::method).toList())
					+ "; rename all but one");
		}
		return fitting.get(0);
	}

	private @Nullable Fallback fit(Method candidate) {
		Class<?>[] wanted = this.method.getParameterTypes();
		Class<?>[] given = candidate.getParameterTypes();
		if (Arrays.equals(wanted, given)) {
			return new Fallback(candidate, -1);
		}
		// The last parameter of a suspend function is its continuation.
		int index = KotlinDetector.isSuspendingFunction(this.method) ? wanted.length - 1 : wanted.length;
		if (given.length != wanted.length + 1 || !Throwable.class.isAssignableFrom(given[index])
				|| !given[index].isAssignableFrom(LockNotGrantedException.class)) {
			return null;
		}
		boolean same = Arrays.equals(wanted, 0, index, given, 0, index)
				&& Arrays.equals(wanted, index, wanted.length, given, index + 1, given.length);
		return same ? new Fallback(candidate, index) : null;
	}

	private void checkReturnType(Method fallback) {
		ResolvableType wanted = ResolvableType.forMethodReturnType(this.method, this.beanClass);
		ResolvableType given = ResolvableType.forMethodReturnType(fallback, this.beanClass);
		if (!fits(ReturnKind.declaredType(this.method), ReturnKind.declaredType(fallback))
				|| (isKnown(wanted) && isKnown(given) && !wanted.isAssignableFrom(given))) {
			throw invalid(describe(List.of(fallback)) + " returns " + describeType(fallback, given)
					+ ", and the method " + describeType(this.method, wanted) + "; return the same");
		}
	}

	private static String describeType(Method method, ResolvableType type) {
		return KotlinDetector.isSuspendingFunction(method) ? ReturnKind.declaredType(method).getTypeName()
				: type.toString();
	}

	/**
	 * A primitive fits its wrapper; a wrapper, which may be null, does not fit a
	 * primitive.
	 */
	private static boolean fits(Class<?> wanted, Class<?> given) {
		return wanted.isAssignableFrom(
				(given != void.class && !wanted.isPrimitive()) ? ClassUtils.resolvePrimitiveIfNecessary(given) : given);
	}

	private static boolean isKnown(ResolvableType type) {
		return type.hasGenerics() && !type.hasUnresolvableGenerics();
	}

	private String signatures(String name) {
		String types = Arrays.stream(this.method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", "));
		return name + "(" + types + ") or " + name + "(" + types + (types.isEmpty() ? "" : ", ")
				+ "LockNotGrantedException)";
	}

	private static String describe(List<Method> methods) {
		return methods.stream()
			.map((method) -> method.getName() + Arrays.stream(method.getParameterTypes())
				.map(Class::getSimpleName)
				.collect(Collectors.joining(", ", "(", ")")))
			.sorted()
			.collect(Collectors.joining(", "));
	}

	private InvalidDistributedLockException invalid(String problem) {
		return new InvalidDistributedLockException(this.location, "fallback", problem, null);
	}

}
