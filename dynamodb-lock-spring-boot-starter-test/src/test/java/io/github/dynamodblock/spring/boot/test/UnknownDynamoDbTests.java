/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.lang.reflect.Method;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A user's test of an application whose lock client uses a DynamoDB that nobody can tell.
 */
class UnknownDynamoDbTests {

	@Test
	void tableThatCannotBeFoundIsNotTakenForEmpty() throws Exception {
		Method method = Sample.class.getDeclaredMethod("method");
		TestContextManager manager = new TestContextManager(Sample.class);
		assertThatIllegalStateException().isThrownBy(() -> manager.beforeTestMethod(new Sample(), method))
			.withMessageContaining("cannot empty the table of lock client 'mine'")
			.withMessageContaining("[orders, archive]")
			.withMessageContaining("as a parameter to the @Bean method");
	}

	@SpringJUnitConfig(Application.class)
	@FreshLockTable
	static class Sample {

		void method() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		@Primary
		DynamoDbClient orders() {
			return Mockito.mock(DynamoDbClient.class);
		}

		@Bean
		DynamoDbClient archive() {
			return Mockito.mock(DynamoDbClient.class);
		}

		@Bean
		LockClient mine(@Value("${dynamodb-lock.table.name}") String table) {
			return LockClient.builder(Mockito.mock(DynamoDbClient.class)).tableName(table).build();
		}

	}

}
