/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

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
		try (URLClassLoader loader = classesWithout("reactor-core", "context-propagation", "kotlin")) {
			assertThat(call(loader, "lock", dynamoDb)).isEqualTo("value, future");
		}
	}

	@Test
	void aSuspendFunctionWithoutItsWayThroughReactorIsRefused(EmbeddedDynamoDb dynamoDb) throws Exception {
		try (URLClassLoader loader = classesWithout(REACTIVE.toArray(String[]::new))) {
			assertThat(call(loader, "suspend", dynamoDb)).asString()
				.contains("Orders.patiently(", "kotlinx-coroutines-reactor");
		}
	}

	@Test
	void withoutSpringIntegrationItsPartAloneIsMissing(EmbeddedDynamoDb dynamoDb) throws Exception {
		assertThat(PlainApplication.integration(dynamoDb.endpoint())).containsExactly("dynamoDbLockRegistry",
				"errorChannel");
		try (URLClassLoader without = classesWithout("spring-integration", "spring-boot-integration",
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

	/** The class path of the tests, but for libraries whose files begin like this. */
	private static URLClassLoader classesWithout(String... libraries) {
		URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter((path) -> Arrays.stream(libraries).noneMatch(path.getFileName().toString()::startsWith))
			.map(OptionalLibrariesTests::url)
			.toArray(URL[]::new);
		return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
	}

	private static URL url(Path path) {
		try {
			return path.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
