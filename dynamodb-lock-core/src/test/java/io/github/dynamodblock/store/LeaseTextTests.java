/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseTextTests {

	@Test
	void isWrittenInWholeMilliseconds() {
		assertThat(LeaseText.write(Duration.ofSeconds(20))).isEqualTo("20000");
	}

	@ParameterizedTest
	@CsvSource({ "20000, PT20S", "1, PT0.001S", "007, PT0.007S", "9223372036854775807, PT2562047788015H12M55.807S",
			"20s, PT20S", "1m30s, PT1M30S", "1h0m0.5s, PT1H0.5S", "1.5s, PT1.5S", "250ms, PT0.25S", "3us, PT0.000003S",
			"3µs, PT0.000003S", "9ns, PT0.000000009S", "0.1ns, PT0.000000001S" })
	void isReadInMillisecondsAndInGosUnits(String text, Duration lease) {
		assertThat(LeaseText.read(text)).isEqualTo(lease);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "abc", "-5", "+5", "5.5", "20 s", "20s ", "s", "20x", "20s5", "5s20", "1e3", "٣",
			"9223372036854775808", "99999999999999999999", "999999999999h" })
	void anythingElseIsNoLease(String text) {
		assertThat(LeaseText.read(text)).isNull();
	}

}
