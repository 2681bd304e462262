/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.LockKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class RegistryKeysTests {

	private final RegistryKeys keys = new RegistryKeys("registry:", null);

	@Test
	void aTextIsTheKeyAfterThePrefix() {
		assertThat(this.keys.key("orders-42")).isEqualTo(new LockKey("registry:orders-42", null));
		assertThat(new RegistryKeys("", null).key("orders-42")).isEqualTo(new LockKey("orders-42", null));
	}

	@Test
	void everyKeyHasTheSortKeyOfTheRegistry() {
		assertThat(new RegistryKeys("registry:", "lock").key("k")).isEqualTo(new LockKey("registry:k", "lock"));
	}

	@ParameterizedTest
	@MethodSource("valuesWhoseTextIsTheSameEverywhere")
	void aValueWhoseTextIsTheSameEverywhereIsAKey(Object value) {
		assertThat(this.keys.key(value).partition()).isEqualTo("registry:" + value);
	}

	static List<Object> valuesWhoseTextIsTheSameEverywhere() {
		return List.of('c', true, (byte) 1, (short) 2, 3, 4L, 5.5f, 6.6, BigInteger.TEN, new BigDecimal("7.70"),
				UUID.randomUUID(), URI.create("urn:isbn:1"), LocalDate.EPOCH, Instant.EPOCH,
				ZonedDateTime.parse("2026-01-01T00:00Z"), MonthDay.of(2, 29));
	}

	@Test
	void anEnumConstantIsKnownByItsNameWhateverItsText() {
		assertThat(this.keys.key(DayOfWeek.MONDAY).partition()).isEqualTo("registry:MONDAY");
		assertThat(this.keys.key(Talkative.QUIET).partition()).isEqualTo("registry:QUIET");
	}

	@Test
	void valuesOfEqualTextAreOneKey() {
		assertThat(this.keys.key(42)).isEqualTo(this.keys.key(42L)).isEqualTo(this.keys.key("42"));
	}

	@ParameterizedTest
	@MethodSource("valuesWhoseTextNeedNotBeTheSame")
	void aValueWhoseTextNeedNotBeTheSameIsRefused(Object value) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.key(value))
			.withMessageContaining("lockKey is a " + value.getClass().getTypeName())
			.withMessageContaining("UUID");
	}

	static List<Object> valuesWhoseTextNeedNotBeTheSame() {
		return List.of(new Object(), new byte[] { 1 }, List.of("k"), new AtomicReference<>("k"),
				JapaneseDate.of(2026, 1, 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void aBlankKeyIsRefused(String blank) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.key(blank)).withMessageContaining("blank");
	}

	@Test
	@SuppressWarnings("NullAway")
	void noKeyIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> this.keys.key(null)).withMessageContaining("lockKey");
	}

	@Test
	void aKeyThatIsTooLongForDynamoDbIsRefused() {
		String longest = "k".repeat(2048 - "registry:".length());
		assertThat(this.keys.key(longest).partition()).hasSize(2048);
		assertThatIllegalArgumentException().isThrownBy(() -> this.keys.key(longest + "k"))
			.withMessageContaining("at most 2048");
	}

	private enum Talkative {

		QUIET;

		@Override
		public String toString() {
			return "something else at " + System.nanoTime();
		}

	}

}
