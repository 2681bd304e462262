/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.report;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QuantilesTests {

	@Test
	void quantileIsTheLeastValueThatTheShareDoesNotExceed() {
		Quantiles quantiles = new Quantiles(IntStream.rangeClosed(1, 200).mapToObj((value) -> (double) value).toList());
		assertThat(quantiles.at(0.5)).isEqualTo(100);
		assertThat(quantiles.at(0.99)).isEqualTo(198);
		assertThat(quantiles.at(1)).isEqualTo(200);
	}

	@Test
	void nothingMeasuredHasNoFigures() {
		assertThat(new Quantiles(List.of()).row("takeover", "s")).isEqualTo("| takeover | 0 | | | |");
	}

}
