/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Map;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class ItemExpressionTests {

	private final ItemExpression expression = new ItemExpression();

	@Test
	void aNameHasOnePlaceholderAndEveryValueHasItsOwn() {
		assertThat(this.expression.name("a")).isEqualTo("#n0");
		assertThat(this.expression.name("b")).isEqualTo("#n1");
		assertThat(this.expression.name("a")).isEqualTo("#n0");
		assertThat(this.expression.value(AttributeValue.fromS("x"))).isEqualTo(":v0");
		assertThat(this.expression.value(AttributeValue.fromS("x"))).isEqualTo(":v1");
		assertThat(this.expression.names()).isEqualTo(Map.of("#n0", "a", "#n1", "b"));
		assertThat(this.expression.values()).hasSize(2);
	}

	@Test
	void whatHasNoValueIsRemoved() {
		this.expression.set("a", AttributeValue.fromS("x"));
		this.expression.set("b", null);
		this.expression.set("c", AttributeValue.fromS("y"));
		this.expression.set("d", null);
		assertThat(this.expression.updateExpression()).isEqualTo("SET #n0 = :v0, #n2 = :v1 REMOVE #n1, #n3");
	}

	@Test
	void aCountBeginsAboveItsSeed() {
		this.expression.count("token", AttributeValue.fromN("41"));
		assertThat(this.expression.updateExpression()).isEqualTo("SET #n0 = if_not_exists(#n0, :v0) + :v1");
		assertThat(this.expression.values())
			.isEqualTo(Map.of(":v0", AttributeValue.fromN("41"), ":v1", AttributeValue.fromN("1")));
	}

}
