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
import java.util.stream.Stream;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps the samples small and free of what readers cannot copy, and the pages equal to
 * them.
 */
class SampleTests {

	private static final Path ROOT = RepositoryFiles.root();

	private static final int MOST_LINES = 120;

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

	private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

	/** A link to a file of a sample at the end of a paragraph, and the code after it. */
	private static final Pattern QUOTE = Pattern.compile(
			"\\]\\(([^)]*samples/[^)#]+\\.(?:java|kt|yml|xml|sql))\\)[^\n]*:\n+```\\w+\n(.*?)\n```", Pattern.DOTALL);

	static Stream<Path> sources() throws IOException {
		return Stream.of(".java", ".kt").flatMap((suffix) -> find("samples", suffix).stream());
	}

	static Stream<Path> pages() {
		return find("", ".md").stream().filter((page) -> QUOTE.matcher(read(page)).find());
	}

	@ParameterizedTest
	@MethodSource("sources")
	void aFileFitsOnAFewScreens(Path source) {
		assertThat(COMMENT.matcher(read(source))
			.replaceAll("")
			.lines()
			.filter((line) -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package ")))
			.as("lines of code of %s", source)
			.hasSizeBetween(1, MOST_LINES);
	}

	@ParameterizedTest
	@MethodSource("sources")
	void aSampleUsesNothingThatVerifiesThisProject(Path source) {
		assertThat(read(source)).doesNotContain("io.github.dynamodblock.verification",
				"io.github.dynamodblock.testing");
	}

	@Test
	void everySampleIsBuiltAndIsInTheIndex() {
		List<String> built = find("samples", "pom.xml").stream()
			.map(Path::getParent)
			.filter((folder) -> folder.getNameCount() == 2)
			.map((folder) -> folder.getFileName().toString())
			.toList();
		assertThat(MODULE.matcher(read(Path.of("samples", "pom.xml"))).results().map((module) -> module.group(1)))
			.containsExactlyInAnyOrderElementsOf(built);
		String index = read(Path.of("samples", "README.md"));
		assertThat(built).isNotEmpty()
			.allSatisfy((sample) -> assertThat(index).contains("](" + sample + "/README.md)"));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void codeAfterALinkToASampleIsPartOfIt(Path page) {
		assertThat(QUOTE.matcher(read(page)).results()).allSatisfy((quote) -> {
			Path file = page.resolveSibling(quote.group(1)).normalize();
			assertThat(unformatted(read(file))).as("%s, which %s quotes", file, page)
				.contains(unformatted(quote.group(2)));
		});
	}

	private static List<Path> find(String folder, String suffix) {
		try {
			return RepositoryFiles.find(folder, suffix);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(ROOT.resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String unformatted(String code) {
		return code.replaceAll("\\s+", "");
	}

}
