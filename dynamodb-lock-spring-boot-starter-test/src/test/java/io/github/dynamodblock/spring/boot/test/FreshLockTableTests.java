/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

@SpringJUnitConfig(TableApplication.class)
@FreshLockTable
@TestPropertySource(properties = "dynamodb-lock.table.name=production")
class FreshLockTableTests {

	private static final Map<String, AttributeValue> OWN = Map.of("key", AttributeValue.fromS("own"));

	@Autowired
	@SuppressWarnings("NullAway.Init")
	private TableApplication.Table table;

	@BeforeEach
	void lockBeforeTheTest() {
		this.table.lock("own");
	}

	@AfterEach
	void leaveALock() {
		this.table.lock("left");
	}

	@RepeatedTest(3)
	void noLockOfAnEarlierTestIsThere() {
		assertThat(this.table.locks()).containsExactly(OWN);
	}

	@Test
	void tableIsNotTheOneOfTheProperties() {
		assertThat(this.table.name()).startsWith("fresh-locks-");
	}

	@Nested
	class InANestedClass {

		@RepeatedTest(2)
		void noLockOfAnEarlierTestIsThere() {
			assertThat(FreshLockTableTests.this.table.locks()).containsExactly(OWN);
		}

	}

	@Nested
	@FreshLockTable
	class InANestedClassWithATableOfItsOwn {

		@RepeatedTest(2)
		void noLockOfAnEarlierTestIsThere(@Autowired TableApplication.Table own) {
			own.lock("more");
			assertThat(own.locks()).contains(Map.of("key", AttributeValue.fromS("more"))).hasSizeLessThanOrEqualTo(2);
		}

	}

}
