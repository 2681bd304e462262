/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockServicePropertiesTests {

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT100S", "P1D", "P363D" })
	void theLongestLeaseIsFromASecondTo363Days(Duration maxLease) {
		assertThat(new LockServiceProperties(maxLease).maxLease()).isEqualTo(maxLease);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.999S", "PT1.5S", "P363DT1S", "P365D" })
	void otherwiseTheMessageSaysWhatIsExpected(Duration maxLease) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LockServiceProperties(maxLease))
			.withMessage("lock-service.max-lease is " + maxLease
					+ "; it must be from 1 second to 363 days, in whole seconds, such as 1d");
	}

}
