/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What a native image must keep for the annotated methods of one bean: the methods, their
 * fallbacks, and the properties of parameters that a key expression may read.
 */
final class AnnotatedBeanAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Class<?> beanClass = ClassUtils.getUserClass(registeredBean.getBeanClass());
		if (!AnnotationUtils.isCandidateClass(beanClass, DistributedLock.class)) {
			return null;
		}
		Set<Method> annotated = AnnotatedMethods.methods(beanClass);
		return annotated.isEmpty() ? null : (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			annotated.forEach((method) -> register(hints, method, beanClass));
		};
	}

	private static void register(ReflectionHints hints, Method method, Class<?> beanClass) {
		DistributedLock annotation = Objects.requireNonNull(DistributedLockAnnotations.find(method, beanClass));
		hints.registerMethod(method, ExecutableMode.INVOKE);
		fallbacks(annotation.fallback(), beanClass)
			.forEach((fallback) -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
		if (!annotation.key().isEmpty()) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints, method.getGenericParameterTypes());
		}
	}

	private static Stream<Method> fallbacks(String name, Class<?> beanClass) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(beanClass))
			.filter((method) -> method.getName().equals(name));
	}

}
