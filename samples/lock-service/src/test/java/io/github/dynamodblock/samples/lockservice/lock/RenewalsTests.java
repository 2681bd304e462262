/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

import java.util.stream.IntStream;

import io.github.dynamodblock.samples.lockservice.lock.Renewals.Renewal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
		Renewal renewal = new Renewal(Fingerprint.of(key), 86_400);

		assertThat(Renewal.parse(renewal.toString())).isEqualTo(renewal);
	}

	@Test
	void aFingerprintIsShortAndTellsKeysApart() {
		assertThat(Fingerprint.of("one")).matches("[A-Za-z0-9_-]{22}").isEqualTo(Fingerprint.of("one"));
		assertThat(Fingerprint.of("one")).isNotEqualTo(Fingerprint.of("two"));
	}

	@Test
	void aHolderDoesNotTellItsInstanceWhereItIsPrinted() {
		Holder holder = new Holder("billing", "secret-instance");

		assertThat(holder.toString()).doesNotContain("secret-instance")
			.isEqualTo("Holder[owner=billing, instance=" + Fingerprint.of("secret-instance") + "]");
	}

}
