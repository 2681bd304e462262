/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Gives an application context a separate lock table. The owner is part of the key under
 * which contexts are cached, so two test classes never share a table.
 *
 * @param owner the test class to which {@link FreshLockTable} applies
 */
record FreshLockTableContextCustomizer(Class<?> owner) implements ContextCustomizer {

	/**
	 * Returns the customizer for a test class, or {@code null} if it has no fresh lock
	 * table.
	 */
	static @Nullable FreshLockTableContextCustomizer of(Class<?> testClass) {
		if (MergedAnnotations.from(testClass, SearchStrategy.TYPE_HIERARCHY).isPresent(FreshLockTable.class)) {
			return new FreshLockTableContextCustomizer(testClass);
		}
		Class<?> enclosing = testClass.getEnclosingClass();
		return (enclosing != null && TestContextAnnotationUtils.searchEnclosingClass(testClass)) ? of(enclosing) : null;
	}

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		String table = "fresh-locks-" + UUID.randomUUID();
		// Added first, to override a table name in the properties of the application or
		// of the test.
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource(FreshLockTable.class.getName(),
					Map.of("dynamodb-lock.table.name", table, "dynamodb-lock.table.create", "if-missing")));
		context.getBeanFactory().registerSingleton(FreshTable.class.getName(), new FreshTable(table));
	}

}
