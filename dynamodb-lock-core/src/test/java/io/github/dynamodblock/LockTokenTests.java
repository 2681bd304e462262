/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockTokenTests {

	private static final LockToken TOKEN = new LockToken(LockKey.of("orders-42"), "node-1",
			"3f0f3a52-7a5c-4a39-9d1a-4d1b1f1f0c11", 1_700_000_000_000_001L, Duration.ofSeconds(20));

	static Stream<LockToken> tokens() {
		return Stream.of(TOKEN, token(LockKey.of("orders", "42"), "node-1"),
				token(LockKey.of("schlösser/\uD83D\uDD12 |.-_", "錠"), "Jürgen\n\u0000"),
				token(LockKey.of("k".repeat(2048), "s".repeat(1024)), ""),
				new LockToken(LockKey.of("k"), "o", "v", -1, Duration.ofDays(365)));
	}

	@ParameterizedTest
	@MethodSource("tokens")
	void theTextIsReadAsTheSameToken(LockToken token) {
		assertThat(LockToken.fromText(token.toText())).isEqualTo(token);
	}

	@ParameterizedTest
	@MethodSource("tokens")
	void theTextFitsIntoAHeaderAndAnAddress(LockToken token) {
		assertThat(token.toText()).matches("[A-Za-z0-9._-]+");
	}

	@ParameterizedTest
	@MethodSource("tokens")
	void theTokenIsSerialized(LockToken token) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(token);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			assertThat(in.readObject()).isEqualTo(token);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "v1.", "v1.AAAA", "orders-42", "v2.1.20000.AAAA.AAAA.AAAA..", "v1.not base64!",
			"v1.////", "v1.1.20000.AAAA.AAAA.AAAA.", "v1.x.20000.AAAA.AAAA.AAAA..", "v1.1.99.AAAA.AAAA.AAAA..",
			"v1.1.20000.AAAA.AAAA...", "v1.1.20000.AAAA.A.AAAA..", "v1.1.20000.AAAA.AAAA.AAAA..AAAA" })
	void nonsenseIsRefusedWithoutRepeatingIt(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockToken.fromText(text))
			.withMessageContaining("not a lock token")
			.withMessageContaining("LockToken.toText()")
			.satisfies((ex) -> assertThat(ex.toString()).doesNotContain("AAAA", "base64!", "orders", "////"));
	}

	@Test
	void theTextHasAVersionAndAnEndAndNothingOfTheKeyAsItIs() {
		LockToken token = new LockToken(LockKey.of("orders", "42"), "me", "v", 7, Duration.ofSeconds(20));
		assertThat(token.toText()).isEqualTo("v1.7.20000.bWU.dg.b3JkZXJz.NDI.");
	}

	@Test
	void aTextThatLacksAnythingOrHasMoreIsRefused() {
		String text = TOKEN.toText();
		for (int length = 0; length < text.length(); length++) {
			String part = text.substring(0, length);
			assertThatIllegalArgumentException().as(part).isThrownBy(() -> LockToken.fromText(part));
		}
		assertThatIllegalArgumentException().isThrownBy(() -> LockToken.fromText(text + "AAAA"));
		assertThatIllegalArgumentException().isThrownBy(() -> LockToken.fromText(" " + text));
	}

	@Test
	void theLineForPeopleHidesWhatMakesTheTokenGood() {
		assertThat(TOKEN.toString()).contains("orders-42", "node-1", "1700000000000001", "PT20S")
			.doesNotContain(TOKEN.recordVersionNumber());
	}

	@Test
	void aLeaseThatNoLockHasIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new LockToken(LockKey.of("k"), "o", "v", 1, Duration.ofMillis(99)))
			.withMessageContaining("leaseDuration")
			.withMessageContaining("100 ms");
	}

	private static LockToken token(LockKey key, String owner) {
		return new LockToken(key, owner, "v", Long.MAX_VALUE, Duration.ofMillis(100));
	}

}
