/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.nio.file.Path;
import java.time.Duration;

import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.table.LockTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(180)
class DatabaseTests {

	@TempDir
	private Path directory;

	@Test
	void databaseHasItsTablesAndItsPortAfterItWasKilled() throws Exception {
		try (Database database = new Database(this.directory);
				DynamoDbClient client = DynamoDbLocal.client(database.endpoint().toString())) {
			LockTable.of(client, "kept").createIfMissing();
			database.restart();
			assertThat(client.listTables().tableNames()).containsExactly("kept");
		}
	}

	@Test
	void databaseGoesOnAfterAPause() throws Exception {
		try (Database database = new Database(this.directory);
				DynamoDbClient client = DynamoDbLocal.client(database.endpoint().toString())) {
			long began = System.nanoTime();
			database.pause(Duration.ofSeconds(1));
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
			assertThat(client.listTables().tableNames()).isEmpty();
		}
	}

}
