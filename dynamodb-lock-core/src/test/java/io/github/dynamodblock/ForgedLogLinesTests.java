/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Keys and owners may come from requests of other parties. Their text must not forge log
 * lines.
 */
class ForgedLogLinesTests {

	private static final String FORGED = "k\nINFO Lock 'k' was released";

	private static final LockKey KEY = LockKey.of(FORGED, FORGED);

	private static final LockRecord RECORD = LockRecord.builder(KEY, FORGED, Duration.ofSeconds(20), FORGED)
		.change(ItemChange.none().attribute(FORGED, AttributeValue.fromS("value")))
		.build();

	@ParameterizedTest
	@CsvSource({ "U+000A, \\u000a", "U+000D, \\u000d", "U+001B, \\u001b", "U+0085, \\u0085", "U+2028, \\u2028",
			"U+202E, \\u202e" })
	void aCharacterThatBreaksOrTurnsALineIsEscaped(String character, String escaped) {
		String text = "a" + (char) Integer.parseInt(character.substring(2), 16) + "b";
		assertThat(LockKey.of(text)).hasToString("a" + escaped + "b");
		assertThat(LockKey.of(text).partition()).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders-42", "Bestellung/ä ö ü", "注文", "\uD83D\uDD12", "C:\\temp" })
	void whatCanBeShownIsShownAsItIs(String text) {
		assertThat(LockKey.of(text)).hasToString(text);
	}

	@Test
	void noMessageHasALineOfItsKeysOrOwners() {
		assertThat(new LockNotGrantedException(KEY, "held by " + FORGED, RECORD, null).getMessage())
			.doesNotContain("\n");
		assertThat(new LockClientClosedException(FORGED).getMessage()).doesNotContain("\n");
		assertThat(RECORD.toString()).doesNotContain("\n");
		assertThat(new LockToken(KEY, FORGED, "v", 1, Duration.ofSeconds(20)).toString()).doesNotContain("\n");
		assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of(FORGED.repeat(100)))
			.withMessageNotContaining("\n");
	}

	@Test
	void aClientsOwnNameCanBeShown() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockClient.builder(TestDynamoDb.client()).ownerName(FORGED))
			.withMessageContaining("ownerName")
			.withMessageNotContaining("\n");
	}

}
