/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;

import io.github.dynamodblock.samples.demo.CommandLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		assertThat(read("--clients", "40", "--separate-tables", "--locks", "2", "--seconds", "8"))
			.isEqualTo(new Options(40, 2, Duration.ofSeconds(8), true));
	}

	@Test
	void fiftyClientsContendForTwentySecondsUnlessAnOptionChangesThat() {
		assertThat(read()).isEqualTo(new Options(50, 12, Duration.ofSeconds(20), false));
	}

	@Test
	void allThatClientsDoIsExpectedOfARunOfTenSecondsAndMore() {
		assertThat(read().isLong()).isTrue();
		assertThat(read("--seconds", "10").isLong()).isTrue();
		assertThat(read("--seconds", "9").isLong()).isFalse();
	}

	@Test
	void oneClientIsRefusedSinceNothingContendsWithIt() {
		assertRefused("--clients is 1; it must be from 2 to 500", "--clients", "1");
	}

	@Test
	void timeInWhichNoLeaseEndsIsRefused() {
		assertRefused("--seconds is 2; it must be from 3 to 300", "--seconds", "2");
	}

	@Test
	void timeInWhichMoreHappensThanFitsIntoMemoryIsRefused() {
		assertThat(read("--seconds", "300").time()).isEqualTo(Duration.ofMinutes(5));
		assertRefused("--seconds is 301; it must be from 3 to 300", "--seconds", "301");
	}

	@Test
	void noLockIsRefused() {
		assertRefused("--locks is 0; it must be from 1 to 1000", "--locks", "0");
	}

	private static void assertRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> read(args)).withMessageContaining(message);
	}

	private static Options read(String... args) {
		CommandLine commandLine = new CommandLine(args);
		Options options = Options.read(commandLine);
		commandLine.requireAllRead();
		return options;
	}

}
