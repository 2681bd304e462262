/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class ItemChangeTests {

	private static final AttributeValue ONE = AttributeValue.fromN("1");

	private static final AttributeValue TWO = AttributeValue.fromN("2");

	private static final AttributeValue OLD = AttributeValue.fromS("old");

	@Test
	void noChangeKeepsDataAndAttributes() {
		assertThat(ItemChange.none().isNone()).isTrue();
		assertThat(ItemChange.none().changesData()).isFalse();
		LockRecord before = record(Map.of("a", ONE));
		LockRecord after = before.toBuilder().change(ItemChange.none()).build();
		assertThat(after).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	void dataIsReplacedRemovedAndCopied() {
		byte[] bytes = { 1, 2 };
		ItemChange change = ItemChange.none().data(bytes);
		bytes[0] = 9;
		assertThat(change.data()).hasValue(new byte[] { 1, 2 });
		change.data().orElseThrow()[0] = 9;
		assertThat(change.data()).hasValue(new byte[] { 1, 2 });
		assertThat(change.removeData().changesData()).isTrue();
		assertThat(change.removeData().data()).isEmpty();
		LockRecord record = record(Map.of());
		assertThat(record.toBuilder().change(change).build().data()).hasValue(new byte[] { 1, 2 });
		assertThat(record.toBuilder().change(change.removeData()).build().data()).isEmpty();
	}

	@Test
	void attributesAreMergedAndRemovedAndOthersStay() {
		ItemChange change = ItemChange.none().attribute("a", TWO).attribute("c", ONE).removeAttributes("b", "x");
		LockRecord after = record(Map.of("a", ONE, "b", ONE, "d", ONE)).toBuilder().change(change).build();
		assertThat(after.attributes()).isEqualTo(Map.of("a", TWO, "c", ONE, "d", ONE));
	}

	@Test
	void theLastWordAboutAnAttributeCounts() {
		ItemChange removedLast = ItemChange.none().attribute("a", ONE).removeAttributes("a");
		assertThat(removedLast.attributes()).isEmpty();
		assertThat(removedLast.removedAttributes()).containsExactly("a");
		ItemChange setLast = removedLast.attribute("a", TWO);
		assertThat(setLast.attributes()).isEqualTo(Map.of("a", TWO));
		assertThat(setLast.removedAttributes()).isEmpty();
	}

	@Test
	void aCopyIsTheValueBeforeTheChangeOrTheGivenOne() {
		ItemChange change = ItemChange.none().attribute("a", TWO).copy("a", "b", ONE).copy("x", "c", TWO);
		LockRecord after = record(Map.of("a", OLD, "d", ONE)).toBuilder().change(change).build();
		assertThat(after.attributes()).isEqualTo(Map.of("a", TWO, "b", OLD, "c", TWO, "d", ONE));
		LockRecord removed = record(Map.of("a", OLD)).toBuilder().change(change.removeAttributes("a")).build();
		assertThat(removed.attributes()).isEqualTo(Map.of("b", OLD, "c", TWO));
	}

	@Test
	void theLastWordAboutACopiedAttributeCounts() {
		ItemChange copied = ItemChange.none().attribute("b", ONE).copy("a", "b", TWO);
		assertThat(copied.attributes()).isEmpty();
		assertThat(copied.isNone()).isFalse();
		assertThat(copied.copies()).isEqualTo(Map.of("b", new ItemChange.Copy("a", TWO)));
		assertThat(copied.copy("c", "b", ONE).copies()).isEqualTo(Map.of("b", new ItemChange.Copy("c", ONE)));
		assertThat(copied.attribute("b", ONE).copies()).isEmpty();
		assertThat(copied.removeAttributes("b").copies()).isEmpty();
		assertThat(copied.removeAttributes("b").copy("a", "b", TWO).removedAttributes()).isEmpty();
		assertThat(copied.data(new byte[1]).removeData().copies()).hasSize(1);
		assertThat(copied).hasToString("ItemChange[data=kept, set=[], copied=[b], removed=[]]");
	}

	@Test
	void aCopyHasTwoNamesAndAValue() {
		ItemChange copies = ItemChange.none();
		for (int i = 0; i < 50; i++) {
			copies = copies.copy("from" + i, "to" + i, ONE);
		}
		ItemChange full = copies;
		assertThatIllegalArgumentException().isThrownBy(() -> full.removeAttributes("x"))
			.withMessageContaining("101 attributes");
		assertThatIllegalArgumentException().isThrownBy(() -> full.copy("a", "b", ONE));
		for (String name : new String[] { "", "n".repeat(256) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().copy(name, "b", ONE));
			assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().copy("a", name, ONE));
		}
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ItemChange.none().copy("a", "b", AttributeValue.builder().build()));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RenewRequest.create().change(ItemChange.none().copy("a", "b", ONE)))
			.withMessageContaining("[b]");
	}

	@Test
	void aChangeIsNeverChanged() {
		Map<String, AttributeValue> given = new HashMap<>(Map.of("a", ONE));
		ItemChange change = ItemChange.none().attributes(given);
		given.put("b", ONE);
		change.data(new byte[1]);
		change.attribute("c", ONE);
		change.removeAttributes("a");
		assertThat(change.attributes()).isEqualTo(Map.of("a", ONE));
		assertThat(change.removedAttributes()).isEmpty();
		assertThat(change.changesData()).isFalse();
		assertThat(ItemChange.none().isNone()).isTrue();
	}

	@Test
	void oneChangeAfterAnotherDoesWhatBothDoInTurn() {
		ItemChange[] changes = { ItemChange.none(), ItemChange.none().data(new byte[] { 1 }),
				ItemChange.none().removeData(), ItemChange.none().attribute("a", ONE).removeAttributes("b"),
				ItemChange.none().attribute("b", TWO).removeAttributes("a"),
				ItemChange.none().data(new byte[] { 2 }).attribute("a", TWO).removeAttributes("c"),
				ItemChange.none().copy("a", "b", ONE), ItemChange.none().copy("b", "a", TWO).removeAttributes("b"),
				ItemChange.none().copy("a", "c", ONE).copy("c", "a", TWO),
				ItemChange.none().attribute("a", TWO).copy("a", "b", ONE).copy("x", "c", OLD) };
		LockRecord record = record(Map.of("a", AttributeValue.fromS("old"), "c", AttributeValue.fromS("old")));
		for (ItemChange first : changes) {
			for (ItemChange next : changes) {
				LockRecord inTurn = record.toBuilder().change(first).change(next).build();
				LockRecord atOnce = record.toBuilder().change(first.then(next)).build();
				assertThat(atOnce).as("%s then %s", first, next).usingRecursiveComparison().isEqualTo(inTurn);
			}
		}
	}

	@Test
	void moreAttributesThanOneWriteHoldsAreRefused() {
		assertThat(ItemChange.none().attributes(numbered(100)).attributes()).hasSize(100);
		assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().attributes(numbered(101)))
			.withMessageContaining("101 attributes")
			.withMessageContaining("at most 100");
		ItemChange full = ItemChange.none().attributes(numbered(100));
		assertThatIllegalArgumentException().isThrownBy(() -> full.removeAttributes("x"));
		assertThatIllegalArgumentException().isThrownBy(() -> full.then(ItemChange.none().attribute("x", ONE)));
	}

	@Test
	void aNameThatNoAttributeCanHaveIsRefused() {
		for (String name : new String[] { "", "n".repeat(256) }) {
			assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().attribute(name, ONE))
				.withMessageContaining("'" + name + "'")
				.withMessageContaining("1 to 255 characters");
			assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().removeAttributes(name));
		}
	}

	@Test
	void aValueThatIsNoneIsRefusedInsteadOfRemovingTheAttribute() {
		AttributeValue empty = AttributeValue.builder().build();
		assertThatIllegalArgumentException().isThrownBy(() -> ItemChange.none().attribute("a", empty))
			.withMessageContaining("'a'")
			.withMessageContaining("without a type");
		Map<String, AttributeValue> withNull = new HashMap<>();
		withNull.put("a", null);
		assertThatNullPointerException().isThrownBy(() -> ItemChange.none().attributes(withNull)).withMessage("a");
	}

	@Test
	void theTextNamesWhatChangesAndHidesValues() {
		ItemChange change = ItemChange.none()
			.data(new byte[3])
			.attribute("a", AttributeValue.fromS("secret"))
			.removeAttributes("b");
		assertThat(change).hasToString("ItemChange[data=3 bytes, set=[a], removed=[b]]");
		assertThat(ItemChange.none().removeData()).hasToString("ItemChange[data=removed, set=[], removed=[]]");
	}

	private static Map<String, AttributeValue> numbered(int count) {
		Map<String, AttributeValue> attributes = new LinkedHashMap<>();
		IntStream.range(0, count).forEach((number) -> attributes.put("a" + number, ONE));
		return attributes;
	}

	private static LockRecord record(Map<String, AttributeValue> attributes) {
		return LockRecord.builder(LockKey.of("k"), "me", LockRequestTests.LEASE, "v")
			.data(new byte[] { 7 })
			.attributes(attributes)
			.build();
	}

}
