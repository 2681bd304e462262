/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.annotation.Annotation;
import java.util.List;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockParameter;

import org.springframework.cache.annotation.CacheConfig;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * No lock is part of a cache's key. By default all arguments are, and a lock is another
 * one in each call, so that nothing would be found again.
 */
final class CacheKeyCheck implements AnnotatedMethodCheck {

	private static final List<Class<? extends Annotation>> KEYED = List.of(Cacheable.class, CachePut.class,
			CacheEvict.class);

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.lockParameter().equals(LockParameter.NONE) || hasGeneratorOfItsClass(annotated.beanClass())) {
			return;
		}
		MergedAnnotations annotations = MergedAnnotations.from(annotated.method(), SearchStrategy.TYPE_HIERARCHY);
		for (Class<? extends Annotation> type : KEYED) {
			if (annotations.stream(type).anyMatch(CacheKeyCheck::hasDefaultKey)) {
				throw new InvalidDistributedLockException(definition.location(), null,
						"its @" + type.getSimpleName() + " has no key, so that the parameter that takes the lock is "
								+ "part of it, and nothing is found again; set its attribute 'key' or 'keyGenerator'",
						null);
			}
		}
	}

	private static boolean hasGeneratorOfItsClass(Class<?> beanClass) {
		CacheConfig config = AnnotatedElementUtils.findMergedAnnotation(beanClass, CacheConfig.class);
		return config != null && !config.keyGenerator().isEmpty();
	}

	private static boolean hasDefaultKey(MergedAnnotation<?> annotation) {
		return annotation.getString("key").isEmpty() && annotation.getString("keyGenerator").isEmpty()
				&& !annotation.getValue("allEntries", Boolean.class).orElse(false);
	}

}
