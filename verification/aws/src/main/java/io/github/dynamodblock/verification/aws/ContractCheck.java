/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Runs the tests that every lock store passes: those of the core, on this DynamoDB. */
final class ContractCheck implements Check {

	private static final List<String> TESTS = List.of("io.github.dynamodblock.store.DynamoDbLockStoreTests",
			"io.github.dynamodblock.store.DynamoDbLockListingTests");

	/** Fewer were found only if the tests have moved. */
	private static final int FEWEST = 100;

	@Override
	public String title() {
		return "The store's contract";
	}

	@Override
	public Outcome run(RunContext context) throws InterruptedException {
		Results results = new Results();
		try (DynamoDbClient dynamoDb = context.newClient()) {
			TestDynamoDb.use(dynamoDb, context.tables().name("contract-"));
			CompletableFuture<Void> run = new CompletableFuture<>();
			// An interrupt does not end a run of tests, but ends the wait for it.
			Thread thread = new Thread(() -> {
				try {
					LauncherFactory.create().execute(request(), results);
					run.complete(null);
				}
				catch (RuntimeException | Error ex) {
					run.completeExceptionally(ex);
				}
			}, "contract");
			thread.setDaemon(true);
			thread.start();
			run.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		return results.outcome();
	}

	/** Classes run concurrently: DynamoDB takes seconds to create the table of each. */
	private static LauncherDiscoveryRequest request() {
		return LauncherDiscoveryRequestBuilder.request()
			.selectors(TESTS.stream().map(DiscoverySelectors::selectClass).toList())
			.filters(TagFilter.includeTags(TestDynamoDb.ANY))
			.configurationParameters(Map.of("junit.jupiter.execution.parallel.enabled", "true",
					"junit.jupiter.execution.parallel.mode.default", "same_thread",
					"junit.jupiter.execution.parallel.mode.classes.default", "concurrent",
					"junit.jupiter.execution.parallel.config.strategy", "fixed",
					"junit.jupiter.execution.parallel.config.fixed.parallelism", "4",
					"junit.jupiter.execution.timeout.testable.method.default", "10 m"))
			.build();
	}

	/** Collects the results of the tests, which end on several threads. */
	private static final class Results implements TestExecutionListener {

		private final List<String> failures = new ArrayList<>();

		private int passed;

		@Override
		public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
			if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
				this.failures.add(name(test) + ": "
						+ result.getThrowable()
							.map(Throwable::toString)
							.orElse("aborted")
							.lines()
							.map(String::strip)
							.filter((line) -> !line.isEmpty())
							.reduce((one, other) -> one + " " + other)
							.orElse(""));
			}
			else if (test.isTest()) {
				this.passed++;
			}
		}

		private static String name(TestIdentifier test) {
			return test.getSource()
				.filter(MethodSource.class::isInstance)
				.map(MethodSource.class::cast)
				.map((method) -> method.getClassName().replaceAll(".*\\.", "") + "." + method.getMethodName())
				.orElse(test.getDisplayName());
		}

		synchronized Outcome outcome() {
			if (this.passed + this.failures.size() < FEWEST) {
				return Outcome
					.failed("Only " + (this.passed + this.failures.size()) + " tests of the contract were found");
			}
			String passedTests = this.passed + " tests of the contract pass";
			return this.failures.isEmpty() ? Outcome.held(passedTests)
					: Outcome.failed(this.failures.size() + " tests of the contract fail; " + passedTests)
						.with(Stream.concat(Stream.of(""), this.failures.stream().map((line) -> "- " + line)).toList());
		}

	}

}
