/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@link MovedApplicationIT} runs the beans that the migration guide shows.
 */
class DocumentedApplicationTests {

	private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java shedlock\\R(.*?)^```$");

	@Test
	void theMovedApplicationHasTheBeansOfTheMigrationGuide() throws Exception {
		Matcher example = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "migration-shedlock.md")));
		assertThat(example.find()).isTrue();
		String indented = example.group(1).replaceAll("(?m)^(?=.)", "    ");
		Path source = Path.of("src/test/java/io/github/dynamodblock/shedlock/application/BeansAfter.java");
		assertThat(Files.readString(source).replace("\t", "    ")).contains(indented);
	}

}
