/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.lock.KeyedCalls.KeyedCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyedCallsTests {

	@Test
	void aCallIsKnownByItsKeyWithWhatItAskedFor() {
		KeyedCalls calls = KeyedCalls.NONE.and(new KeyedCall("one", "acquire 10"))
			.and(new KeyedCall("two", "renew 20"));

		assertThat(calls.contain(new KeyedCall("one", "acquire 10"))).isTrue();
		assertThat(calls.contain(new KeyedCall("two", "renew 20"))).isTrue();
		assertThat(calls.contain(new KeyedCall("three", "renew 20"))).isFalse();
		assertThat(KeyedCalls.NONE.contain(new KeyedCall("one", "acquire 10"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "acquire 11", "renew 10" })
	void aKeyThatComesWithAnotherCallIsRefused(String other) {
		KeyedCalls calls = KeyedCalls.NONE.and(new KeyedCall("one", "acquire 10"));

		assertThatExceptionOfType(IdempotencyKeyReusedException.class)
			.isThrownBy(() -> calls.contain(new KeyedCall("one", other)))
			.withMessageContaining("'acquire 10'")
			.withMessageContaining("'" + other + "'");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 8, 9, 30 })
	void theLastEightAreKept(int count) {
		KeyedCalls calls = KeyedCalls.NONE;
		for (int number = 0; number < count; number++) {
			calls = calls.and(new KeyedCall("key-" + number, "renew " + number));
		}

		int oldest = Math.max(0, count - 8);
		assertThat(calls.latest()).containsExactlyElementsOf(IntStream.range(oldest, count)
			.mapToObj((number) -> new KeyedCall("key-" + number, "renew " + number))
			.toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "k", "same-key", "!~", "a:b" })
	void aCallIsStoredAndReadAgain(String key) {
		KeyedCall call = new KeyedCall(fingerprints(null).of(key), "renew 86400");

		assertThat(KeyedCall.parse(call.toString())).isEqualTo(call);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no-separator", ":renew 1", "renew 1:" })
	void whatAnotherProgramStoredAsACallIsNoCallOfAHolder(String stored) {
		KeyedCall call = new KeyedCall(fingerprints(null).of("key"), "renew 1");

		assertThat(new KeyedCalls(List.of(KeyedCall.parse(stored))).contain(call)).isFalse();
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
		return new Fingerprints(
				new LockServerProperties(Duration.ofDays(1), Duration.ofSeconds(5), Duration.ofSeconds(10), key));
	}

}
