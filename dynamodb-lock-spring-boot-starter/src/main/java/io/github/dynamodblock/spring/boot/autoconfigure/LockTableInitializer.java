/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.TableCreation;
import io.github.dynamodblock.table.LockTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Creates or checks the lock table of the default client, and reports which property
 * fixes a problem. If the table need not be created, it is checked while the context
 * starts. A problem fails startup before requests are accepted.
 */
class LockTableInitializer implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockTableInitializer.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final DynamoDbLockProperties properties;

	private final Environment environment;

	private volatile @Nullable CompletableFuture<Void> check;

	private volatile boolean awaited;

	LockTableInitializer(ConfigurableListableBeanFactory beanFactory, DynamoDbLockProperties properties,
			Environment environment) {
		this.beanFactory = beanFactory;
		this.properties = properties;
		this.environment = environment;
	}

	/** Creates the table, or starts to check it. */
	void initialize() {
		SelectedDynamoDbClient selected = SelectedDynamoDbClient.in(this.beanFactory, this.properties);
		if (this.properties.embedded().enabled() && !selected.isForTests()) {
			logger.warn(
					"dynamodb-lock.embedded.enabled has no effect: locks use the DynamoDbClient bean '{}'. In a test, "
							+ "replace it, or add @InMemoryLocks",
					selected.beanName());
		}
		LockTable[] table = new LockTable[1];
		PropertyRefusals.apply(this.environment, () -> table[0] = table(selected.client()));
		if (creates(selected)) {
			reporting(selected, table[0], LockTable::createIfMissing);
		}
		else if (this.properties.table().check()) {
			Runnable check = () -> reporting(selected, table[0], LockTableInitializer::check);
			if (this.awaited) {
				check.run();
			}
			else {
				SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("dynamodb-lock-table-");
				executor.setDaemon(true);
				this.check = executor.submitCompletable(check);
			}
		}
	}

	private boolean creates(SelectedDynamoDbClient selected) {
		TableCreation configured = this.properties.table().create();
		return (configured != null) ? configured == TableCreation.IF_MISSING : selected.isForTests();
	}

	/** Waits for the check before lifecycle beans, web server and schedules start. */
	@Override
	public void afterSingletonsInstantiated() {
		this.awaited = true;
		CompletableFuture<Void> begun = this.check;
		try {
			if (begun != null) {
				begun.join();
			}
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException problem) ? problem : ex;
		}
	}

	private void reporting(SelectedDynamoDbClient selected, LockTable table, Consumer<LockTable> use) {
		String place = "The DynamoDbClient " + (selected.isOwn()
				? "was created from dynamodb-lock.dynamodb.* and the defaults of Spring Cloud AWS or the SDK"
				: "is the bean '" + selected.beanName() + "'") + selected.place() + ".";
		String name = this.properties.table().name();
		try {
			use.accept(table);
		}
		catch (LockTableException ex) {
			String problem = (ex.problem() == LockTableException.Problem.MISSING)
					? "The lock table '" + name + "' does not exist" : String.valueOf(ex.getMessage());
			throw new LockSetupException(problem + ".\n\n" + place,
					action(ex.problem(), table, selected.commandLineOptions()), ex);
		}
		catch (LockStoreException ex) {
			throw new LockSetupException(
					"The lock table '" + name + "' cannot be used:\n\n    " + ex.getMessage() + "\n\n" + place,
					"Correct what the message names, and start the application again.", ex);
		}
	}

	private static void check(LockTable table) {
		try {
			table.check();
		}
		catch (LockStoreException ex) {
			if (!isAccessDenied(ex)) {
				throw ex;
			}
			logger.warn("The lock table was not checked: {}. Locks still work if the table is correct. Set {} to skip "
					+ "the check", ex.getMessage(), "dynamodb-lock.table.check=false");
		}
	}

	private LockTable table(DynamoDbClient client) {
		DynamoDbLockProperties.Table settings = this.properties.table();
		LockTable table = LockTable.of(client, settings.name())
			.partitionKeyName(settings.partitionKeyName())
			.sortKeyName(settings.sortKeyName())
			.timeToLiveAttributeName(settings.timeToLiveAttributeName())
			.waitAtMost(settings.timeout());
		if (settings.allowEventuallyConsistentReplicas()) {
			table = table.allowEventuallyConsistentReplicas();
		}
		return settings.timeToLive().isZero() ? table.withoutTimeToLive() : table;
	}

	private static String action(LockTableException.Problem problem, LockTable table, String options) {
		return switch (problem) {
			case MISSING -> "Create the table:\n\n" + table.setupCommands()
				.stream()
				.map((command) -> "    " + command + options + "\n")
				.collect(Collectors.joining()) + """

						Or let the application create it, if its role is allowed to:

						    dynamodb-lock.table.create=if-missing

						If the table exists, correct dynamodb-lock.table.name, or the region of the DynamoDbClient.""";
			case WRONG_KEY_SCHEMA ->
				"""
						Set dynamodb-lock.table.partition-key-name and dynamodb-lock.table.sort-key-name to the names of the \
						table's keys, if they are strings. Otherwise, set dynamodb-lock.table.name to another table.""";
			case WRONG_TIME_TO_LIVE_ATTRIBUTE -> """
					Set dynamodb-lock.table.time-to-live-attribute-name to the table's attribute. To use no \
					time to live, set dynamodb-lock.table.time-to-live=0.""";
			case EVENTUALLY_CONSISTENT_REPLICAS ->
				"""
						Set dynamodb-lock.table.name to a table in one region, or to a global table with multi-region strong \
						consistency. If all clients of each lock are in one region, accept this table:

						    dynamodb-lock.table.allow-eventually-consistent-replicas=true""";
			case NOT_ACTIVE -> """
					Wait until the table is ready, and start the application again. To let the application wait \
					longer, raise dynamodb-lock.table.timeout.""";
			case NOT_A_LOCK -> "Set dynamodb-lock.table.name to a table that contains only locks.";
		};
	}

	private static boolean isAccessDenied(LockStoreException ex) {
		return ex.getCause() instanceof AwsServiceException service && service.awsErrorDetails() != null
				&& "AccessDeniedException".equals(service.awsErrorDetails().errorCode());
	}

}
