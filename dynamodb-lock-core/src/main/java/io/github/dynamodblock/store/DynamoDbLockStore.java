/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The lock table in DynamoDB. The SDK sends each call once, without retries, except for
 * pages of a listing.
 */
public final class DynamoDbLockStore implements LockStore {

	private static final String CONDITION_FAILED = "ConditionalCheckFailed";

	/** The cancellation reasons for which a retry may succeed. */
	private static final Set<String> PASSING = Set.of("None", "TransactionConflict", "ThrottlingError",
			"ProvisionedThroughputExceeded", "RequestLimitExceeded");

	private final CallLimits limits = new CallLimits(System::nanoTime);

	private final ServiceClock serviceClock = new ServiceClock(System::nanoTime);

	private final DynamoDbClient client;

	private final TableSchema schema;

	private final LockItem item;

	private final StoreErrors errors;

	/**
	 * Creates a store for the locks of a table and namespace. It does not close the SDK's
	 * client.
	 */
	public DynamoDbLockStore(DynamoDbClient client, TableSchema schema) {
		this.client = client;
		this.schema = schema;
		this.item = new LockItem(schema);
		this.errors = new StoreErrors(client, schema);
	}

	/**
	 * Returns where the table is: the region, and the endpoint if it is not the region's.
	 */
	public String place() {
		return this.errors.place();
	}

	@Override
	public Answer send(Step.Call call) {
		AwsRequestOverrideConfiguration limit = this.limits.limit(call.limitNanos());
		if (call instanceof Step.Write write) {
			return write(write.write(), limit);
		}
		if (call instanceof Step.Transact transact) {
			return transact(transact.guard(), (ItemTransaction) transact.transaction(), limit);
		}
		return (call instanceof Step.Mark mark) ? mark(mark, limit) : read((Step.Read) call, limit);
	}

	private Answer write(LockWrite write, AwsRequestOverrideConfiguration limit) {
		DynamoDbRequest request = WriteRequest.of(write, this.schema, limit);
		String operation = (request instanceof DeleteItemRequest) ? "DeleteItem" : "UpdateItem";
		return answer(operation, () -> {
			try {
				return applied(write, request);
			}
			catch (ConditionalCheckFailedException ex) {
				return refused(write, ex.item());
			}
		});
	}

	private Answer applied(LockWrite write, DynamoDbRequest request) {
		if (request instanceof DeleteItemRequest delete) {
			Map<String, AttributeValue> deleted = this.serviceClock.noting(() -> this.client.deleteItem(delete))
				.attributes();
			return new Answer.Applied(null, LockItem.wantedBy(deleted));
		}
		UpdateItemRequest update = (UpdateItemRequest) request;
		Map<String, AttributeValue> item = this.serviceClock.noting(() -> this.client.updateItem(update)).attributes();
		if (update.returnValues() == ReturnValue.UPDATED_OLD) {
			return new Answer.Applied(null, LockItem.wantedBy(item));
		}
		try {
			return new Answer.Applied(item.isEmpty() ? null : this.item.read(write.key(), item),
					LockItem.wantedBy(item));
		}
		catch (LockTableException notALock) {
			// The write was applied. The next read reports what is wrong with the item.
			return new Answer.Applied(null);
		}
	}

	private Answer mark(Step.Mark mark, AwsRequestOverrideConfiguration limit) {
		UpdateItemRequest request = WriteRequest.of(mark, this.schema, limit);
		return answer("UpdateItem", () -> {
			Map<String, AttributeValue> item;
			try {
				item = this.serviceClock.noting(() -> this.client.updateItem(request)).attributes();
			}
			catch (ConditionalCheckFailedException ex) {
				item = ex.item();
			}
			return answer(mark.key(), item, this.item::read, Answer.Found::new);
		});
	}

	private Answer read(Step.Read read, AwsRequestOverrideConfiguration limit) {
		return answer("GetItem", () -> {
			GetItemRequest request = GetItemRequest.builder()
				.tableName(this.schema.tableName())
				.key(this.schema.item(read.key()))
				.consistentRead(read.consistent())
				.overrideConfiguration(limit)
				.build();
			Map<String, AttributeValue> item = this.serviceClock.noting(() -> this.client.getItem(request)).item();
			return answer(read.key(), item, this.item::read, Answer.Found::new);
		});
	}

	private Answer transact(Guard guard, ItemTransaction transaction, AwsRequestOverrideConfiguration limit) {
		if (TablesAcrossRegions.contain(this.client, this.schema)) {
			return new Answer.Failed(
					new LockStoreException("The guarded write of lock '" + guard.key() + "' was not sent: lock table '"
							+ this.schema.tableName() + "' is a global table with multi-region strong consistency. "
							+ TablesAcrossRegions.NO_TRANSACTIONS, null));
		}
		String elsewhere = transaction.tableElsewhere(this.schema, this.errors.region());
		if (elsewhere != null) {
			return new Answer.Failed(new LockStoreException("The guarded write of lock '" + guard.key()
					+ "' was not sent: table '" + elsewhere + "' is not in the region of lock table '"
					+ this.schema.tableName() + "'. DynamoDB has no transactions across regions; guard the table with "
					+ "locks in its own region", null));
		}
		return answer(StoreErrors.TRANSACT_WRITE_ITEMS, () -> {
			try {
				return new Answer.Committed(
						this.client.transactWriteItems(transaction.guarded(guard, this.schema, limit)));
			}
			catch (TransactionCanceledException ex) {
				return cancelled(guard, ex);
			}
		});
	}

	private Answer cancelled(Guard guard, TransactionCanceledException cancellation) {
		List<CancellationReason> reasons = cancellation.cancellationReasons();
		LockException explained = this.errors.explain(StoreErrors.TRANSACT_WRITE_ITEMS, cancellation);
		if (reasons.isEmpty() || StoreErrors.isRepeated(cancellation)) {
			return new Answer.Unknown(explained);
		}
		CancellationReason ofTheLock = reasons.get(reasons.size() - 1);
		if (CONDITION_FAILED.equals(ofTheLock.code())) {
			Answer refused = answer(guard.key(), ofTheLock.item(), this.item::read, Answer.Refused::new);
			return (refused instanceof Answer.Failed) ? new Answer.Refused(null) : refused;
		}
		if (reasons.stream().allMatch((reason) -> PASSING.contains(String.valueOf(reason.code())))) {
			return new Answer.NotApplied(explained);
		}
		// The reasons for the application's items, in the items' order.
		return new Answer.Cancelled(
				cancellation.toBuilder().cancellationReasons(reasons.subList(0, reasons.size() - 1)).build());
	}

	@Override
	public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
		return new LockPages(this.client, this.schema, this.item, this.errors, request, openCheck, slots,
				this.limits.limitOfPage());
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.serviceClock.now();
	}

	private Answer answer(String operation, Supplier<Answer> call) {
		try {
			return call.get();
		}
		catch (Throwable ex) {
			// An interceptor of the application may throw anything, before or after the
			// call.
			return this.errors.answer(operation, ex);
		}
	}

	private Answer refused(LockWrite write, Map<String, AttributeValue> item) {
		boolean claim = write instanceof LockWrite.Claim;
		return answer(write.key(), item, claim ? this.item::readRefused : this.item::read, Answer.Refused::new);
	}

	private static Answer answer(LockKey key, Map<String, AttributeValue> item,
			BiFunction<LockKey, Map<String, AttributeValue>, LockRecord> reading,
			Function<@Nullable LockRecord, Answer> answer) {
		try {
			return answer.apply(item.isEmpty() ? null : reading.apply(key, item));
		}
		catch (LockTableException notALock) {
			return new Answer.Failed(notALock);
		}
	}

}
