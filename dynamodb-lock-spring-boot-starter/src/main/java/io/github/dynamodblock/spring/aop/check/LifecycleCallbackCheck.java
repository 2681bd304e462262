/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The container does not call the method itself: it calls the bean's own methods of
 * initialization and destruction behind the proxy, and so without the lock.
 */
final class LifecycleCallbackCheck implements AnnotatedMethodCheck {

	// By name: the annotations need not be there.
	private static final Set<String> ANNOTATIONS = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final ConfigurableListableBeanFactory beanFactory;

	LifecycleCallbackCheck(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		if (annotated.method().getParameterCount() == 0 && isCallback(annotated)) {
			throw new InvalidDistributedLockException(annotated.location(), null,
					"the container calls it when it initializes or destroys bean '" + annotated.beanName()
							+ "', behind the proxy, so that it would run without the lock. Use a LockTemplate in it, or "
							+ "let it call a locked method of another bean; if the annotation is on the class, put it on "
							+ "the methods instead",
					null);
		}
	}

	private boolean isCallback(AnnotatedMethod annotated) {
		Method method = annotated.method();
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return ANNOTATIONS.stream().anyMatch(annotations::isPresent)
				|| implementsMethod(annotated, InitializingBean.class, "afterPropertiesSet")
				|| implementsMethod(annotated, DisposableBean.class, "destroy") || isNamedByTheDefinition(annotated);
	}

	private static boolean implementsMethod(AnnotatedMethod annotated, Class<?> type, String name) {
		return type.isAssignableFrom(annotated.beanClass()) && annotated.method().getName().equals(name);
	}

	private boolean isNamedByTheDefinition(AnnotatedMethod annotated) {
		if (!this.beanFactory.containsBeanDefinition(annotated.beanName())) {
			return false;
		}
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(annotated.beanName());
		return Stream.of(definition.getInitMethodName(), definition.getDestroyMethodName())
			.anyMatch(annotated.method().getName()::equals);
	}

}
