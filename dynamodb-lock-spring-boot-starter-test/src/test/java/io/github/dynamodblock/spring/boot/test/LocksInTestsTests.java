/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** A user's test of an application that says nothing about tests. */
class LocksInTestsTests {

	@Test
	void contextsAreSharedAcrossTestClassesAsBefore() {
		LocksInTestsContextCustomizerFactory factory = new LocksInTestsContextCustomizerFactory();
		var customizer = factory.createContextCustomizer(LocksInTestsTests.class, List.of());
		assertThat(customizer).isEqualTo(factory.createContextCustomizer(FreshLockTableTests.class, List.of()))
			.hasSameHashCodeAs(factory.createContextCustomizer(FreshLockTableTests.class, List.of()));
	}

	@Nested
	@SpringBootTest(classes = Ledger.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "dynamodb-lock.dynamodb.region=eu-west-1",
					"dynamodb-lock.dynamodb.endpoint=http://dynamodb.example" })
	class ConfiguredForAws {

		@Test
		void locksAreInMemory(@Autowired DynamoDbClient dynamoDb, @Autowired Ledger ledger,
				@Autowired LockClient lockClient) throws Exception {
			assertThat(dynamoDb).isInstanceOf(InMemoryDynamoDb.class);
			assertThat(ledger.post().key()).isEqualTo(LockKey.of(Ledger.KEY));
			try (HeldLock other = lockClient.acquire("closing")) {
				assertThat(ledger.close()).isNull();
				assertThat(other.isHeld()).isTrue();
			}
		}

		@Test
		void dynamoDbLocalIsNotEvenOnTheClassPath() {
			assertThat(ClassUtils.isPresent("software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler",
					null))
				.isFalse();
		}

	}

	@Nested
	@SpringBootTest(classes = Ledger.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "dynamodb-lock.embedded.enabled=false", "dynamodb-lock.dynamodb.region=eu-west-1",
					"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:1", "dynamodb-lock.table.check=false" })
	class WithTheDynamoDbOfTheProperties {

		@Test
		void anExplicitValueGoesBefore(@Autowired ApplicationContext context) {
			assertThat(context.getBeanNamesForType(DynamoDbClient.class)).containsExactly("dynamoDbLockDynamoDbClient");
		}

	}

}
