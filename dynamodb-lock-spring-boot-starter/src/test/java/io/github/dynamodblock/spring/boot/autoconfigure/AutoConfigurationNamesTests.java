/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Auto-configurations that are named by strings exist. */
class AutoConfigurationNamesTests {

	@ParameterizedTest
	@MethodSource("autoConfigurations")
	void anAutoConfigurationComesBeforeAndAfterOnesThatExist(Class<?> configuration) {
		AutoConfiguration annotation = configuration.getAnnotation(AutoConfiguration.class);
		assertThat(annotation).isNotNull();
		assertThat(Stream.of(annotation.beforeName(), annotation.afterName()).flatMap(Arrays::stream))
			.allSatisfy((name) -> assertThat(exists(name)).as(name).isTrue());
	}

	private static List<Class<?>> autoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.dynamodblock."))
			.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, null))
			.toList();
	}

	private static boolean exists(String name) {
		return ClassUtils.isPresent(name, null);
	}

}
