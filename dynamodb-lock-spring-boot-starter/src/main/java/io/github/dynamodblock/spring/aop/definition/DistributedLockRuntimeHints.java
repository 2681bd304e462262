/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Registers hints for native images: for the attributes of the annotations and the
 * members of {@code #root} in key expressions, and for each annotated method, its
 * fallbacks, and the properties of parameters and beans that its key may read.
 */
final class DistributedLockRuntimeHints implements RuntimeHintsRegistrar, BeanRegistrationAotProcessor {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(KeyExpression.Root.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		for (Class<?> annotation : new Class<?>[] { DistributedLock.class, ScheduledLock.class }) {
			hints.reflection().registerType(annotation, MemberCategory.INVOKE_PUBLIC_METHODS);
			hints.proxies().registerJdkProxy(annotation);
		}
	}

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Class<?> beanClass = ClassUtils.getUserClass(registeredBean.getBeanClass());
		Set<Method> annotated = new LockDefinitions(registeredBean.getBeanFactory()).loadableMethods(beanClass);
		return annotated.isEmpty() ? null : (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			annotated.forEach((method) -> register(hints, method, beanClass, registeredBean.getBeanFactory()));
		};
	}

	private static void register(ReflectionHints hints, Method method, Class<?> beanClass,
			ConfigurableListableBeanFactory beanFactory) {
		DistributedLock annotation = Objects.requireNonNull(LockDefinitions.find(method, beanClass));
		hints.registerMethod(method, ExecutableMode.INVOKE);
		fallbacks(annotation.fallback(), beanClass)
			.forEach((fallback) -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
		if (!annotation.key().isEmpty()) {
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints, method.getGenericParameterTypes());
			registerBeans(hints, new SpelExpressionParser().parseRaw(annotation.key()).getAST(), beanFactory);
		}
	}

	/** Registers bean members that a key reads, such as {@code @tenants.current().id}. */
	private static void registerBeans(ReflectionHints hints, SpelNode node,
			ConfigurableListableBeanFactory beanFactory) {
		if (node instanceof BeanReference) {
			type(node, beanFactory).ifPresent((type) -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
		}
		else if (node instanceof CompoundExpression && node.getChild(0) instanceof BeanReference reference) {
			type(reference, beanFactory).ifPresent((type) -> new BindingReflectionHintsRegistrar()
				.registerReflectionHints(hints, results(type, node.getChild(1))));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			registerBeans(hints, node.getChild(i), beanFactory);
		}
	}

	private static Optional<Class<?>> type(SpelNode reference, ConfigurableListableBeanFactory beanFactory) {
		String beanName = KeyExpression.beanName(reference);
		Class<?> type = beanFactory.containsBean(beanName) ? beanFactory.getType(beanName) : null;
		return Optional.ofNullable(type).map(ClassUtils::getUserClass);
	}

	/** Returns the types that a bean's method or property may return. */
	private static Type[] results(Class<?> type, SpelNode member) {
		String name = (member instanceof MethodReference method) ? method.getName()
				: "get" + StringUtils.capitalize(member.toStringAST());
		return Arrays.stream(type.getMethods())
			.filter((method) -> method.getName().equals(name))
			.map(Method::getGenericReturnType)
			.toArray(Type[]::new);
	}

	private static Stream<Method> fallbacks(String name, Class<?> beanClass) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(beanClass))
			.filter((method) -> method.getName().equals(name));
	}

}
