/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.util.List;

import io.github.dynamodblock.spring.support.ClassPathWithout;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Order(1)
@ExtendWith(DynamoDbExtension.class)
class OptionalLibrariesTests {

	private static final List<String> REACTIVE = List.of("reactor-core", "context-propagation",
			"kotlinx-coroutines-reactor", "kotlinx-coroutines-reactive");

	@Test
	void valuesAndFuturesAreLockedWithoutReactorAndKotlin(EmbeddedDynamoDb dynamoDb) throws Exception {
		try (ClassPathWithout loader = new ClassPathWithout("reactor-core", "context-propagation", "kotlin")) {
			assertThat(call(loader, "lock", dynamoDb)).isEqualTo("value, future");
		}
	}

	@Test
	void aSuspendFunctionWithoutItsWayThroughReactorIsRefused(EmbeddedDynamoDb dynamoDb) throws Exception {
		try (ClassPathWithout loader = new ClassPathWithout(REACTIVE.toArray(String[]::new))) {
			assertThat(call(loader, "suspend", dynamoDb)).asString()
				.contains("Orders.patiently(", "kotlinx-coroutines-reactor");
		}
	}

	@Test
	void withoutSpringIntegrationItsPartAloneIsMissing(EmbeddedDynamoDb dynamoDb) throws Exception {
		assertThat(PlainApplication.integration(dynamoDb.endpoint())).containsExactly("dynamoDbLockRegistry",
				"errorChannel");
		try (ClassPathWithout without = new ClassPathWithout("spring-integration", "spring-boot-integration",
				"spring-boot-starter-integration", "spring-messaging")) {
			assertThat(call(without, "integration", dynamoDb)).isEqualTo(List.of());
		}
	}

	private static Object call(ClassLoader loader, String method, EmbeddedDynamoDb dynamoDb) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			Class<?> program = loader.loadClass(PlainApplication.class.getName());
			assertThat(program).isNotSameAs(PlainApplication.class);
			return program.getMethod(method, URI.class).invoke(null, dynamoDb.endpoint());
		}
		catch (InvocationTargetException ex) {
			throw new AssertionError(ex.getTargetException());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

}
