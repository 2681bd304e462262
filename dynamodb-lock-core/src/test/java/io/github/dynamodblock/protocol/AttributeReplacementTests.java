/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.ItemChange;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class AttributeReplacementTests {

	private static final AttributeValue ONE = AttributeValue.fromN("1");

	private static final ItemChange REPLACEMENT = ItemChange.none().replaceAttributes(Map.of("a", ONE));

	private static final ItemChange MERGE = ItemChange.none().attribute("a", ONE);

	@Test
	void aReplacementNamesTheAttributesThatItRemoves() {
		ItemChange resolved = AttributeReplacement.resolve(REPLACEMENT.data(new byte[] { 1 }), Set.of("a", "b", "c"));
		assertThat(resolved.removedAttributes()).containsExactlyInAnyOrder("b", "c");
		assertThat(resolved.attributes()).isEqualTo(REPLACEMENT.attributes());
		assertThat(resolved.data()).hasValue(new byte[] { 1 });
		assertThat(resolved.replacesAttributes()).isTrue();
		assertThat(AttributeReplacement.resolve(REPLACEMENT.removeData(), Set.of()).changesData()).isTrue();
	}

	@Test
	void aReplacementIsCompleteWhenTheItemHasNoOtherAttributes() {
		assertThat(AttributeReplacement.isIncomplete(REPLACEMENT, Set.of("a"))).isFalse();
		assertThat(AttributeReplacement.isIncomplete(REPLACEMENT, Set.of("a", "b"))).isTrue();
	}

	@Test
	void aChangeThatReplacesNothingStaysAsItIs() {
		assertThat(AttributeReplacement.resolve(MERGE, Set.of("b"))).isSameAs(MERGE);
		assertThat(AttributeReplacement.isIncomplete(MERGE, Set.of("b"))).isFalse();
		assertThat(AttributeReplacement.fitsOneWrite(MERGE, named(250))).isTrue();
	}

	@Test
	void anItemOfManyAttributesIsReplacedInMoreThanOneWrite() {
		ItemChange full = ItemChange.none()
			.replaceAttributes(named(100).stream().collect(Collectors.toMap(Function.identity(), (name) -> ONE)));
		Set<String> present = IntStream.range(0, 250)
			.mapToObj((number) -> "other" + number)
			.collect(Collectors.toSet());
		assertThat(AttributeReplacement.resolve(full, present).removedAttributes()).hasSize(100);
		assertThat(AttributeReplacement.fitsOneWrite(full, present)).isFalse();
		assertThat(AttributeReplacement.fitsOneWrite(full, named(100))).isTrue();
	}

	@Test
	void attributesOfOtherProgramsAreRemovedHoweverLongTheirNames() {
		String name = "n".repeat(1000);
		assertThat(AttributeReplacement.resolve(REPLACEMENT, Set.of(name)).removedAttributes()).containsExactly(name);
	}

	private static Set<String> named(int count) {
		return IntStream.range(0, count).mapToObj((number) -> "a" + number).collect(Collectors.toSet());
	}

}
