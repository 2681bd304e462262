/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * A {@link DynamoDbClient} with tables in memory, for tests that need locks but not
 * DynamoDB Local. The lock client is the real one, and all its guarantees hold among the
 * lock clients of the same instance. It starts at once, opens no port, and needs no other
 * license than this module's.
 *
 * <pre class="code"> DynamoDbClient dynamoDb = InMemoryDynamoDb.withLockTable("locks");
 * try (LockClient node1 = LockClient.builder(dynamoDb).build(); LockClient node2 =
 * LockClient.builder(dynamoDb).build()) { HeldLock lock = node1.acquire("report");
 * assertThat(node2.tryAcquire("report")).isEmpty(); } </pre>
 *
 * <p>
 * It supports the calls that lock clients and guarded writes make: calls for items (get,
 * put, update, delete, query, scan, transactional writes), with expressions over
 * top-level attributes, and calls for tables. Other calls throw
 * {@link UnsupportedOperationException}. Every read is consistent, every call succeeds at
 * once, and time to live deletes nothing. Thread-safe; closing it does nothing.
 */
public class InMemoryDynamoDb implements DynamoDbClient {

	private static final int REMEMBERED_TRANSACTIONS = 1000;

	private final Map<String, MemoryTable> tables = new TreeMap<>();

	/** The items of the last transactions, by their client request tokens. */
	private final Map<String, List<TransactWriteItem>> committed = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, List<TransactWriteItem>> eldest) {
			return size() > REMEMBERED_TRANSACTIONS;
		}

	};

	private final Lock lock = new ReentrantLock();

	/** Creates a DynamoDB without tables. */
	public InMemoryDynamoDb() {
	}

	/**
	 * Creates a DynamoDB with one lock table, whose partition key is {@code key}.
	 * @param tableName the table's name; lock clients use {@code locks} unless configured
	 * otherwise
	 * @return the client
	 */
	public static InMemoryDynamoDb withLockTable(String tableName) {
		InMemoryDynamoDb dynamoDb = new InMemoryDynamoDb();
		dynamoDb.createTable((table) -> table.tableName(tableName)
			.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("key").attributeType(ScalarAttributeType.S).build()));
		return dynamoDb;
	}

	@Override
	public CreateTableResponse createTable(CreateTableRequest request) {
		requireNo("a global secondary index",
				request.hasGlobalSecondaryIndexes() ? request.globalSecondaryIndexes() : null);
		requireNo("a local secondary index",
				request.hasLocalSecondaryIndexes() ? request.localSecondaryIndexes() : null);
		return locked(() -> {
			if (this.tables.containsKey(request.tableName())) {
				throw Failures.of(ResourceInUseException.builder(), "ResourceInUseException",
						"Table already exists: " + request.tableName());
			}
			MemoryTable table = new MemoryTable(request);
			this.tables.put(request.tableName(), table);
			return CreateTableResponse.builder().tableDescription(table.description()).build();
		});
	}

	@Override
	public DescribeTableResponse describeTable(DescribeTableRequest request) {
		return locked(() -> DescribeTableResponse.builder().table(table(request.tableName()).description()).build());
	}

	/** Returns all tables at once, without pages. */
	@Override
	public ListTablesResponse listTables(ListTablesRequest request) {
		return locked(() -> ListTablesResponse.builder().tableNames(this.tables.keySet()).build());
	}

	@Override
	public DeleteTableResponse deleteTable(DeleteTableRequest request) {
		return locked(() -> {
			MemoryTable table = table(request.tableName());
			this.tables.remove(request.tableName());
			return DeleteTableResponse.builder().tableDescription(table.description()).build();
		});
	}

	@Override
	public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
		return locked(() -> {
			table(request.tableName()).timeToLive(request.timeToLiveSpecification());
			return UpdateTimeToLiveResponse.builder()
				.timeToLiveSpecification(request.timeToLiveSpecification())
				.build();
		});
	}

	@Override
	public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
		return locked(() -> DescribeTimeToLiveResponse.builder()
			.timeToLiveDescription(table(request.tableName()).timeToLive())
			.build());
	}

	@Override
	public GetItemResponse getItem(GetItemRequest request) {
		return locked(() -> {
			Map<String, AttributeValue> item = table(request.tableName()).get(request.key());
			return GetItemResponse.builder().item(item.isEmpty() ? null : item).build();
		});
	}

	@Override
	public PutItemResponse putItem(PutItemRequest request) {
		return locked(() -> {
			ItemWrite write = new ItemWrite(ItemWrite.Kind.PUT, request);
			Map<String, AttributeValue> before = write.requireAllowed(table(request.tableName()));
			write.apply(table(request.tableName()));
			return PutItemResponse.builder().attributes(returned(request.returnValues(), before, Map.of())).build();
		});
	}

	@Override
	public UpdateItemResponse updateItem(UpdateItemRequest request) {
		return locked(() -> {
			ItemWrite write = new ItemWrite(ItemWrite.Kind.UPDATE, request);
			Map<String, AttributeValue> before = write.requireAllowed(table(request.tableName()));
			Map<String, AttributeValue> after = write.apply(table(request.tableName()));
			return UpdateItemResponse.builder().attributes(returned(request.returnValues(), before, after)).build();
		});
	}

	@Override
	public DeleteItemResponse deleteItem(DeleteItemRequest request) {
		return locked(() -> {
			ItemWrite write = new ItemWrite(ItemWrite.Kind.DELETE, request);
			Map<String, AttributeValue> before = write.requireAllowed(table(request.tableName()));
			write.apply(table(request.tableName()));
			return DeleteItemResponse.builder().attributes(returned(request.returnValues(), before, Map.of())).build();
		});
	}

	@Override
	public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
		return locked(() -> {
			String token = request.clientRequestToken();
			if (token != null && this.committed.containsKey(token)) {
				if (!request.transactItems().equals(this.committed.get(token))) {
					throw Failures.of(IdempotentParameterMismatchException.builder(),
							"IdempotentParameterMismatchException",
							"The client request token " + token + " was used with other parameters");
				}
				return TransactWriteItemsResponse.builder().build();
			}
			List<ItemWrite> writes = request.transactItems().stream().map(ItemWrite::of).toList();
			ItemWrite.requireAllowed(writes, (write) -> table(write.tableName()));
			writes.forEach((write) -> write.apply(table(write.tableName())));
			if (token != null) {
				this.committed.put(token, request.transactItems());
			}
			return TransactWriteItemsResponse.builder().build();
		});
	}

	@Override
	public QueryResponse query(QueryRequest request) {
		requireNo("an index", request.indexName());
		requireNo("a projection", request.projectionExpression());
		requireNo("a descending order", Boolean.FALSE.equals(request.scanIndexForward()) ? Boolean.FALSE : null);
		return locked(() -> {
			MemoryTable.Page page = table(request.tableName()).page(
					holds(request.keyConditionExpression(), request.expressionAttributeNames(),
							request.expressionAttributeValues()),
					holds(request.filterExpression(), request.expressionAttributeNames(),
							request.expressionAttributeValues()),
					request.limit(), request.exclusiveStartKey());
			return QueryResponse.builder()
				.items(page.items())
				.count(page.items().size())
				.lastEvaluatedKey(page.lastKey().isEmpty() ? null : page.lastKey())
				.build();
		});
	}

	@Override
	public ScanResponse scan(ScanRequest request) {
		requireNo("an index", request.indexName());
		requireNo("a projection", request.projectionExpression());
		return locked(() -> {
			MemoryTable.Page page = table(request.tableName()).page((item) -> true, holds(request.filterExpression(),
					request.expressionAttributeNames(), request.expressionAttributeValues()), request.limit(),
					request.exclusiveStartKey());
			return ScanResponse.builder()
				.items(page.items())
				.count(page.items().size())
				.lastEvaluatedKey(page.lastKey().isEmpty() ? null : page.lastKey())
				.build();
		});
	}

	@Override
	public DynamoDbWaiter waiter() {
		return DynamoDbWaiter.builder().client(this).build();
	}

	@Override
	public String serviceName() {
		return SERVICE_NAME;
	}

	@Override
	public void close() {
		// There is nothing to close, and other lock clients may still use the tables.
	}

	@Override
	public String toString() {
		return "InMemoryDynamoDb";
	}

	private static void requireNo(String what, @Nullable Object value) {
		if (value != null) {
			throw new UnsupportedOperationException("Tables in memory do not support requests with " + what
					+ ". Use DynamoDB Local (EmbeddedDynamoDb)");
		}
	}

	private <T> T locked(Supplier<T> call) {
		this.lock.lock();
		try {
			return call.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns a table by its name or ARN. */
	private MemoryTable table(String name) {
		MemoryTable table = this.tables.get(name.substring(name.lastIndexOf('/') + 1));
		if (table == null) {
			throw Failures.of(ResourceNotFoundException.builder(), "ResourceNotFoundException",
					"Requested resource not found: Table: " + name + " not found");
		}
		return table;
	}

	private static Predicate<Map<String, AttributeValue>> holds(@Nullable String expression, Map<String, String> names,
			Map<String, AttributeValue> values) {
		return (item) -> expression == null || new Expression(expression, names, values, item).holds();
	}

	private static @Nullable Map<String, AttributeValue> returned(@Nullable ReturnValue wanted,
			Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
		if (wanted == null || wanted == ReturnValue.NONE) {
			return null;
		}
		boolean old = wanted == ReturnValue.ALL_OLD || wanted == ReturnValue.UPDATED_OLD;
		Map<String, AttributeValue> returned = new HashMap<>(old ? before : after);
		if (wanted == ReturnValue.UPDATED_OLD || wanted == ReturnValue.UPDATED_NEW) {
			returned.keySet().removeIf((name) -> Values.equal(before.get(name), after.get(name)));
		}
		return returned.isEmpty() ? null : returned;
	}

}
