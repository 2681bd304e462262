/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SamplesTests {

	private final Samples samples = new Samples();

	@Test
	void theMedianHasAsManyValuesBelowAsAbove() {
		add(9, 1, 5);
		assertThat(this.samples.median()).isEqualTo(5);
		add(7);
		assertThat(this.samples.median()).isEqualTo(6);
	}

	@Test
	void leastAndGreatestAreFoundInAnyOrder() {
		add(3, 8, 2, 4);
		assertThat(this.samples.least()).isEqualTo(2);
		assertThat(this.samples.greatest()).isEqualTo(8);
		assertThat(this.samples.size()).isEqualTo(4);
	}

	@Test
	void aQuantileBetweenTwoValuesLiesBetweenThem() {
		add(10, 20);
		assertThat(this.samples.quantile(0.25)).isEqualTo(12.5);
	}

	@Test
	void nothingMeasuredIsNoNumber() {
		assertThatIllegalStateException().isThrownBy(this.samples::median).withMessageContaining("too short");
	}

	private void add(double... values) {
		for (double value : values) {
			this.samples.add(value);
		}
	}

}
