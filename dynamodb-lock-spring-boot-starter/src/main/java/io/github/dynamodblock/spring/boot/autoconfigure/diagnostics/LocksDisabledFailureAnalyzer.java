/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Reports that a bean of this library is injected, although the locks are switched off.
 */
class LocksDisabledFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
		implements Ordered {

	private static final String PROPERTY = "dynamodb-lock.enabled";

	private final Environment environment;

	LocksDisabledFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	/** Before Spring Boot's, which reports any missing bean. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = cause.getBeanType();
		if (type == null || !type.getName().startsWith("io.github.dynamodblock.")
				|| Binder.get(this.environment).bind(PROPERTY, Boolean.class).orElse(true)) {
			return null;
		}
		return new FailureAnalysis(
				((description != null) ? description : "The application") + " required a bean of type '"
						+ type.getName() + "', and there is none, because " + PROPERTY + "=false switches locks off.",
				"Remove " + PROPERTY + "=false; or inject an ObjectProvider<" + type.getSimpleName()
						+ ">, and do without where it is empty. A test that needs no DynamoDB can define an in-memory "
						+ "lock client.",
				cause);
	}

}
