/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports that the application's role lacks a permission.
 */
class LockAccessDeniedFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

	private static final Pattern ACTION = Pattern.compile("dynamodb:[A-Z]\\w+");

	private static final Pattern TABLE = Pattern.compile("of table '([^']+)'");

	private static final Pattern RESOURCE = Pattern.compile("on resource: (arn:\\S+)");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
		if (StoreFailure.of(cause) != StoreFailure.ACCESS_DENIED) {
			return null;
		}
		String message = String.valueOf(cause.getMessage());
		String action = found(ACTION, 0, message, "dynamodb:*");
		String table = found(TABLE, 1, message, "the lock table");
		String resource = found(RESOURCE, 1, message,
				table.startsWith("arn:") ? table : "arn:aws:dynamodb:*:*:table/" + table);
		LockTableSetupException setup = findCause(rootFailure, LockTableSetupException.class);
		return new FailureAnalysis(
				"The application's role may not do " + action + " on the lock table '" + table + "':\n\n    " + message
						+ ((setup != null) ? "\n\n" + setup.dynamoDbClient() + "." : ""),
				"Allow it, by a statement in the role's IAM policy:\n\n    {\"Effect\": \"Allow\", \"Action\": \""
						+ action + "\", \"Resource\": \"" + resource + "\"}",
				cause);
	}

	private static String found(Pattern pattern, int group, String message, String otherwise) {
		Matcher matcher = pattern.matcher(message);
		return matcher.find() ? matcher.group(group) : otherwise;
	}

}
