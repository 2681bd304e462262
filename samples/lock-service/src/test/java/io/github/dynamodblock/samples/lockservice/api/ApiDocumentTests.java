/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.samples.lockservice.LockServiceCalls;
import io.github.dynamodblock.samples.lockservice.LockServiceCalls.Answer;
import io.github.dynamodblock.samples.lockservice.RunningLockService;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockService
class ApiDocumentTests {

	private final ApiDocument document = new ApiDocument();

	@LocalServerPort
	private int port;

	ApiDocumentTests() throws IOException {
	}

	@Test
	void theServiceServesTheDocumentThatItChecksRequestsBy() {
		Answer answer = LockServiceCalls.on(this.port).raw("GET", "/openapi.yaml", null);

		assertThat(answer.status()).isEqualTo(200);
		assertThat(new YAMLMapper().readTree(answer.text())).isEqualTo(this.document.content());
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
