/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class OperationsTests {

	private final JsonMapper json = new JsonMapper();

	@Test
	void longListsAreShortened() {
		String locks = "{\"held\":[{\"key\":\"a\"}],\"waiting\":[{\"key\":\"b\"},{\"key\":\"c\"},{\"key\":\"d\"},{\"key\":\"e\"}]}";

		assertThat(Operations.shorten(this.json.readTree(locks)))
			.hasToString("{\"held\":[{\"key\":\"a\"}],\"waiting\":[{\"key\":\"b\"},{\"key\":\"c\"},\"and 2 more\"]}");
	}

	@Test
	void aMeterIsShownWithItsTagsAndValues() {
		String meter = """
				{"name": "dynamodb.lock.acquire",
				 "measurements": [{"statistic": "COUNT", "value": 100.0}, {"statistic": "MAX", "value": 7.96068}],
				 "availableTags": [{"tag": "dynamodb.lock.outcome", "values": ["acquired", "busy"]}]}
				""";

		assertThat(Operations.describe(this.json.readTree(meter)))
			.isEqualTo("dynamodb.lock.acquire[dynamodb.lock.outcome=acquired|busy]  COUNT 100  MAX 7.961");
	}

}
