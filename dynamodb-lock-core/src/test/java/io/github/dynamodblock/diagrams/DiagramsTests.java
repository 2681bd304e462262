/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.diagrams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

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

	@Test
	void everyImageIsDrawnByTheProject() throws IOException {
		try (Stream<Path> files = Files.list(IMAGES)) {
			assertThat(files.map((file) -> file.getFileName().toString())
				.filter((name) -> !name.startsWith("benchmarks-")))
				.containsExactlyInAnyOrderElementsOf(Diagrams.all().keySet());
		}
	}

}
