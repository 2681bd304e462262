/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class CostTests {

	@Test
	void unitsCostWhatThePriceSays() {
		assertThat(new Cost(1_000_000, 0).usd()).isCloseTo(0.625, within(0.001));
		assertThat(new Cost(0, 1_000_000).usd()).isCloseTo(0.125, within(0.001));
		assertThat(Cost.PRICE).contains("0.625 USD", "0.125 USD", "2024-11-01");
	}

	@Test
	void runCostsFarLessThanADollarAtMost() {
		assertThat(Meter.LIMIT.usdAtMost()).isLessThan(0.2);
		assertThat(Meter.LIMIT.usdAtMost()).isEqualTo(2 * Meter.LIMIT.usd());
	}

	@Test
	void amountsAreRoundedUp() {
		assertThat(Cost.text(0.00201)).isEqualTo("0.0021 USD");
		assertThat(Cost.text(0.091)).isEqualTo("0.10 USD");
		assertThat(Cost.text(1.5)).isEqualTo("1.50 USD");
	}

}
