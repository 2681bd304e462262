/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.dynamodblock.testing.RepositoryFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The images in docs/images are what {@link Diagrams} draws. With
 * {@code -Dreference.write=true} they are drawn again. The benchmarks write those that
 * are named for them.
 */
class DiagramsTests {

	private static final Path IMAGES = Path.of("..", "docs", "images");

	/**
	 * Surfaces, texts, lines, and what stands out, in the light and in the dark theme.
	 */
	private static final Set<String> COLOURS = Set.of("#ffffff", "#f6f8fa", "#ddf4ff", "#dafbe1", "#ffebe9", "#0d1117",
			"#010409", "#151b23", "#0c2d6b", "#033a16", "#5d0f12", "#1f2328", "#59636e", "#f0f6fc", "#9198a1",
			"#818b98", "#d1d9e0", "#3d444d", "#0969da", "#1a7f37", "#d1242f", "#4493f8", "#3fb950", "#f85149");

	/** Further colours of series. */
	private static final Set<String> SERIES = Set.of("#bc4c00", "#8250df", "#9a6700", "#1b9aaa", "#e85aad", "#7a8b00",
			"#f0883e", "#ab7df8", "#d29922", "#39c5cf", "#f778ba", "#c6d94a", "#b1bac4");

	private static final Pattern COLOUR = Pattern.compile("#[0-9a-fA-F]{3,8}\\b");

	private static final Pattern FONT_SIZE = Pattern.compile("font(?:-size)?: (\\d+)px");

	private static final Pattern PICTURE = Pattern
		.compile("!\\[([^\\]]*)]\\((?!https?:)[^)]*\\.(?:svg|png)\\)|<img [^>]*alt=\"([^\"]*)\"");

	/** A caption has fewer words than a description. */
	private static final int WORDS = 20;

	static Stream<Map.Entry<String, Drawing>> diagrams() {
		return Diagrams.all().entrySet().stream();
	}

	@ParameterizedTest
	@MethodSource("diagrams")
	void theImageIsWhatTheProjectDraws(Map.Entry<String, Drawing> diagram) throws IOException {
		Path file = IMAGES.resolve(diagram.getKey());
		String svg = diagram.getValue().svg();
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(file, svg);
		}
		assertThat(file).as("-Dreference.write=true draws it again").hasContent(svg);
	}

	/** All pictures that programs draw. Icons of pages are none. */
	static Stream<Path> pictures() throws IOException {
		return RepositoryFiles.find("", ".svg").stream().filter((file) -> !file.endsWith("icon.svg"));
	}

	static Stream<Path> pages() throws IOException {
		return RepositoryFiles.find("", ".md").stream().filter((page) -> PICTURE.matcher(read(page)).find());
	}

	@ParameterizedTest
	@MethodSource("pictures")
	void everyPictureHasOneStyleInBothThemesAndSaysWhatItShows(Path picture) {
		String svg = read(picture);
		assertThat(svg).contains("role=\"img\"", "<title>", "<desc>", "class=\"card\"",
				"font: 13px system-ui, -apple-system, \"Segoe UI\", sans-serif",
				"@media (prefers-color-scheme: dark) {");
		assertThat(COLOUR.matcher(svg).results().map(MatchResult::group))
			.allMatch((colour) -> COLOURS.contains(colour) || SERIES.contains(colour));
		assertThat(FONT_SIZE.matcher(svg).results().map((size) -> Integer.valueOf(size.group(1))))
			.allMatch((size) -> size >= 12);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyPictureOfAPageIsDescribedInSentences(Path page) {
		assertThat(PICTURE.matcher(read(page))
			.results()
			.map((picture) -> String.valueOf((picture.group(1) != null) ? picture.group(1) : picture.group(2))))
			.isNotEmpty()
			.allSatisfy((description) -> {
				assertThat(description).endsWith(".");
				assertThat(description.split("\\s+")).hasSizeGreaterThanOrEqualTo(WORDS);
			});
	}

	@Test
	void everyPageThatIsFullOfPicturesIsRead() throws IOException {
		assertThat(pages()).contains(Path.of("README.md"), Path.of("docs", "jobs.md"), Path.of("docs", "benchmarks.md"),
				Path.of("verification", "demos", "scheduled-jobs", "README.md"));
	}

	@Test
	void everyImageIsDrawnByTheProject() throws IOException {
		try (Stream<Path> files = Files.list(IMAGES)) {
			assertThat(files.map((file) -> file.getFileName().toString())
				.filter((name) -> !name.startsWith("benchmarks-")))
				.containsExactlyInAnyOrderElementsOf(Diagrams.all().keySet());
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(RepositoryFiles.root().resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
