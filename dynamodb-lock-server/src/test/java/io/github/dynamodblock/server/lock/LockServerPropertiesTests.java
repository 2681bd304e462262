/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;

import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockServerPropertiesTests {

	private static final Duration DAY = Duration.ofDays(1);

	private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);

	private static LockServerProperties properties(Duration maxLease, Duration bodyTimeout,
			@Nullable String fingerprintKey) {
		return new LockServerProperties(maxLease, bodyTimeout, Duration.ofSeconds(10), fingerprintKey);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.999S", "PT1M0.001S" })
	void aRequestTimeoutOutsideItsLimitsIsRefusedByName(Duration timeout) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LockServerProperties(DAY, FIVE_SECONDS, timeout, null))
			.withMessage("lock-server.request-timeout is " + LogText.of(timeout)
					+ "; it must be from 1 second to 1 minute, such as 10s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.099S", "PT1M0.001S" })
	void aBodyTimeoutOutsideOfItsLimitsIsRefusedByName(Duration timeout) {
		assertThatIllegalArgumentException().isThrownBy(() -> properties(DAY, timeout, null))
			.withMessage("lock-server.body-timeout is " + LogText.of(timeout)
					+ "; it must be from 100 milliseconds to 1 minute, such as 5s");
	}

	@Test
	void aShortFingerprintKeyIsRefusedWithoutBeingPrinted() {
		assertThatIllegalArgumentException().isThrownBy(() -> properties(DAY, FIVE_SECONDS, "too-short"))
			.withMessage("lock-server.fingerprint-key has 9 characters; it must have at least 16 random characters");
		assertThat(properties(DAY, FIVE_SECONDS, "0123456789abcdef")).asString().doesNotContain("0123456789abcdef");
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT100S", "P1D", "P363D" })
	void theLongestLeaseIsFromASecondTo363Days(Duration maxLease) {
		assertThat(properties(maxLease, FIVE_SECONDS, null).maxLease()).isEqualTo(maxLease);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.999S", "PT1.5S", "P363DT1S", "P365D" })
	void otherwiseTheMessageSaysWhatIsExpected(Duration maxLease) {
		assertThatIllegalArgumentException().isThrownBy(() -> properties(maxLease, FIVE_SECONDS, null))
			.withMessage("lock-server.max-lease is " + LogText.of(maxLease)
					+ "; it must be from 1 second to 363 days, in whole seconds, such as 1d");
	}

}
