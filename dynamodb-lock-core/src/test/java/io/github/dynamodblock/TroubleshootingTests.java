/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The messages that docs/troubleshooting.md explains are messages of the code.
 */
class TroubleshootingTests {

	private static final Path ROOT = Path.of("..");

	/** A table whose first column quotes messages. */
	private static final Pattern TABLE = Pattern
		.compile("(?m)^\\| (?:[^|]*(?:message|text|line)[^|]*) \\|.*\\n\\|[- |]+\\n((?:\\|.*\\n)+)");

	private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

	private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"|\\\\\\n\\s*");

	@Test
	void everyQuotedMessageIsOneOfTheCode() throws IOException {
		String code = code("dynamodb-lock-core") + code("dynamodb-lock-spring-boot-starter");
		List<String> pieces = TABLE.matcher(Files.readString(ROOT.resolve("docs/troubleshooting.md")))
			.results()
			.flatMap((table) -> table.group(1).lines())
			.map((row) -> row.split("\\|", -1)[1])
			.flatMap((cell) -> QUOTED.matcher(cell).results().map((quoted) -> quoted.group(1)))
			.flatMap((quoted) -> Stream.of(quoted.split("\\.\\.\\.|'", -1)))
			.map(String::strip)
			.filter((piece) -> piece.contains(" "))
			.toList();
		assertThat(pieces).hasSizeGreaterThan(20);
		assertThat(pieces.stream().filter((piece) -> !code.contains(piece))).isEmpty();
	}

	private static String code(String module) throws IOException {
		try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.map(TroubleshootingTests::read)
				.collect(Collectors.joining());
		}
	}

	private static String read(Path file) {
		try {
			return CONCATENATION.matcher(Files.readString(file)).replaceAll("");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
