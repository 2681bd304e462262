/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import io.github.dynamodblock.test.FreshLockTable;
import io.github.dynamodblock.test.context.FreshLockTableContextCustomizer.Turn;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Empties the table of {@link FreshLockTable} before each test, and lets the tests of one
 * table take turns.
 */
final class FreshLockTableTestExecutionListener extends AbstractTestExecutionListener {

	/** After dependency injection, before transactions and SQL scripts of a test. */
	private static final int ORDER = 2500;

	private static final String TURN = FreshLockTableTestExecutionListener.class.getName() + ".turn";

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) throws InterruptedException {
		if (FreshLockTableContextCustomizer.of(testContext.getTestClass()) == null) {
			return;
		}
		ApplicationContext application = testContext.getApplicationContext();
		String table = application.getEnvironment().getRequiredProperty(FreshLockTableContextCustomizer.TABLE_NAME);
		Turn turn = application.getBean(Turn.class);
		turn.permit().acquire();
		testContext.setAttribute(TURN, turn);
		LockItems.deleteAll(application, table);
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (testContext.removeAttribute(TURN) instanceof Turn turn) {
			turn.permit().release();
		}
	}

}
