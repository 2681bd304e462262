/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		Options options = Options.parse("--requests", "40", "--without-lock", "--logs", "here", "--orders", "2");

		assertThat(options).isEqualTo(new Options(40, 2, false, Path.of("here")));
	}

	@Test
	void twoHundredRequestsForFiveLockedOrdersAreSentUnlessSaidOtherwise() {
		Options options = Options.parse();

		assertThat(options.requests()).isEqualTo(200);
		assertThat(options.orders()).isEqualTo(5);
		assertThat(options.lock()).isTrue();
	}

	@Test
	void unknownOptionIsRefused() {
		assertRefused("Unknown option --request", "--request", "4");
	}

	@Test
	void optionWithoutValueIsRefused() {
		assertRefused("--orders needs a value", "--orders");
	}

	@Test
	void valueThatIsNoNumberIsRefused() {
		assertRefused("--requests is \"many\"; it must be a whole number", "--requests", "many");
	}

	@Test
	void oneRequestIsRefusedSinceItHasNobodyToContendWith() {
		assertRefused("--requests is 1; it must be from 2 to 1000", "--requests", "1");
	}

	@Test
	void moreRequestsThanTheMachineIsGoodForAreRefused() {
		assertRefused("--requests is 1001; it must be from 2 to 1000", "--requests", "1001");
	}

	@Test
	void moreOrdersThanRequestsAreRefused() {
		assertRefused("--orders is 11; it must be from 1 to the number of requests, which is 10", "--requests", "10",
				"--orders", "11");
	}

	private static void assertRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(args)).withMessageContaining(message);
	}

}
