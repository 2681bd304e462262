/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveSpecification;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** One table, in the order of its keys. Not thread-safe. */
final class MemoryTable {

	private final CreateTableRequest definition;

	/** The partition key, and the sort key if there is one. */
	private final List<String> keyNames;

	private final NavigableMap<List<AttributeValue>, Map<String, AttributeValue>> items = new TreeMap<>(
			MemoryTable::compare);

	private @Nullable String timeToLiveAttribute;

	MemoryTable(CreateTableRequest definition) {
		this.definition = definition;
		this.keyNames = definition.keySchema()
			.stream()
			.sorted(Comparator.comparing((KeySchemaElement element) -> element.keyType() == KeyType.RANGE))
			.map(KeySchemaElement::attributeName)
			.toList();
	}

	private static int compare(List<AttributeValue> one, List<AttributeValue> other) {
		for (int i = 0; i < one.size(); i++) {
			int order = Values.compare(one.get(i), other.get(i)).orElseThrow();
			if (order != 0) {
				return order;
			}
		}
		return 0;
	}

	Set<String> keyNames() {
		return Set.copyOf(this.keyNames);
	}

	/** Returns the item, or an empty map if there is none. */
	Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
		return this.items.getOrDefault(checked(key), Map.of());
	}

	void put(Map<String, AttributeValue> item) {
		Map<String, AttributeValue> key = new HashMap<>(item);
		key.keySet().retainAll(this.keyNames);
		this.items.put(checked(key), Map.copyOf(item));
	}

	void remove(Map<String, AttributeValue> key) {
		this.items.remove(checked(key));
	}

	/**
	 * Reads a page.
	 * @param among selects the items to examine
	 * @param filter selects the examined items to return
	 * @param limit how many items to examine, or {@code null} for all
	 * @param startKey the item after which to begin, or empty
	 */
	Page page(Predicate<Map<String, AttributeValue>> among, Predicate<Map<String, AttributeValue>> filter,
			@Nullable Integer limit, Map<String, AttributeValue> startKey) {
		List<Map<String, AttributeValue>> found = new ArrayList<>();
		int looked = 0;
		for (Map.Entry<List<AttributeValue>, Map<String, AttributeValue>> entry : (startKey.isEmpty() ? this.items
				: this.items.tailMap(checked(startKey), false))
			.entrySet()) {
			Map<String, AttributeValue> item = entry.getValue();
			if (!among.test(item)) {
				continue;
			}
			if (filter.test(item)) {
				found.add(item);
			}
			if (limit != null && ++looked == limit) {
				// Like DynamoDB, returns a last key even if no item follows.
				return new Page(found, keyOf(item));
			}
		}
		return new Page(found, Map.of());
	}

	private Map<String, AttributeValue> keyOf(Map<String, AttributeValue> item) {
		return this.keyNames.stream().collect(Collectors.toMap((name) -> name, item::get));
	}

	private List<AttributeValue> checked(Map<String, AttributeValue> key) {
		boolean fits = key.size() == this.keyNames.size() && this.definition.attributeDefinitions()
			.stream()
			.filter((attribute) -> this.keyNames.contains(attribute.attributeName()))
			.allMatch((attribute) -> fits(attribute, key.get(attribute.attributeName())));
		if (!fits) {
			throw Failures.validation("The provided key element does not match the schema");
		}
		return this.keyNames.stream().map((name) -> Objects.requireNonNull(key.get(name))).toList();
	}

	private static boolean fits(AttributeDefinition attribute, @Nullable AttributeValue value) {
		return value != null && Values.type(value).equals(attribute.attributeTypeAsString()) && !"".equals(value.s());
	}

	TableDescription description() {
		return TableDescription.builder()
			.tableName(this.definition.tableName())
			.tableStatus(TableStatus.ACTIVE)
			.attributeDefinitions(this.definition.attributeDefinitions())
			.keySchema(this.definition.keySchema())
			.itemCount((long) this.items.size())
			.build();
	}

	void timeToLive(TimeToLiveSpecification specification) {
		this.timeToLiveAttribute = Boolean.TRUE.equals(specification.enabled()) ? specification.attributeName() : null;
	}

	/** Returns the stored setting. It deletes nothing; DynamoDB may take days, too. */
	TimeToLiveDescription timeToLive() {
		return TimeToLiveDescription.builder()
			.attributeName(this.timeToLiveAttribute)
			.timeToLiveStatus((this.timeToLiveAttribute != null) ? TimeToLiveStatus.ENABLED : TimeToLiveStatus.DISABLED)
			.build();
	}

	/**
	 * A page of items.
	 *
	 * @param items the items
	 * @param lastKey the key after which the next page begins, or empty at the end
	 */
	record Page(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastKey) {
	}

}
