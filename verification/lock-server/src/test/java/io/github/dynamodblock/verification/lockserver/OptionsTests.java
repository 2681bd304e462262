/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.env.SimpleCommandLinePropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		assertThat(read("--clients=40", "--separate-tables", "--locks=2", "--seconds=8"))
			.isEqualTo(new Options(40, 2, Duration.ofSeconds(8), true));
	}

	@Test
	void fiftyClientsContendForTwentySecondsUnlessAnOptionChangesThat() {
		assertThat(read()).isEqualTo(new Options(50, 12, Duration.ofSeconds(20), false));
	}

	@Test
	void allThatClientsDoIsExpectedOfARunOfTenSecondsAndMore() {
		assertThat(read().isLong()).isTrue();
		assertThat(read("--seconds=10").isLong()).isTrue();
		assertThat(read("--seconds=9").isLong()).isFalse();
	}

	private static Options read(String... args) {
		MutablePropertySources commandLine = new MutablePropertySources();
		commandLine.addFirst(new SimpleCommandLinePropertySource(args));
		return Options.read(new PropertySourcesPropertyResolver(commandLine));
	}

}
