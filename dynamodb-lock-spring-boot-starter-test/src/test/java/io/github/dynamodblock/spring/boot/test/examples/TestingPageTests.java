/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Each example of docs/testing.md is part of a test that runs. */
class TestingPageTests {

	private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\R(.*?)^```$");

	/** Here, slices of the sample, and containers of the starter. */
	private static final List<Path> TESTS = List.of(
			Path.of("src/test/java/io/github/dynamodblock/spring/boot/test/examples"),
			Path.of("../samples/orders-api/src/test/java/io/github/dynamodblock/samples/ordersapi"),
			Path.of("../dynamodb-lock-spring-boot-starter/src/test/java/io/github/dynamodblock/spring/boot/testing"));

	static List<String> examples() throws IOException {
		return EXAMPLE.matcher(Files.readString(Path.of("../docs/testing.md")))
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	@ParameterizedTest
	@MethodSource("examples")
	void anExampleIsPartOfATestThatRuns(String example) throws IOException {
		assertThat(sources()).as(example).anyMatch((source) -> source.contains(unformatted(example)));
	}

	private static List<String> sources() throws IOException {
		try (Stream<Path> folders = TESTS.stream(); Stream<Path> files = folders.flatMap(TestingPageTests::files)) {
			return files.map(TestingPageTests::read).map(TestingPageTests::unformatted).toList();
		}
	}

	private static Stream<Path> files(Path folder) {
		try {
			return Files.list(folder).filter((file) -> file.toString().endsWith(".java"));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Without white space, and without this., which the project's own style asks for. */
	private static String unformatted(String source) {
		return source.replace("this.", "")
			.chars()
			.filter((each) -> !Character.isWhitespace(each))
			.mapToObj(Character::toString)
			.collect(Collectors.joining());
	}

}
