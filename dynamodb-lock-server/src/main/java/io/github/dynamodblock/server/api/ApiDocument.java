/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.NonValidationKeyword;
import com.networknt.schema.path.PathType;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

/**
 * The service's OpenAPI document. The service validates requests against its schemas.
 * Thread-safe.
 */
@Component
public class ApiDocument {

	private static final Resource LOCATION = new ClassPathResource("static/openapi.yaml");

	/** The document's ID in the schema registry. Nothing is loaded from there. */
	private static final String ADDRESS = "urn:lock-server:openapi";

	private final JsonNode document;

	private final SchemaRegistry registry;

	public ApiDocument() throws IOException {
		try (InputStream content = LOCATION.getInputStream()) {
			this.document = new YAMLMapper().readTree(content);
		}
		this.registry = SchemaRegistry.withDialect(dialect(this.document.propertyNames()),
				(builder) -> builder.schemas(Map.of(ADDRESS, this.document.toString()))
					.schemaRegistryConfig(settings()));
	}

	/** Reports errors of a body in English, whatever the machine's locale is. */
	private static SchemaRegistryConfig settings() {
		return SchemaRegistryConfig.builder().pathType(PathType.JSON_PATH).locale(Locale.ENGLISH).build();
	}

	/** Ignores the keywords of the document that do not belong to schemas. */
	private static Dialect dialect(Collection<String> notOfSchemas) {
		Dialect schemas = Dialects.getDraft202012();
		return Dialect.builder(schemas)
			.keywords(notOfSchemas.stream().<Keyword>map(NonValidationKeyword::new).toList())
			.build();
	}

	/**
	 * Returns the document.
	 * @return a copy, which the caller may change
	 */
	public JsonNode content() {
		return this.document.deepCopy();
	}

	/**
	 * Finds a schema.
	 * @param pointer its JSON pointer in the document, such as {@code
	 * /components/schemas/AcquireRequest}
	 * @return the schema
	 * @throws IllegalArgumentException if there is none
	 */
	public Schema schema(String pointer) {
		if (this.document.at(pointer).isMissingNode()) {
			throw new IllegalArgumentException(LOCATION + " has nothing at " + pointer);
		}
		return this.registry.getSchema(SchemaLocation.of(ADDRESS + "#" + pointer));
	}

	/**
	 * Validates a value against a schema.
	 * @param value the value
	 * @param schema the schema
	 * @return the violations, in the order of the schema's keywords; each begins with the
	 * JSON path of the invalid part
	 */
	public static List<String> violations(JsonNode value, Schema schema) {
		return schema.validate(value).stream().map(ApiDocument::violation).toList();
	}

	private static String violation(Error error) {
		return error.getInstanceLocation() + ": " + error.getMessage();
	}

}
