/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ItemRulesTests {

	private static final LockKey KEY = LockKey.of("orders-42");

	private static final int LARGEST_ITEM = 400 * 1024;

	private final TableSchema schema = new TableSchema("locks", "id", "part", "token", "ttl");

	private final ItemRules rules = new ItemRules(this.schema);

	@Test
	void attributesHaveTheSizesThatDynamoDbDocuments() {
		AttributeValue nothing = AttributeValue.fromNul(true);
		assertThat(ItemRules.size(Map.of("aä\uD83D\uDD12", AttributeValue.fromS("")))).isEqualTo(7);
		assertThat(size(AttributeValue.fromS("ää"))).isEqualTo(4);
		assertThat(size(AttributeValue.fromN("1"))).isEqualTo(21);
		assertThat(size(AttributeValue.fromB(SdkBytes.fromByteArray(new byte[5])))).isEqualTo(5);
		assertThat(size(AttributeValue.fromBool(true))).isEqualTo(1);
		assertThat(size(nothing)).isEqualTo(1);
		assertThat(size(AttributeValue.fromSs(List.of("a", "bc")))).isEqualTo(3);
		assertThat(size(AttributeValue.fromNs(List.of("1", "2")))).isEqualTo(42);
		assertThat(size(AttributeValue.fromBs(List.of(SdkBytes.fromByteArray(new byte[5]))))).isEqualTo(5);
		assertThat(size(AttributeValue.fromL(List.of(nothing, nothing)))).isEqualTo(3 + 2 + 2);
		assertThat(size(AttributeValue.fromM(Map.of("ab", nothing)))).isEqualTo(3 + 1 + 2 + 1);
		assertThat(size(AttributeValue.fromL(List.of(AttributeValue.fromL(List.of()))))).isEqualTo(3 + 1 + 3);
	}

	@Test
	void everyPartOfAnItemCountsForItsSize() {
		int room = LARGEST_ITEM - 512;
		this.rules.checkSize(record(KEY, "", room - 9, Map.of()));
		assertTooLarge(record(KEY, "", room - 8, Map.of()));
		assertTooLarge(record(KEY, "a", room - 9, Map.of()));
		assertTooLarge(record(KEY, "", room - 9, Map.of()).toBuilder().name("n").build());
		assertTooLarge(record(LockKey.of("orders-42", "s"), "", room - 9, Map.of()));
		assertTooLarge(record(KEY, "", room - 9 - 21, Map.of("n", AttributeValue.fromN("1"))));
	}

	@Test
	void refusesALockThatLacksASortKeyOrHasOneTooMany() {
		ItemRules unsorted = new ItemRules(TableSchema.of("locks"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.rules.checkKey(LockKey.of("orders-42")))
			.withMessageContaining("LockKey.of(partition, sort)");
		assertThatIllegalArgumentException().isThrownBy(() -> unsorted.checkKey(LockKey.of("orders-42", "a")))
			.withMessageContaining("sortKeyName");
		this.rules.checkKey(LockKey.of("orders-42", "a"));
		unsorted.checkKey(LockKey.of("orders-42"));
	}

	@Test
	void theLocksOwnNamesAreThoseOfTheTable() {
		for (String name : List.of("id", "part", "token", "ttl", "ownerName", "leaseDuration", "recordVersionNumber",
				"isReleased", "data", "acquiredAt", "requestName", "renewedAt", "leaseEnds")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.rules.checkChange(KEY, ItemChange.none().removeAttributes("mine", name)))
				.withMessageContaining("[" + name + "]")
				.withMessageContaining("Reserved names: [acquiredAt, data, ");
		}
		ItemChange free = ItemChange.none().removeAttributes("key", "fencingToken", "expiresAt", "OwnerName");
		this.rules.checkChange(KEY, free);
	}

	@Test
	void aChangeThatMakesATooLargeItemSmallerIsAllowed() {
		LockRecord before = record(KEY, "", LARGEST_ITEM, Map.of());
		LockRecord after = record(KEY, "", LARGEST_ITEM - 1, Map.of());
		this.rules.checkChange(before, ItemChange.none(), after);
		assertThatIllegalArgumentException().isThrownBy(() -> this.rules.checkChange(after, ItemChange.none(), before))
			.withMessageContaining("409600");
	}

	private void assertTooLarge(LockRecord record) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.rules.checkSize(record))
			.withMessageContaining("'" + record.key() + "'")
			.withMessageContaining("DynamoDB allows " + LARGEST_ITEM);
	}

	private static LockRecord record(LockKey key, String owner, int data, Map<String, AttributeValue> attributes) {
		return LockRecord.builder(key, owner, Duration.ofSeconds(20), "v")
			.data(new byte[data])
			.attributes(attributes)
			.build();
	}

	private static long size(AttributeValue value) {
		return ItemRules.size(Map.of("", value));
	}

}
