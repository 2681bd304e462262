/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
	void everyPropertyIsInTheReferencePage() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "configuration.md"));
		assertThat(properties().values()).allSatisfy((property) -> {
			List<String> row = page.lines()
				.filter((line) -> line.startsWith("| `" + property.getId() + "` |"))
				.toList();
			assertThat(row).as(property.getId()).hasSize(1);
			if (property.getDefaultValue() != null && !property.getDefaultValue().equals("")) {
				assertThat(row.get(0)).contains("| `" + property.getDefaultValue() + "` |");
			}
		});
	}

	private static Map<String, ConfigurationMetadataProperty> properties() throws IOException {
		String file = "META-INF/spring-configuration-metadata.json";
		try (InputStream json = DynamoDbLockProperties.class.getProtectionDomain()
			.getCodeSource()
			.getLocation()
			.toURI()
			.resolve(file)
			.toURL()
			.openStream()) {
			return Objects.requireNonNull(ConfigurationMetadataRepositoryJsonBuilder.create(json).build())
				.getAllProperties();
		}
		catch (java.net.URISyntaxException ex) {
			throw new IOException(ex);
		}
	}

}
