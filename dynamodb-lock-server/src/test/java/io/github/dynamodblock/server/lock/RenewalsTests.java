/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.lock.Renewals.Renewal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RenewalsTests {

	@Test
	void aRenewalIsKnownByItsKeyWithWhatItAskedFor() {
		Renewals renewals = Renewals.NONE.and(new Renewal("one", 10)).and(new Renewal("two", 20));

		assertThat(renewals.secondsOf("one")).hasValue(10);
		assertThat(renewals.secondsOf("two")).hasValue(20);
		assertThat(renewals.secondsOf("three")).isEmpty();
		assertThat(Renewals.NONE.secondsOf("one")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 8, 9, 30 })
	void theLastEightAreKept(int count) {
		Renewals renewals = Renewals.NONE;
		for (int number = 0; number < count; number++) {
			renewals = renewals.and(new Renewal("key-" + number, number));
		}

		int oldest = Math.max(0, count - 8);
		assertThat(renewals.latest()).containsExactlyElementsOf(
				IntStream.range(oldest, count).mapToObj((number) -> new Renewal("key-" + number, number)).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "k", "same-key", "!~", "a:b" })
	void aRenewalIsStoredAndReadAgain(String key) {
		Renewal renewal = new Renewal(fingerprints(null).of(key), 86_400);

		assertThat(Renewal.parse(renewal.toString())).contains(renewal);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "no-separator", "key:1.5", ":1", "key:", "key:99999999999999999999" })
	void whatAnotherProgramStoredAsARenewalIsNone(@Nullable String stored) {
		assertThat(Renewal.parse(stored)).isEmpty();
	}

	@Test
	void aFingerprintIsShortAndTellsKeysApart() {
		Fingerprints fingerprints = fingerprints(null);

		assertThat(fingerprints.of("one")).matches("[A-Za-z0-9_-]{22}").isEqualTo(fingerprints.of("one"));
		assertThat(fingerprints.of("one")).isNotEqualTo(fingerprints.of("two"));
	}

	@Test
	void aFingerprintWithAKeyIsTheSameForThatKeyAndCannotBeMadeWithoutIt() {
		String keyed = fingerprints("0123456789abcdef").of("worker-1");

		assertThat(keyed).matches("[A-Za-z0-9_-]{22}").isEqualTo(fingerprints("0123456789abcdef").of("worker-1"));
		assertThat(keyed).isNotEqualTo(fingerprints(null).of("worker-1"))
			.isNotEqualTo(fingerprints("fedcba9876543210").of("worker-1"));
	}

	private static Fingerprints fingerprints(@Nullable String key) {
		return new Fingerprints(new LockServerProperties(Duration.ofDays(1), Duration.ofSeconds(5), key));
	}

}
