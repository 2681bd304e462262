/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;

import io.github.dynamodblock.test.FreshLockTable;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Gives an application context a lock table of its own. The owner is part of the key
 * under which contexts are cached, so that two test classes never share a table.
 *
 * @param owner the test class to which {@link FreshLockTable} applies
 */
record FreshLockTableContextCustomizer(Class<?> owner) implements ContextCustomizer {

	/** The starter's property, which this module cannot see. */
	static final String TABLE_NAME = "dynamodb-lock.table.name";

	private static final String TABLE_CREATE = "dynamodb-lock.table.create";

	/** The customizer for a test class, or {@code null} if it has no fresh lock table. */
	static @Nullable FreshLockTableContextCustomizer of(Class<?> testClass) {
		if (MergedAnnotations.from(testClass, SearchStrategy.TYPE_HIERARCHY).isPresent(FreshLockTable.class)) {
			return new FreshLockTableContextCustomizer(testClass);
		}
		Class<?> enclosing = testClass.getEnclosingClass();
		return (enclosing != null && TestContextAnnotationUtils.searchEnclosingClass(testClass)) ? of(enclosing) : null;
	}

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		// First, as a table's name in the application's or the test's own properties is
		// another table's.
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource(FreshLockTable.class.getName(),
					Map.of(TABLE_NAME, "fresh-locks-" + UUID.randomUUID(), TABLE_CREATE, "if-missing")));
		context.getBeanFactory().registerSingleton(Turn.class.getName(), new Turn(new Semaphore(1)));
	}

	/**
	 * Held by the test that uses the table; a semaphore, as a test may end in another
	 * thread than it began in.
	 */
	record Turn(Semaphore permit) {
	}

}
