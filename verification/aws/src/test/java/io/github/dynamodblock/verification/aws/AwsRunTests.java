/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A run deletes its tables, however its checks end. */
@Timeout(120)
class AwsRunTests {

	private final DynamoDbClient dynamoDb = LocalRun.target().newClient();

	private final AtomicReference<RunTables> tables = new AtomicReference<>();

	@TempDir
	private Path folder;

	@AfterEach
	void close() {
		this.dynamoDb.close();
	}

	@Test
	void checksThatHoldAreReportedAndTheTablesAreDeleted() throws Exception {
		Verdict verdict = run(creates("one", () -> Outcome.held("fine")), creates("two", () -> Outcome.skipped("why")));

		assertThat(verdict.line())
			.isEqualTo("OK 1 checks hold, 0 not provoked, 1 skipped; 2 tables were created and deleted");
		assertThat(left()).isEmpty();
		assertThat(Files.readString(report())).contains("| one | OK | fine |", "| two | skipped | why |",
				"2 were created, and all of them were deleted");
	}

	@Test
	void failedCheckFailsTheRunAndTheTablesAreDeleted() throws Exception {
		Verdict verdict = run(creates("one", () -> Outcome.failed("two holders")),
				creates("two", () -> Outcome.held("fine")));

		assertThat(verdict.line()).isEqualTo("FAILED one: two holders");
		assertThat(left()).isEmpty();
		assertThat(Files.readString(report())).contains("| one | FAILED | two holders |", "| two | OK | fine |");
	}

	@Test
	void exceptionInACheckFailsTheRunAndTheTablesAreDeleted() throws Exception {
		Verdict verdict = run(creates("one", () -> {
			throw new IllegalStateException("broken");
		}), creates("two", () -> Outcome.held("fine")));

		assertThat(verdict.line())
			.isEqualTo("FAILED one: The check ended early: java.lang.IllegalStateException: broken");
		assertThat(left()).isEmpty();
		assertThat(Files.readString(report())).contains("| two | OK | fine |");
	}

	@Test
	void interruptedRunDeletesItsTables() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		CompletableFuture<Throwable> end = new CompletableFuture<>();
		Check sleeping = creates("one", () -> {
			waiting.countDown();
			new CountDownLatch(1).await();
			return Outcome.held("never");
		});
		Thread thread = new Thread(() -> {
			try {
				run(sleeping);
				end.complete(null);
			}
			catch (Exception ex) {
				end.complete(ex);
			}
		});
		thread.start();
		waiting.await();
		assertThat(left()).hasSize(1);
		thread.interrupt();

		assertThat(end.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
		assertThat(left()).isEmpty();
		assertThat(report()).doesNotExist();
	}

	@Test
	void endpointThatDoesNotAnswerIsNamedBeforeAnythingIsCreated() {
		Options options = new Options(null, "http://127.0.0.1:1", true, null, null, null);
		try (Demo demo = LocalRun.demo(this.folder)) {
			AwsRun run = new AwsRun(options, demo, List.of(creates("one", () -> Outcome.held("never"))));

			assertThatExceptionOfType(DemoFailedException.class).isThrownBy(run::run)
				.withMessageStartingWith(
						"Nothing was created: DynamoDB Local at http://127.0.0.1:1 could not be reached.");
		}
		assertThat(this.tables.get()).isNull();
	}

	private Verdict run(Check... checks) throws Exception {
		Options options = new Options(null, LocalRun.endpoint(), true, null, report(), null);
		try (Demo demo = LocalRun.demo(this.folder)) {
			return new AwsRun(options, demo, List.of(checks)).run();
		}
	}

	private Path report() {
		return this.folder.resolve("report.md");
	}

	private List<String> left() {
		return LocalRun.tables(this.dynamoDb, this.tables.get());
	}

	/** A check that creates a table before it ends in some way. */
	private Check creates(String name, End end) {
		return new Check() {
			@Override
			public String title() {
				return name;
			}

			@Override
			public Outcome run(RunContext context) throws InterruptedException {
				AwsRunTests.this.tables.set(context.tables());
				try (DynamoDbClient client = context.newClient()) {
					context.createTable(client, name);
				}
				return end.outcome();
			}
		};
	}

	@FunctionalInterface
	private interface End {

		Outcome outcome() throws InterruptedException;

	}

}
