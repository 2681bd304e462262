/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConsentTests {

	@Test
	void yesIsConsent() {
		assertThatCode(() -> await("yes\n")).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "no\n", "y\n", "yes, but\n" })
	void anythingElseIsNot(String input) {
		assertThatExceptionOfType(DemoFailedException.class).isThrownBy(() -> await(input))
			.withMessage("Nothing was done");
	}

	private static void await(String input) throws InterruptedException, DemoFailedException {
		Consent.await(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), "Nothing was done");
	}

}
