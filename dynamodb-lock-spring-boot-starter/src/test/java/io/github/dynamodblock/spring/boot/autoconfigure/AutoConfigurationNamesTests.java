/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.test.InMemoryLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Auto-configurations that are named by strings exist. */
class AutoConfigurationNamesTests {

	@Test
	void testsWithInMemoryLocksImportAutoConfigurationsThatExist() {
		List<String> names = ImportCandidates.load(InMemoryLocks.class, null).getCandidates();
		assertThat(names).hasSizeGreaterThan(2)
			.allSatisfy((name) -> assertThat(exists(name.replace("optional:", ""))).as(name).isTrue());
	}

	@ParameterizedTest
	@MethodSource("autoConfigurations")
	void anAutoConfigurationComesBeforeAndAfterOnesThatExist(Class<?> configuration) {
		AutoConfiguration annotation = configuration.getAnnotation(AutoConfiguration.class);
		assertThat(annotation).isNotNull();
		assertThat(Stream.of(annotation.beforeName(), annotation.afterName()).flatMap(Arrays::stream))
			.allSatisfy((name) -> assertThat(exists(name)).as(name).isTrue());
	}

	/** The starter's and those of dynamodb-lock-test. */
	private static List<Class<?>> autoConfigurations() {
		return Stream.of(AutoConfiguration.class, InMemoryLocks.class)
			.flatMap((annotation) -> ImportCandidates.load(annotation, null).getCandidates().stream())
			.filter((name) -> name.startsWith("io.github.dynamodblock."))
			.<Class<?>>map((name) -> ClassUtils.resolveClassName(name, null))
			.toList();
	}

	private static boolean exists(String name) {
		return ClassUtils.isPresent(name, null);
	}

}
