/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;

/**
 * All annotated methods and their definitions, each read once. Thread-safe.
 */
public final class LockDefinitions {

	private final ConfigurableBeanFactory beanFactory;

	private final Map<Class<?>, Set<Method>> methods = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, LockDefinition> definitions = new ConcurrentHashMap<>();

	public LockDefinitions(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The annotated methods of a class, which is searched once.
	 * @param type the class of a bean, maybe a proxy
	 * @return the methods; empty for most classes
	 */
	public Set<Method> methods(Class<?> type) {
		return this.methods.computeIfAbsent(type, DistributedLockAnnotations::methods);
	}

	/**
	 * The definition of a method.
	 * @param method an annotated method, or one of an interface that it implements
	 * @param targetClass the class of the bean behind any proxy
	 * @return the definition
	 * @throws io.github.dynamodblock.spring.InvalidDistributedLockException if the
	 * annotation cannot work
	 */
	public LockDefinition get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LockDefinition definition = this.definitions.get(key);
		if (definition == null) {
			// Reading looks at beans and properties, so it happens outside of the map.
			definition = read(method, targetClass);
			this.definitions.put(key, definition);
		}
		return definition;
	}

	private LockDefinition read(Method method, Class<?> targetClass) {
		Class<?> beanClass = DistributedLockAnnotations.beanClass(method, targetClass);
		DistributedLock annotation = Objects.requireNonNull(DistributedLockAnnotations.find(method, targetClass),
				() -> DistributedLockAnnotations.describe(method, targetClass) + " has no @DistributedLock");
		Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
		return new LockDefinitionReader(this.beanFactory, annotation, specific, beanClass).read();
	}

}
