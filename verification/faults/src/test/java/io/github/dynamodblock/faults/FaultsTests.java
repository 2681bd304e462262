/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.util.Random;

import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.worker.LockKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FaultsTests {

	@Test
	void optionsThatAreWrongAreNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> Faults.duration("faults.duration", "a minute"))
			.withMessage("faults.duration is a minute; expected a duration such as PT1M or PT90S");
		assertThatIllegalArgumentException().isThrownBy(() -> Faults.seed("x"))
			.withMessage("faults.seed is x; expected a whole number");
		assertThatIllegalArgumentException().isThrownBy(() -> Faults.kind("go"))
			.withMessage("faults.client is go; expected ours or aws");
	}

	@Test
	void optionsAreRead() {
		assertThat(Faults.seed("-3")).isEqualTo(-3);
		assertThat(Faults.kind("aws")).isEqualTo(LockKind.AWS);
		assertThat(Faults.duration("faults.none", "PT2M")).hasMinutes(2);
	}

	@Test
	void everyRunHasClocksInsideAndOutsideTheTolerance() {
		Random random = new Random(1);
		assertThat(ClockRates.isWild(ClockRates.next(new Owner(4, 1), random))).isTrue();
		assertThat(ClockRates.next(new Owner(1, 1), random)).isEqualTo(0.99);
		assertThat(ClockRates.isWild(0.99)).isFalse();
		assertThat(ClockRates.isWild(1.01)).isFalse();
		assertThat(ClockRates.isWild(1.2)).isTrue();
	}

}
