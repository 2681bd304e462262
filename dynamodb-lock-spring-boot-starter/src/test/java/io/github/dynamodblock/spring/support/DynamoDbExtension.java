/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One embedded DynamoDB for all tests, stopped after the last one. Tests keep apart by
 * the names of their tables.
 */
public final class DynamoDbExtension implements ParameterResolver {

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == EmbeddedDynamoDb.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getRoot()
			.getStore(ExtensionContext.Namespace.create(DynamoDbExtension.class))
			.computeIfAbsent(Shared.class, (key) -> new Shared(EmbeddedDynamoDb.start()), Shared.class)
			.dynamoDb();
	}

	private record Shared(EmbeddedDynamoDb dynamoDb) implements AutoCloseable {

		@Override
		public void close() {
			this.dynamoDb.close();
		}

	}

}
