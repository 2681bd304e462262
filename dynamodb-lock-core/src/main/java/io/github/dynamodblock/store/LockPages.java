/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterators.AbstractSpliterator;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * The pages of a listing, read by Query within a partition, otherwise by Scan. Each page
 * is read when it has a call slot. Not thread-safe.
 */
final class LockPages extends AbstractSpliterator<List<LockRecord>> {

	private static final Logger logger = LoggerFactory.getLogger(LockPages.class);

	/**
	 * How often the reading of a page is attempted if interrupts abort it. Bounded,
	 * because an interceptor may interrupt each call.
	 */
	private static final int ATTEMPTS_DESPITE_INTERRUPTS = 3;

	private final TableSchema schema;

	private final LockItem item;

	private final StoreErrors errors;

	private final Runnable openCheck;

	private final Consumer<Runnable> slots;

	private final String operation;

	private final Consumer<LockTableException> onNotALock;

	private final Iterator<? extends DynamoDbResponse> pages;

	LockPages(DynamoDbClient client, TableSchema schema, LockItem item, StoreErrors errors, ListRequest request,
			Runnable openCheck, Consumer<Runnable> slots, AwsRequestOverrideConfiguration limit) {
		super(Long.MAX_VALUE, ORDERED | NONNULL);
		this.schema = schema;
		this.item = item;
		this.errors = errors;
		this.openCheck = openCheck;
		this.slots = slots;
		this.onNotALock = request.onNotALock().orElse(LockPages::warn);
		String partition = request.partition().orElse(null);
		this.operation = (partition == null) ? "Scan" : "Query";
		this.pages = (partition == null) ? client.scanPaginator(scan(request, limit)).iterator()
				: client.queryPaginator(query(request, partition, limit)).iterator();
	}

	private ScanRequest scan(ListRequest request, AwsRequestOverrideConfiguration limit) {
		ScanRequest.Builder scan = ScanRequest.builder()
			.tableName(this.schema.tableName())
			.limit(request.pageSize())
			.consistentRead(request.consistentRead())
			.overrideConfiguration(limit);
		if (!this.schema.prefix().isEmpty()) {
			// Items without this key pass the filter, because they show that the schema
			// is wrong.
			scan.filterExpression("NOT attribute_type(#key, :string) OR begins_with(#key, :prefix)")
				.expressionAttributeNames(Map.of("#key", this.schema.partitionKeyName()))
				.expressionAttributeValues(Map.of(":string", AttributeValue.fromS("S"), ":prefix",
						AttributeValue.fromS(this.schema.prefix())));
		}
		return scan.build();
	}

	private QueryRequest query(ListRequest request, String partition, AwsRequestOverrideConfiguration limit) {
		AttributeValue stored = AttributeValue.fromS(this.schema.stored(LockKey.of(partition)).partition());
		return QueryRequest.builder()
			.tableName(this.schema.tableName())
			.limit(request.pageSize())
			.consistentRead(request.consistentRead())
			.overrideConfiguration(limit)
			.keyConditionExpression("#key = :key")
			.expressionAttributeNames(Map.of("#key", this.schema.partitionKeyName()))
			.expressionAttributeValues(Map.of(":key", stored))
			.build();
	}

	@Override
	public boolean tryAdvance(Consumer<? super List<LockRecord>> action) {
		if (!this.pages.hasNext()) {
			return false;
		}
		this.openCheck.run();
		AtomicReference<DynamoDbResponse> read = new AtomicReference<>();
		this.slots.accept(() -> read.set(read()));
		DynamoDbResponse page = Objects.requireNonNull(read.get());
		action.accept((page instanceof ScanResponse scan) ? locks(scan.items(), scan.lastEvaluatedKey())
				: locks(((QueryResponse) page).items(), ((QueryResponse) page).lastEvaluatedKey()));
		return true;
	}

	private DynamoDbResponse read() {
		// The SDK sends nothing for an interrupted thread.
		boolean interrupted = Thread.interrupted();
		try {
			for (int attempt = 1;; attempt++) {
				try {
					return this.pages.next();
				}
				catch (Throwable ex) {
					// If the client was closed meanwhile, report that. An interceptor of
					// the application may throw anything.
					this.openCheck.run();
					if (attempt == ATTEMPTS_DESPITE_INTERRUPTS || !Thread.interrupted()) {
						throw this.errors.explain(this.operation, ex);
					}
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private List<LockRecord> locks(List<Map<String, AttributeValue>> items, Map<String, AttributeValue> lastKey) {
		if (!lastKey.isEmpty() && !lastKey.equals(this.schema.attributes(stored(lastKey)))) {
			throw this.errors.wrongKey("The table's key has the attributes " + lastKey.keySet(), null);
		}
		List<LockRecord> locks = new ArrayList<>();
		for (Map<String, AttributeValue> attributes : items) {
			LockKey stored = stored(attributes);
			try {
				locks.add(this.item.read(lock(stored), attributes));
			}
			catch (LockTableException notALock) {
				this.onNotALock.accept(notALock);
			}
		}
		return locks;
	}

	private LockKey stored(Map<String, AttributeValue> attributes) {
		LockKey stored = this.schema.stored(attributes);
		if (stored == null) {
			throw this.errors.wrongKey("An item of the table has the attributes " + attributes.keySet()
					+ ", without a configured key or with one that is not a string", null);
		}
		return stored;
	}

	private LockKey lock(LockKey stored) {
		LockKey lock = this.schema.lock(stored);
		if (lock == null) {
			throw this.item.notALock(stored, "its key has nothing after the namespace");
		}
		return lock;
	}

	private static void warn(LockTableException notALock) {
		logger.warn("Skipped an item while listing locks: {}", notALock.getMessage());
	}

}
