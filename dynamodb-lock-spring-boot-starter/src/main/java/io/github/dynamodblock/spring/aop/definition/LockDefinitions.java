/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * All annotated methods and their definitions, each read once. Thread-safe.
 *
 * <p>
 * The annotation of a method is the first one found on the method, a method that it
 * overrides, its class, or an interface. It is the same for calls through an interface or
 * a class.
 */
public final class LockDefinitions {

	private static final Logger logger = LoggerFactory.getLogger(LockDefinitions.class);

	private final ConfigurableBeanFactory beanFactory;

	private final Map<Class<?>, Set<Method>> methods = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, LockDefinition> definitions = new ConcurrentHashMap<>();

	public LockDefinitions(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the annotated methods of a class, which is searched once.
	 * @param type the class of a bean, which may be a proxy
	 * @return the methods; empty for most classes
	 * @throws IllegalStateException if the class refers to missing types
	 */
	public Set<Method> methods(Class<?> type) {
		return this.methods.computeIfAbsent(type, LockDefinitions::search);
	}

	/**
	 * Returns the annotated methods of a class, or none if the class refers to missing
	 * types, because such a class cannot be proxied.
	 * @param type the class of a bean, which may be a proxy
	 * @return the methods; empty for most classes
	 */
	public Set<Method> loadableMethods(Class<?> type) {
		try {
			return methods(type);
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("Could not inspect the methods of {}", type.getName(), ex);
			return Set.of();
		}
	}

	/**
	 * Returns the definition of a method.
	 * @param method an annotated method, or one of an interface that it implements
	 * @param targetClass the class of the bean behind any proxy
	 * @return the definition
	 * @throws io.github.dynamodblock.spring.InvalidDistributedLockException if the
	 * annotation is invalid
	 */
	public LockDefinition get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LockDefinition definition = this.definitions.get(key);
		if (definition == null) {
			// Not computed inside the map, because reading uses beans and properties.
			definition = read(method, targetClass);
			this.definitions.put(key, definition);
		}
		return definition;
	}

	/**
	 * Reads the definition of a new bean's method, and uses it for all calls from now on.
	 * Placeholders may have other values than for an earlier bean of the class.
	 * @param method an annotated method, or one of an interface that it implements
	 * @param targetClass the class of the bean behind any proxy
	 * @return the definition
	 * @throws io.github.dynamodblock.spring.InvalidDistributedLockException if the
	 * annotation is invalid
	 */
	public LockDefinition renew(Method method, Class<?> targetClass) {
		LockDefinition definition = read(method, targetClass);
		this.definitions.values().removeIf((other) -> other.location().equals(definition.location()));
		this.definitions.put(new MethodClassKey(method, targetClass), definition);
		return definition;
	}

	private LockDefinition read(Method method, Class<?> targetClass) {
		Class<?> beanClass = beanClass(method, targetClass);
		DistributedLock annotation = Objects.requireNonNull(find(method, targetClass),
				() -> describe(method, targetClass) + " has no @DistributedLock");
		Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
		return new LockDefinitionReader(this.beanFactory, annotation, specific, beanClass).read();
	}

	/**
	 * Finds the annotation of a method.
	 * @param method the method, which may be one of an interface
	 * @param targetClass the class of the bean behind any proxy
	 * @return the annotation with its aliases resolved, or {@code null}
	 */
	public static @Nullable DistributedLock find(Method method, Class<?> targetClass) {
		Class<?> beanClass = beanClass(method, targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
		DistributedLock annotation = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
		if (annotation == null && isGuardedByItsClass(specific)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(beanClass, DistributedLock.class);
		}
		return annotation;
	}

	private static Set<Method> search(Class<?> type) {
		Class<?> beanClass = ClassUtils.getUserClass(type);
		if (beanClass.getName().startsWith("org.springframework.")
				|| !AnnotationUtils.isCandidateClass(beanClass, DistributedLock.class)) {
			return Set.of();
		}
		return MethodIntrospector.selectMethods(beanClass, (Method method) -> find(method, beanClass) != null);
	}

	/**
	 * Returns the class in which the pointcut, the check and the call look up a bean's
	 * method. If the bean itself is a JDK proxy, such as a repository, this is the
	 * proxy's interface with the method, because not all three know the object behind the
	 * proxy.
	 * @param method the method, which may be one of an interface
	 * @param targetClass the class of the object behind the advice
	 * @return the user's class, or the interface
	 */
	public static Class<?> beanClass(Method method, Class<?> targetClass) {
		if (!Proxy.isProxyClass(targetClass)) {
			return ClassUtils.getUserClass(targetClass);
		}
		return Arrays.stream(targetClass.getInterfaces())
			.filter(method.getDeclaringClass()::isAssignableFrom)
			.findFirst()
			.orElse(method.getDeclaringClass());
	}

	private static boolean isGuardedByItsClass(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method) && ClassUtils.isUserLevelMethod(method);
	}

	/**
	 * Returns whether the annotation that applies to a method is a {@link ScheduledLock}.
	 * The annotation of an interface or of an overridden method may be replaced by
	 * another one.
	 * @param method the method
	 * @return whether it is a {@link ScheduledLock}
	 */
	public static boolean isScheduledLock(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(DistributedLock.class)
			.getMetaTypes()
			.contains(ScheduledLock.class);
	}

	/**
	 * Returns a method as messages show it.
	 * @param method the method
	 * @param targetClass the class of the bean
	 * @return the class and the method with its parameters' types
	 */
	public static String describe(Method method, Class<?> targetClass) {
		return ClassUtils.getUserClass(targetClass).getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}
