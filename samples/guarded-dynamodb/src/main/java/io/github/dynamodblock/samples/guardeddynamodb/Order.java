/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardeddynamodb;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An order: an item of the table {@code orders}. The lock needs no attribute in it.
 */
public record Order(String id, int items, long totalCents) {

	Order withItem(long cents) {
		return new Order(this.id, this.items + 1, this.totalCents + cents);
	}

	Map<String, AttributeValue> toItem() {
		return Map.of("id", AttributeValue.fromS(this.id), "items", AttributeValue.fromN(Integer.toString(this.items)),
				"totalCents", AttributeValue.fromN(Long.toString(this.totalCents)));
	}

	static Order fromItem(Map<String, AttributeValue> item) {
		return new Order(item.get("id").s(), Integer.parseInt(item.get("items").n()),
				Long.parseLong(item.get("totalCents").n()));
	}

}
