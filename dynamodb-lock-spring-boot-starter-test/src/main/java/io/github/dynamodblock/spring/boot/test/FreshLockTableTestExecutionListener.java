/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;

/**
 * Empties the table of {@link FreshLockTable} before each test, runs the tests of one
 * table one after the other, and replaces the application context after a test that left
 * a lock held.
 */
final class FreshLockTableTestExecutionListener extends AbstractTestExecutionListener {

	private static final Logger logger = LoggerFactory.getLogger(FreshLockTableTestExecutionListener.class);

	/** After dependency injection, before transactions and SQL scripts of a test. */
	private static final int ORDER = 2500;

	private static final String TABLE = FreshLockTableTestExecutionListener.class.getName() + ".table";

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) throws InterruptedException {
		if (FreshLockTableContextCustomizer.of(testContext.getTestClass()) == null) {
			return;
		}
		ConfigurableApplicationContext application = (ConfigurableApplicationContext) testContext
			.getApplicationContext();
		FreshTable table = application.getBean(FreshTable.class);
		table.permit().acquire();
		testContext.setAttribute(TABLE, table);
		if (!application.isActive()) {
			throw new IllegalStateException(testContext.getTestClass().getName()
					+ " runs tests in parallel, and one of them left a lock held, so the application context that "
					+ "they share was closed. Add @Execution(ExecutionMode.SAME_THREAD) to the class");
		}
		table.items(application.getBeanFactory()).forEach(LockItems::deleteAll);
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (!(testContext.removeAttribute(TABLE) instanceof FreshTable table)) {
			return;
		}
		try {
			if (testContext.hasApplicationContext()) {
				closeIfLocksAreHeld(testContext, table);
			}
		}
		finally {
			table.permit().release();
		}
	}

	/**
	 * Closes the context if a lock is held: deleting the item does not make the lock
	 * client forget it.
	 */
	private static void closeIfLocksAreHeld(TestContext testContext, FreshTable table) {
		ConfigurableApplicationContext application = (ConfigurableApplicationContext) testContext
			.getApplicationContext();
		if (table.items(application.getBeanFactory()).stream().anyMatch(LockItems::areHeld)) {
			logger.debug("{} left a lock held: the next test gets a separate application context",
					testContext.getTestMethod());
			testContext.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
			testContext.setAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE, true);
		}
	}

}
