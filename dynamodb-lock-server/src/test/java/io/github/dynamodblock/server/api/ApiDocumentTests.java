/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockServer
class ApiDocumentTests {

	private final ApiDocument document = new ApiDocument();

	@LocalServerPort
	private int port;

	ApiDocumentTests() throws IOException {
	}

	@Test
	void theServiceServesTheDocumentThatItChecksRequestsBy() {
		Answer answer = LockServerCalls.on(this.port).raw("GET", "/openapi.yaml", null);

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("Content-Type")).isEqualTo("application/yaml");
		assertThat(new YAMLMapper().readTree(answer.text())).isEqualTo(this.document.content());
	}

	/** Clients compare the texts. */
	@Test
	@ResourceLock(Resources.LOCALE)
	void violationsAreToldInEnglishWhereverTheServiceRuns() throws IOException {
		Locale before = Locale.getDefault();
		Locale.setDefault(Locale.GERMANY);
		try {
			ApiDocument abroad = new ApiDocument();

			assertThat(ApiDocument.violations(JsonNodeFactory.instance.objectNode().put("leaseDuration", 86401),
					abroad.schema("/components/schemas/AcquireRequest")))
				.containsExactly("$.leaseDuration: must have a maximum value of 86400",
						"$: required property 'instanceId' not found");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void everyReferenceLeadsSomewhere() {
		List<String> references = this.document.content().findValuesAsString("$ref");

		assertThat(references).isNotEmpty()
			.allSatisfy((reference) -> assertThat(this.document.content().at(reference.substring(1)).isMissingNode())
				.as(reference)
				.isFalse());
	}

	@Test
	void everyExampleConformsToItsSchema() {
		List<String> checked = new ArrayList<>();

		checkExamples("", this.document.content(), checked);

		assertThat(checked).hasSizeGreaterThan(20);
	}

	private void checkExamples(String pointer, JsonNode node, List<String> checked) {
		if (node.has("schema") && node.has("examples")) {
			for (Map.Entry<String, JsonNode> example : node.get("examples").properties()) {
				assertThat(ApiDocument.violations(example.getValue().path("value"),
						this.document.schema(pointer + "/schema")))
					.as("%s, the example %s", pointer, example.getKey())
					.isEmpty();
				checked.add(pointer);
			}
		}
		if (node.has("schema") && node.has("example")) {
			assertThat(ApiDocument.violations(node.get("example"), this.document.schema(pointer + "/schema")))
				.as("%s, its example", pointer)
				.isEmpty();
			checked.add(pointer);
		}
		for (Map.Entry<String, JsonNode> child : node.properties()) {
			String name = child.getKey().replace("~", "~0").replace("/", "~1");
			checkExamples(pointer + "/" + name, child.getValue(), checked);
		}
	}

}
