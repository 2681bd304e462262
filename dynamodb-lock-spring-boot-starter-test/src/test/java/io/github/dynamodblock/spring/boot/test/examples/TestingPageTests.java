/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
		List<String> sources = new ArrayList<>();
		for (Path folder : TESTS) {
			try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.java")) {
				for (Path file : files) {
					sources.add(unformatted(Files.readString(file)));
				}
			}
		}
		return sources;
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
