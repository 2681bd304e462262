/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.worker.DynamoDbClients;
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
	void databaseHasItsTablesAndItsPortAfterItWasKilled() throws IOException, InterruptedException {
		try (Database database = Database.start(this.directory.resolve("files"), log());
				DynamoDbClient client = DynamoDbClients.at(database.port())) {
			LockTable.of(client, "kept").createIfMissing();
			database.restart();
			assertThat(client.listTables().tableNames()).containsExactly("kept");
		}
	}

	@Test
	void processesEndWhenTheirStandardInputDoes() throws IOException, InterruptedException {
		Process process = Java.start("256m", log(), DatabaseMain.class, List.of("--port", "0"));
		try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
			assertThat(output.readLine()).startsWith("DynamoDB Local is ready at http://127.0.0.1:");
			process.getOutputStream().close();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
	}

	@Test
	void pausedProcessGoesOnAfterwards() throws IOException, InterruptedException {
		Process process = Java.start("256m", log(), DatabaseMain.class, List.of("--port", "0"));
		try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
			Interval paused = Signals.pause(process, Duration.ofSeconds(1));
			assertThat(paused.to() - paused.from()).isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
			assertThat(output.readLine()).startsWith("DynamoDB Local is ready");
		}
		finally {
			process.destroyForcibly();
		}
	}

	private Path log() {
		return this.directory.resolve("log");
	}

}
