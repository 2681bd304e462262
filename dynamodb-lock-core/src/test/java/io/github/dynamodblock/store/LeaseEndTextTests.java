/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseEndTextTests {

	private static final Instant END = Instant.ofEpochMilli(1_700_000_000_123L);

	@Test
	void theEndIsWrittenWithItsVersionInEpochMilliseconds() {
		assertThat(LeaseEndText.write("v1", END)).isEqualTo("v1|1700000000123");
	}

	@Test
	void whatIsWrittenIsRead() {
		for (String version : new String[] { "v1", "", "a|b", "5f2b8e0a-0c3e-4a53-9b73-d6a2c8d3d0c9" }) {
			AttributeValue value = AttributeValue.fromS(LeaseEndText.write(version, END));
			assertThat(LeaseEndText.read(version, value)).isEqualTo(END);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "v2|1700000000123", "v1", "v1|", "v1|-1", "v1|1.5", "v1|x", "v1|1700000000123 ",
			"v1|1234567890123456", "v11|1700000000123", "|1700000000123" })
	void anythingElseSaysNothing(String text) {
		assertThat(LeaseEndText.read("v1", AttributeValue.fromS(text))).isNull();
	}

	@Test
	void aMissingAttributeOrOneOfAnotherTypeSaysNothing() {
		assertThat(LeaseEndText.read("v1", null)).isNull();
		assertThat(LeaseEndText.read("v1", AttributeValue.fromN("1700000000123"))).isNull();
	}

}
