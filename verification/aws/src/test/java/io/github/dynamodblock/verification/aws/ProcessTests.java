/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Runs in real processes, which get real signals. */
@Timeout(240)
class ProcessTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	private static final Pattern RUN = Pattern.compile("names begin with dynamodb-lock-check-([0-9a-f]{16})-");

	/** Others may use the one that tests share. */
	private final EmbeddedDynamoDb database = EmbeddedDynamoDb.start();

	private final DynamoDbClient dynamoDb = this.database.client();

	private final List<Process> processes = new ArrayList<>();

	@TempDir
	private Path folder;

	@AfterEach
	void close() {
		this.processes.forEach(Process::destroyForcibly);
		this.processes.forEach((process) -> process.onExit().join());
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "INT", "TERM", "HUP" })
	void runThatIsInterruptedDeletesItsTables(String signal) throws Exception {
		String others = new RunTables().name("others");
		this.dynamoDb.createTable(RunTables.creation(others).billingMode("PAY_PER_REQUEST").build());
		Process run = start("run", "--yes");
		awaitTables(2);
		signal(run, signal);

		assertThat(run.waitFor()).isEqualTo(130);
		assertThat(LocalRun.tables(this.dynamoDb, RunTables.PREFIX)).containsExactly(others);
		assertThat(output("run")).contains("Deleted ", "Interrupted: everything was stopped");
	}

	@Test
	void tablesOfAKilledRunAreDeletedByTheCleanUpAndThoseOfAnotherRunAreNot() throws Exception {
		Process killed = start("killed", "--yes");
		awaitTables(1);
		killed.destroyForcibly().waitFor();
		String run = runOf("killed");
		String others = new RunTables().name("others");
		this.dynamoDb.createTable(RunTables.creation(others).billingMode("PAY_PER_REQUEST").build());
		assertThat(LocalRun.tables(this.dynamoDb, RunTables.PREFIX)).hasSizeGreaterThan(1);

		assertThat(start("all", "--yes", "--clean-up=").waitFor()).isZero();
		assertThat(output("all")).contains("left, its run may be in progress", "--clean-up " + run,
				"OK There is no table to delete");
		assertThat(start("without-consent", "--clean-up=" + run).waitFor()).isEqualTo(AwsRun.STATUS_NOT_RUN);
		assertThat(output("without-consent")).contains("FAILED Nothing was deleted");
		assertThat(LocalRun.tables(this.dynamoDb, RunTables.PREFIX)).hasSizeGreaterThan(1);
		assertThat(start("one", "--yes", "--clean-up=" + run).waitFor()).isZero();
		assertThat(LocalRun.tables(this.dynamoDb, RunTables.PREFIX)).containsExactly(others);
	}

	@Test
	void runWithoutConsentCreatesNothing() throws Exception {
		assertThat(start("refused").waitFor()).isEqualTo(AwsRun.STATUS_NOT_RUN);

		assertThat(output("refused")).contains("costs at most 0.", "Go on? Type yes:", "FAILED Nothing was created");
		assertThat(this.dynamoDb.listTables().tableNames()).isEmpty();
	}

	private void awaitTables(int number) {
		await().atMost(SOON).until(() -> LocalRun.tables(this.dynamoDb, RunTables.PREFIX).size() > number);
	}

	private String runOf(String name) throws IOException {
		Matcher matcher = RUN.matcher(output(name));
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

	private String output(String name) throws IOException {
		return Files.readString(this.folder.resolve(name));
	}

	/** Starts a run that no terminal is attached to. */
	private Process start(String name, String... options) throws IOException {
		// A shell in the background ignores SIGINT, and its children inherit that.
		List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,HUP",
				System.getProperty("java.home") + File.separator + "bin" + File.separator + "java", "-Xmx256m",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), AwsRun.class.getName(),
				"--endpoint=" + this.database.endpoint(), "--logs=" + this.folder.resolve(name + "-logs")));
		command.addAll(List.of(options));
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.folder.resolve(name).toFile())
			.start();
		process.getOutputStream().close();
		this.processes.add(process);
		return process;
	}

	private static void signal(Process process, String signal) throws IOException, InterruptedException {
		assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor()).isZero();
	}

}
