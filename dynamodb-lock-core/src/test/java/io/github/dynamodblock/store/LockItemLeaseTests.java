/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How an item has a lease and its end.
 */
class LockItemLeaseTests {

	private static final Instant END = Instant.ofEpochMilli(1_700_000_000_123L);

	@Test
	void aLeaseIsWrittenInWholeMilliseconds() {
		assertThat(LockItem.writeLease(Duration.ofSeconds(20))).isEqualTo("20000");
	}

	@ParameterizedTest
	@CsvSource({ "20000, PT20S", "1, PT0.001S", "007, PT0.007S", "9223372036854775807, PT2562047788015H12M55.807S",
			"20s, PT20S", "1m30s, PT1M30S", "1h0m0.5s, PT1H0.5S", "1.5s, PT1.5S", "250ms, PT0.25S", "3us, PT0.000003S",
			"3µs, PT0.000003S", "9ns, PT0.000000009S", "0.1ns, PT0.000000001S" })
	void aLeaseIsReadInMillisecondsAndInTheUnitsOfGo(String text, Duration lease) {
		assertThat(LockItem.readLease(text)).isEqualTo(lease);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "abc", "-5", "+5", "5.5", "20 s", "20s ", "s", "20x", "20s5", "5s20", "1e3", "٣",
			"9223372036854775808", "99999999999999999999", "999999999999h" })
	void anyOtherTextIsNotALease(String text) {
		assertThat(LockItem.readLease(text)).isNull();
	}

	@Test
	void theEndOfALeaseIsWrittenWithItsVersionInEpochMilliseconds() {
		assertThat(LockItem.writeEnd("v1", END)).isEqualTo("v1|1700000000123");
	}

	@Test
	void theEndIsReadAsItWasWritten() {
		for (String version : new String[] { "v1", "", "a|b", "5f2b8e0a-0c3e-4a53-9b73-d6a2c8d3d0c9" }) {
			AttributeValue value = AttributeValue.fromS(LockItem.writeEnd(version, END));
			assertThat(LockItem.readEnd(version, value)).isEqualTo(END);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "v2|1700000000123", "v1", "v1|", "v1|-1", "v1|1.5", "v1|x", "v1|1700000000123 ",
			"v1|1234567890123456", "v11|1700000000123", "|1700000000123" })
	void anyOtherTextIsNotAnEnd(String text) {
		assertThat(LockItem.readEnd("v1", AttributeValue.fromS(text))).isNull();
	}

	@Test
	void aMissingAttributeOrOneOfAnotherTypeHasNoEnd() {
		assertThat(LockItem.readEnd("v1", null)).isNull();
		assertThat(LockItem.readEnd("v1", AttributeValue.fromN("1700000000123"))).isNull();
	}

}
