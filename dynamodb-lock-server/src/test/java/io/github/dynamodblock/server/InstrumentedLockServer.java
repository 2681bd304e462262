/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * A test that calls a running instance, sets its clock, and hears and spoils what it asks
 * DynamoDB. No lease ends later than 100 seconds from now. All classes that have this
 * share one instance.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "authentication.disabled=true", "lock-server.max-lease=100s",
				"lock-server.page.refresh=100ms", "dynamodb-lock.lease-duration=2s" })
@Import(InstrumentedLockServer.Instruments.class)
public @interface InstrumentedLockServer {

	/**
	 * The clock and the client.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	class Instruments {

		@Bean
		@Primary
		SettableClock settableClock() {
			return new SettableClock();
		}

		@Bean
		StoreCalls storeCalls() {
			return new StoreCalls();
		}

		@Bean
		EmbeddedDynamoDb embeddedDynamoDb() {
			return EmbeddedDynamoDb.start();
		}

		@Bean
		DynamoDbClient dynamoDbClient(EmbeddedDynamoDb dynamoDb, StoreCalls calls) {
			return dynamoDb.newClient(calls::attach);
		}

	}

}
