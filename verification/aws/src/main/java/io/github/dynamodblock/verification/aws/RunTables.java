/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.Tag;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The tables of one run. Their names contain the run's random number, and a tag repeats
 * it. As an interceptor of a client, it tags and remembers each table that the client
 * creates, and rejects each call for another table. Thread-safe.
 */
final class RunTables implements ExecutionInterceptor {

	/** The name of every table of every run begins with this. */
	static final String PREFIX = "dynamodb-lock-check-";

	/** The key of the tag whose value is the run. */
	static final String TAG = "dynamodb-lock-check";

	private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9a-f]{16})-.+");

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

	private static final SecureRandom random = new SecureRandom();

	private final String run = String.format("%016x", random.nextLong());

	private final Set<String> created = new TreeSet<>();

	/** Whose creation was requested. Some may exist already, or may not be created. */
	private final Set<String> requested = new TreeSet<>();

	/** How many calls create a table right now. */
	private int creating;

	private boolean closed;

	/** Returns the run that a table's name contains, or {@code null}. */
	static @Nullable String run(String tableName) {
		Matcher matcher = NAME.matcher(tableName);
		return matcher.matches() ? matcher.group(1) : null;
	}

	/** Begins a request for a table whose key is that of a lock table. */
	static CreateTableRequest.Builder creation(String name) {
		return CreateTableRequest.builder()
			.tableName(name)
			.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("key").attributeType(ScalarAttributeType.S).build());
	}

	/** Returns the random number of this run, in 16 digits. */
	String run() {
		return this.run;
	}

	/** Returns how the names of all tables of this run begin. */
	String prefix() {
		return PREFIX + this.run + "-";
	}

	/** Returns the name of a table of this run. */
	String name(String purpose) {
		return prefix() + purpose;
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		SdkRequest request = context.request();
		tableNames(request).filter((name) -> !name.startsWith(prefix())).findFirst().ifPresent((name) -> {
			throw new IllegalStateException("Table '" + name + "' is not one of this run");
		});
		if (!(request instanceof CreateTableRequest creation)) {
			return request;
		}
		begin(creation.tableName());
		return creation.toBuilder().tags(Tag.builder().key(TAG).value(this.run).build()).build();
	}

	private synchronized void begin(String name) {
		if (this.closed) {
			throw new IllegalStateException("This run deletes its tables, and creates no more");
		}
		this.requested.add(name);
		this.creating++;
	}

	private synchronized void end(String name, boolean isCreated) {
		this.creating--;
		if (isCreated) {
			this.created.add(name);
		}
		notifyAll();
	}

	private static Stream<String> tableNames(SdkRequest request) {
		return (request instanceof TransactWriteItemsRequest transaction)
				? transaction.transactItems().stream().flatMap(RunTables::tableNames)
				: request.getValueForField("TableName", String.class).stream();
	}

	private static Stream<String> tableNames(TransactWriteItem item) {
		return Stream
			.of(get(item.conditionCheck(), (check) -> check.tableName()), get(item.put(), (put) -> put.tableName()),
					get(item.update(), (update) -> update.tableName()),
					get(item.delete(), (delete) -> delete.tableName()))
			.flatMap(List::stream);
	}

	private static <T> List<String> get(@Nullable T write, Function<T, String> name) {
		return (write != null) ? List.of(name.apply(write)) : List.of();
	}

	@Override
	public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		if (context.request() instanceof CreateTableRequest creation) {
			end(creation.tableName(), true);
		}
	}

	@Override
	public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
		// A call that was rejected above has created nothing, and did not begin.
		if (context.request() instanceof CreateTableRequest creation && !creation.tags().isEmpty()) {
			end(creation.tableName(), false);
		}
	}

	/** Returns the names of the tables that this run has created, as far as is known. */
	synchronized Set<String> created() {
		return new TreeSet<>(this.created);
	}

	/**
	 * Deletes the tables of this run, and waits until they are gone. From now on, the run
	 * creates no table.
	 * @param client a client without interceptors
	 * @param atMost how long to try
	 * @return the tables that may still exist, with the reason
	 */
	Map<String, String> delete(DynamoDbClient client, Duration atMost) {
		return delete(client, close(), Instant.now().plus(atMost));
	}

	/**
	 * Ends the creation of tables; returns the names of those that may exist, since this
	 * run has requested them. No other run requests the same names.
	 */
	private synchronized List<String> close() {
		this.closed = true;
		long deadline = System.nanoTime() + LONGEST_CALL.toNanos();
		boolean interrupted = false;
		while (this.creating > 0 && System.nanoTime() - deadline < 0) {
			try {
				wait(PAUSE.toMillis());
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return List.copyOf(this.requested);
	}

	/**
	 * Deletes tables, and waits until they are gone.
	 * @return the tables that may still exist, with the reason
	 */
	static Map<String, String> delete(DynamoDbClient client, List<String> names, Instant deadline) {
		Map<String, String> left = new ConcurrentHashMap<>();
		names.forEach((name) -> left.put(name, "not deleted yet"));
		boolean interrupted = false;
		while (true) {
			for (String name : names) {
				if (left.containsKey(name)) {
					deleteOnce(client, name, left);
				}
			}
			if (left.isEmpty() || Instant.now().isAfter(deadline)) {
				break;
			}
			try {
				Thread.sleep(PAUSE.toMillis());
			}
			catch (InterruptedException ex) {
				// The tables are deleted in any case.
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return left;
	}

	/**
	 * Not by a description of the table: DynamoDB may not show a table that was just
	 * created.
	 */
	private static void deleteOnce(DynamoDbClient client, String name, Map<String, String> left) {
		try {
			// Also answers for a table that is being deleted.
			client.deleteTable((request) -> request.tableName(name));
			left.put(name, "is being deleted");
		}
		catch (ResourceNotFoundException ex) {
			left.remove(name);
		}
		catch (SdkException ex) {
			// For example, the table is being created, or too many tables change at once.
			left.put(name, String.valueOf(ex.getMessage()));
		}
	}

}
