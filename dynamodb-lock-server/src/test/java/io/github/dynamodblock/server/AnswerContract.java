/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.networknt.schema.Schema;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.api.ApiDocument;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the OpenAPI document says of answers. Thread-safe.
 */
final class AnswerContract {

	private static final String JSON_SCHEMA = "/content/application~1json/schema";

	private static final String ERROR = "/components/schemas/Error";

	private static final String PROBLEM = "/components/schemas/Problem";

	private static final AnswerContract INSTANCE = new AnswerContract();

	private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

	private final ApiDocument document;

	private final JsonNode content;

	private AnswerContract() {
		try {
			this.document = new ApiDocument();
			this.content = this.document.content();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Requires that an answer is one of those that the document has for the call. What is
	 * no call of the document must be answered by an error.
	 */
	static void require(String method, String path, Answer answer) {
		if (path.startsWith("/v1/")) {
			INSTANCE.check(method, path.replaceFirst("\\?.*", ""), answer);
		}
	}

	private void check(String method, String path, Answer answer) {
		String pointer = operation(method, path);
		if (this.content.at(pointer).isMissingNode()) {
			assertThat(answer.status()).as("%s %s, which is not documented", method, path).isGreaterThanOrEqualTo(400);
			conforms(answer, ERROR);
			return;
		}
		pointer += "/responses/" + answer.status();
		assertThat(this.content.at(pointer).isMissingNode())
			.as("%s is not documented; the answer is %s", pointer, answer)
			.isFalse();
		pointer = followed(pointer);
		for (Map.Entry<String, JsonNode> header : this.content.at(pointer).path("headers").properties()) {
			String place = followed(pointer + "/headers/" + header.getKey());
			if (this.content.at(place).path("required").asBoolean(false)) {
				assertThat(answer.header(header.getKey())).as("the header %s", header.getKey()).isNotNull();
			}
		}
		if (!this.content.at(pointer + JSON_SCHEMA).isMissingNode()) {
			conforms(answer, pointer + JSON_SCHEMA);
		}
	}

	private String operation(String method, String path) {
		for (String template : this.content.path("paths").propertyNames()) {
			if (path.matches(template.replaceAll("\\{\\w+}", "[^/]+"))) {
				return "/paths/" + template.replace("/", "~1") + "/" + method.toLowerCase(Locale.ROOT);
			}
		}
		return "/none";
	}

	private String followed(String pointer) {
		JsonNode reference = this.content.at(pointer).path("$ref");
		return reference.isMissingNode() ? pointer : reference.asString().substring(1);
	}

	private void conforms(Answer answer, String pointer) {
		boolean isProblem = "application/problem+json".equals(answer.header("Content-Type"));
		Schema schema = this.schemas.computeIfAbsent(isProblem ? PROBLEM : pointer, this.document::schema);
		assertThat(answer.header("Content-Type"))
			.isEqualTo(isProblem ? "application/problem+json" : "application/json");
		assertThat(ApiDocument.violations(answer.body(), schema)).as("What %s finds wrong with %s", pointer, answer)
			.isEmpty();
	}

}
