/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class SharedServerTests {

	private final SharedServer server = new SharedServer();

	@Test
	void databasesOfOneServerHaveTheirOwnTables() {
		try (EmbeddedDynamoDb one = EmbeddedDynamoDb.of(this.server);
				EmbeddedDynamoDb other = EmbeddedDynamoDb.of(this.server)) {
			assertThat(one.endpoint()).isEqualTo(other.endpoint());
			TestTable.create(one.client());
			TestTable.create(other.client());
			try (DynamoDbClient again = one.newClient((builder) -> {
			})) {
				assertThat(again.listTables().tableNames()).containsExactly(TestTable.NAME);
			}
			TestTable.put(one.client(), Map.of("key", AttributeValue.fromS("orders")));
			assertThat(other.client().scan((scan) -> scan.tableName(TestTable.NAME)).items()).isEmpty();
		}
	}

	@Test
	void aDatabaseIsEmptyAfterAnotherOneWasClosed() {
		try (EmbeddedDynamoDb kept = EmbeddedDynamoDb.of(this.server)) {
			for (int i = 0; i < 3; i++) {
				try (EmbeddedDynamoDb closed = EmbeddedDynamoDb.of(this.server)) {
					assertThat(closed.client().listTables().tableNames()).isEmpty();
					TestTable.create(closed.client());
				}
			}
			assertThat(kept.client().listTables().tableNames()).isEmpty();
		}
	}

	@Test
	void serverStopsWithItsLastDatabaseAndStartsAgain() throws Exception {
		EmbeddedDynamoDb one = EmbeddedDynamoDb.of(this.server);
		EmbeddedDynamoDb other = EmbeddedDynamoDb.of(this.server);
		URI endpoint = one.endpoint();
		one.close();
		one.close();
		assertThat(other.client().listTables().tableNames()).isEmpty();
		other.close();
		try (ServerSocket socket = new ServerSocket(endpoint.getPort(), 1, InetAddress.getLoopbackAddress());
				EmbeddedDynamoDb next = EmbeddedDynamoDb.of(this.server)) {
			assertThat(socket.isBound()).isTrue();
			assertThat(next.client().listTables().tableNames()).isEmpty();
		}
	}

}
