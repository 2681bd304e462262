/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Guard;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Transactions of the application with a condition on a lock's item. Thread-safe.
 */
final class GuardedWrites {

	/** As DynamoDB and IAM name it. */
	static final String TRANSACT_WRITE_ITEMS = "TransactWriteItems";

	/** Heartbeats do not change what this requires. */
	private static final String HELD = "ownerName = :owner AND #token = :token AND isReleased <> :released";

	private static final String CONDITION_FAILED = "ConditionalCheckFailed";

	/** The reasons of a cancellation that another attempt may not have. */
	private static final Set<String> PASSING = Set.of("None", "TransactionConflict", "ThrottlingError",
			"ProvisionedThroughputExceeded", "RequestLimitExceeded");

	private final DynamoDbClient client;

	private final TableSchema schema;

	private final LockItem item;

	private final StoreErrors errors;

	GuardedWrites(DynamoDbClient client, TableSchema schema, LockItem item, StoreErrors errors) {
		this.client = client;
		this.schema = schema;
		this.item = item;
		this.errors = errors;
	}

	/** The condition that the lock is held by its owner under its fencing token. */
	static ConditionCheck check(Guard guard, TableSchema schema) {
		return ConditionCheck.builder()
			.tableName(schema.tableName())
			.key(schema.item(guard.key()))
			.conditionExpression(HELD)
			.expressionAttributeNames(Map.of("#token", schema.fencingTokenName()))
			.expressionAttributeValues(Map.of(":owner", AttributeValue.fromS(guard.ownerName()), ":token",
					AttributeValue.fromN(Long.toString(guard.fencingToken())), ":released",
					AttributeValue.fromS(LockItem.RELEASED)))
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.build();
	}

	Answer send(Step.Transact transact, AwsRequestOverrideConfiguration limit) {
		ItemTransaction transaction = (ItemTransaction) transact.transaction();
		String elsewhere = tableElsewhere(transaction);
		if (elsewhere != null) {
			return new Answer.Failed(new LockStoreException("The guarded write of lock '" + transact.guard().key()
					+ "' was not sent: table '" + elsewhere + "' is not in the region of lock table '"
					+ this.schema.tableName() + "'. DynamoDB has no transactions across regions; "
					+ "guard the table by locks in its own region", null));
		}
		try {
			return new Answer.Committed(this.client.transactWriteItems(request(transact, transaction, limit)));
		}
		catch (TransactionCanceledException ex) {
			return cancelled(transact.guard(), ex);
		}
		catch (TransactionInProgressException ex) {
			// An earlier attempt; this one's answer will be its own.
			return new Answer.Unknown(this.errors.explain(TRANSACT_WRITE_ITEMS, ex));
		}
		catch (Throwable ex) {
			return this.errors.answer(TRANSACT_WRITE_ITEMS, ex);
		}
	}

	/** An item's table in another region, as its ARN shows, or {@code null}. */
	private @Nullable String tableElsewhere(ItemTransaction transaction) {
		String region = Objects.requireNonNullElse(regionOf(this.schema.tableName()), this.errors.region());
		return region.isEmpty() ? null : transaction.tables().stream().filter((table) -> {
			String another = regionOf(table);
			return another != null && !another.equals(region);
		}).findFirst().orElse(null);
	}

	/** The region of an ARN; {@code null} for a name. */
	private static @Nullable String regionOf(String table) {
		String[] parts = table.split(":", 5);
		return (parts.length == 5) ? parts[3] : null;
	}

	private TransactWriteItemsRequest request(Step.Transact transact, ItemTransaction transaction,
			AwsRequestOverrideConfiguration limit) {
		AwsRequestOverrideConfiguration override = transaction.request()
			.overrideConfiguration()
			.map((given) -> given.toBuilder().apiCallTimeout(limit.apiCallTimeout().orElseThrow()).build())
			.orElse(limit);
		return transaction.request()
			.toBuilder()
			.transactItems(transaction.itemsWith(check(transact.guard(), this.schema)))
			.overrideConfiguration(override)
			.build();
	}

	private Answer cancelled(Guard guard, TransactionCanceledException cancellation) {
		List<CancellationReason> reasons = cancellation.cancellationReasons();
		if (!cancellation.hasCancellationReasons() || reasons.isEmpty()) {
			return new Answer.Unknown(this.errors.explain(TRANSACT_WRITE_ITEMS, cancellation));
		}
		CancellationReason ofTheLock = reasons.get(reasons.size() - 1);
		if (CONDITION_FAILED.equals(ofTheLock.code())) {
			return new Answer.Refused(found(guard, ofTheLock));
		}
		if (cancellation.numAttempts() != null && cancellation.numAttempts() > 1) {
			// An earlier attempt of the SDK may still be committed.
			return new Answer.Unknown(this.errors.explain(TRANSACT_WRITE_ITEMS, cancellation));
		}
		if (reasons.stream().allMatch((reason) -> PASSING.contains(String.valueOf(reason.code())))) {
			return new Answer.Contended(this.errors.explain(TRANSACT_WRITE_ITEMS, cancellation));
		}
		// The reasons of the application's items, in their order.
		return new Answer.Cancelled(
				cancellation.toBuilder().cancellationReasons(reasons.subList(0, reasons.size() - 1)).build());
	}

	private @Nullable LockRecord found(Guard guard, CancellationReason reason) {
		try {
			return reason.item().isEmpty() ? null : this.item.read(guard.key(), reason.item());
		}
		catch (LockTableException notALock) {
			return null;
		}
	}

}
