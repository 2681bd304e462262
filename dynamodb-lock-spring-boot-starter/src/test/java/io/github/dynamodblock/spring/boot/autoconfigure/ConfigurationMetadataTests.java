/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.boot.configurationmetadata.ConfigurationMetadataProperty;
import org.springframework.boot.configurationmetadata.ConfigurationMetadataRepositoryJsonBuilder;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	@Test
	void everyPropertyHasADescription() throws IOException {
		assertThat(properties().values()).isNotEmpty()
			.allSatisfy((
					property) -> assertThat(property.getDescription()).as(property.getId()).isNotBlank().endsWith("."));
	}

	@Test
	void everyPropertyHasADefaultOrSaysWhatItIs() throws IOException {
		assertThat(properties().values()).allSatisfy((property) -> {
			if (property.getDefaultValue() == null) {
				assertThat(property.getDescription()).as(property.getId()).contains("Default: ");
			}
		});
	}

	@Test
	void theReferencePageSaysWhatTheMetadataSays() throws IOException {
		ReferencePage.of("configuration.md")
			.has("properties", properties().values()
				.stream()
				.sorted(Comparator.comparing(ConfigurationMetadataTests::place))
				.map(ConfigurationMetadataTests::row)
				.collect(Collectors.joining("\n", "| property | default | what it is |\n| --- | --- | --- |\n", "")));
	}

	@Test
	void everyHintIsAboutAProperty() throws IOException {
		assertThat(hints()).isNotEmpty().allSatisfy((name) -> assertThat(properties()).containsKey(name));
	}

	/** The properties of no group come first, then group by group. */
	private static String place(ConfigurationMetadataProperty property) {
		String name = property.getId();
		return name.chars().filter((character) -> character == '.').count() + name;
	}

	private static String row(ConfigurationMetadataProperty property) {
		String description = property.getDescription().replaceAll("\\s+", " ");
		Object value = property.getDefaultValue();
		String standard = (value == null || "".equals(value)) ? "" : "`" + value + "`";
		int said = description.indexOf(" Default: ");
		if (said >= 0) {
			standard = description.substring(said + " Default: ".length(), description.length() - 1);
			description = description.substring(0, said);
		}
		return "| `" + property.getId() + "` | " + standard + " | " + description + " |";
	}

	private static List<String> hints() throws IOException {
		String file = "META-INF/additional-spring-configuration-metadata.json";
		try (InputStream json = Objects
			.requireNonNull(DynamoDbLockProperties.class.getClassLoader().getResourceAsStream(file))) {
			String text = new String(json.readAllBytes(), StandardCharsets.UTF_8);
			return Pattern.compile("\"name\": \"(dynamodb-lock[^\"]+)\"")
				.matcher(text)
				.results()
				.map((result) -> result.group(1))
				.toList();
		}
	}

	/** The starter's, and those of dynamodb-lock-test, which begin in the same way. */
	private static Map<String, ConfigurationMetadataProperty> properties() throws IOException {
		String file = "META-INF/spring-configuration-metadata.json";
		Map<String, ConfigurationMetadataProperty> properties = new HashMap<>();
		String starter = DynamoDbLockProperties.class.getProtectionDomain().getCodeSource().getLocation().getPath();
		for (URL url : Collections.list(DynamoDbLockProperties.class.getClassLoader().getResources(file))) {
			boolean own = url.getPath().contains(starter);
			try (InputStream json = url.openStream()) {
				Objects.requireNonNull(ConfigurationMetadataRepositoryJsonBuilder.create(json).build())
					.getAllProperties()
					.forEach((name, property) -> {
						if (own || name.startsWith(DynamoDbLockProperties.PREFIX)) {
							properties.put(name, property);
						}
					});
			}
		}
		return properties;
	}

}
