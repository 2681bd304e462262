/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Three ways to write what a lock guards, and what each says about the outcome.
 */
final class CounterWrites {

	private static final String CONDITION_FAILED = "ConditionalCheckFailed";

	private CounterWrites() {
	}

	/**
	 * Updates the guarded counter.
	 * @param guard the lock on which the update has a condition, or {@code null} for none
	 * @param composed whether the application composes the transaction, which it sends
	 * without asking whether the lock is held
	 */
	static Outcome write(DynamoDbClient dynamoDb, @Nullable HeldLock guard, Update update, boolean composed)
			throws InterruptedException {
		if (guard == null) {
			return unguarded(dynamoDb, update);
		}
		return composed ? composed(dynamoDb, guard, update) : guarded(guard, update);
	}

	/** By the lock client, which adds the condition on the lock. */
	static Outcome guarded(HeldLock lock, Update update) throws InterruptedException {
		try {
			lock.transactWrite(List.of(TransactWriteItem.builder().update(update).build()));
			return Outcome.ACKNOWLEDGED;
		}
		catch (LockLostException ex) {
			return Outcome.REFUSED;
		}
		catch (LockException ex) {
			return Outcome.UNKNOWN;
		}
	}

	/** By a transaction of the application, sent whether or not the lock is held. */
	static Outcome composed(DynamoDbClient dynamoDb, HeldLock lock, Update update) {
		try {
			dynamoDb.transactWriteItems(
					(transaction) -> transaction.transactItems(TransactWriteItem.builder().update(update).build(),
							TransactWriteItem.builder().conditionCheck(lock.conditionCheck()).build()));
			return Outcome.ACKNOWLEDGED;
		}
		catch (TransactionCanceledException ex) {
			return isOfTheLock(ex) ? Outcome.REFUSED : Outcome.UNKNOWN;
		}
		catch (SdkException ex) {
			return Outcome.UNKNOWN;
		}
	}

	/** Then no attempt that is still under way can be committed either. */
	private static boolean isOfTheLock(TransactionCanceledException ex) {
		List<CancellationReason> reasons = ex.cancellationReasons();
		return !reasons.isEmpty() && CONDITION_FAILED.equals(reasons.get(reasons.size() - 1).code());
	}

	/** Without any condition. */
	static Outcome unguarded(DynamoDbClient dynamoDb, Update update) {
		try {
			dynamoDb.updateItem((write) -> write.tableName(update.tableName())
				.key(update.key())
				.updateExpression(update.updateExpression())
				.expressionAttributeNames(update.expressionAttributeNames())
				.expressionAttributeValues(update.expressionAttributeValues()));
			return Outcome.ACKNOWLEDGED;
		}
		catch (SdkException ex) {
			return Outcome.UNKNOWN;
		}
	}

}
