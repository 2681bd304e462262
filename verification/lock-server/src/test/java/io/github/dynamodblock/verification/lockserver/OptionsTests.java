/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		Options options = Options.parse("--clients", "40", "--separate-tables", "--logs", "here", "--locks", "2",
				"--seconds", "8");

		assertThat(options).isEqualTo(new Options(40, 2, Duration.ofSeconds(8), true, Path.of("here")));
	}

	@Test
	void fiftyClientsContendForTwentySecondsUnlessSaidOtherwise() {
		Options options = Options.parse();

		assertThat(options.clients()).isEqualTo(50);
		assertThat(options.time()).isEqualTo(Duration.ofSeconds(20));
		assertThat(options.separateTables()).isFalse();
	}

	@Test
	void allThatClientsDoIsExpectedOfATrialOfTenSecondsAndMore() {
		assertThat(Options.parse().isLong()).isTrue();
		assertThat(Options.parse("--seconds", "10").isLong()).isTrue();
		assertThat(Options.parse("--seconds", "9").isLong()).isFalse();
	}

	@Test
	void unknownOptionIsRefused() {
		assertRefused("Unknown option --client", "--client", "4");
	}

	@Test
	void optionWithoutValueIsRefused() {
		assertRefused("--locks needs a value", "--locks");
	}

	@Test
	void valueThatIsNoNumberIsRefused() {
		assertRefused("--clients is \"many\"; it must be a whole number", "--clients", "many");
	}

	@Test
	void oneClientIsRefusedSinceItHasNobodyToContendWith() {
		assertRefused("--clients is 1; it must be from 2 to 500", "--clients", "1");
	}

	@Test
	void timeInWhichNoLeaseEndsIsRefused() {
		assertRefused("--seconds is 2; it must be from 3 to 300", "--seconds", "2");
	}

	@Test
	void timeInWhichMoreHappensThanFitsIntoMemoryIsRefused() {
		assertThat(Options.parse("--seconds", "300").time()).isEqualTo(Duration.ofMinutes(5));
		assertRefused("--seconds is 301; it must be from 3 to 300", "--seconds", "301");
	}

	@Test
	void noLockIsRefused() {
		assertRefused("--locks is 0; it must be from 1 to 1000", "--locks", "0");
	}

	private static void assertRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(args)).withMessageContaining(message);
	}

}
