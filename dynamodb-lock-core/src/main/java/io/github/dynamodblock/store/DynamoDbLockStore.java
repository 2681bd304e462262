/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The lock table in DynamoDB.
 */
public final class DynamoDbLockStore implements LockStore {

	private static final String UPDATE_ITEM = "UpdateItem";

	private static final String DELETE_ITEM = "DeleteItem";

	private static final String GET_ITEM = "GetItem";

	/**
	 * For heartbeats, which the protocol retries: a retry of the SDK would occupy a slot
	 * that other locks need, without knowing how much of the lease is left.
	 */
	private static final SdkPlugin NO_RETRIES = (client) -> client
		.overrideConfiguration((override) -> override.retryStrategy(AwsRetryStrategy.doNotRetry()));

	private final CallLimits limits = new CallLimits(System::nanoTime);

	private final ServiceClock serviceClock = new ServiceClock(System::nanoTime);

	private final DynamoDbClient client;

	private final TableSchema schema;

	private final LockItem item;

	private final WriteRequests requests;

	private final StoreErrors errors;

	private final LockPages pages;

	private final GuardedWrites guarded;

	/**
	 * A store of the locks of a table and namespace. It does not close the SDK's client.
	 */
	public DynamoDbLockStore(DynamoDbClient client, TableSchema schema) {
		this.client = client;
		this.schema = schema;
		this.item = new LockItem(schema);
		this.requests = new WriteRequests(schema);
		this.errors = new StoreErrors(client, schema);
		this.pages = new LockPages(client, schema, this.item, this.errors);
		this.guarded = new GuardedWrites(client, schema, this.item, this.errors);
	}

	/** Where the table is: the region, and the endpoint if it is not the region's. */
	public String place() {
		return this.errors.place();
	}

	@Override
	public Answer write(LockWrite write, long limitNanos) {
		AwsRequestOverrideConfiguration limit = this.limits.limit(limitNanos);
		if (write instanceof LockWrite.Claim claim) {
			return answer(write, UPDATE_ITEM, () -> updated(claim, this.requests.claim(claim), limit));
		}
		if (write instanceof LockWrite.Change change) {
			return answer(write, UPDATE_ITEM, () -> updated(change, this.requests.change(change), limit));
		}
		if (write instanceof LockWrite.Renew renew) {
			AwsRequestOverrideConfiguration once = limit.toBuilder().addPlugin(NO_RETRIES).build();
			return answer(write, UPDATE_ITEM, () -> update(this.requests.renew(renew), once));
		}
		if (write instanceof LockWrite.Release release) {
			return release.freeing().deleteItem()
					? answer(write, DELETE_ITEM, () -> delete(this.requests.delete(release), limit))
					: answer(write, UPDATE_ITEM, () -> update(this.requests.release(release), limit));
		}
		LockWrite.ForcedRelease forced = (LockWrite.ForcedRelease) write;
		return forced.freeing().deleteItem()
				? answer(write, DELETE_ITEM, () -> delete(this.requests.forceDelete(forced), limit))
				: answer(write, UPDATE_ITEM, () -> update(this.requests.forceRelease(forced), limit));
	}

	@Override
	public Answer read(LockKey key, boolean consistent, long limitNanos) {
		return answer(GET_ITEM, () -> {
			GetItemRequest request = GetItemRequest.builder()
				.tableName(this.schema.tableName())
				.key(this.schema.item(key))
				.consistentRead(consistent)
				.overrideConfiguration(this.limits.limit(limitNanos))
				.build();
			Map<String, AttributeValue> item = this.serviceClock.noting(() -> this.client.getItem(request)).item();
			return answer(key, item, this.item::read, Answer.Found::new);
		});
	}

	@Override
	public Answer transact(Step.Transact transact) {
		return this.guarded.send(transact, this.limits.limit(transact.limitNanos()));
	}

	@Override
	public PageAnswer list(PageRequest request, long limitNanos) {
		return this.pages.read(request, this.limits.limit(limitNanos));
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.serviceClock.now();
	}

	/** Sends an update whose answer has the item. */
	private Answer updated(LockWrite write, UpdateItemRequest.Builder update, AwsRequestOverrideConfiguration limit) {
		UpdateItemRequest request = update.returnValues(ReturnValue.ALL_NEW).overrideConfiguration(limit).build();
		Map<String, AttributeValue> item = this.serviceClock.noting(() -> this.client.updateItem(request)).attributes();
		try {
			return new Answer.Applied(item.isEmpty() ? null : this.item.read(write.key(), item));
		}
		catch (LockTableException notALock) {
			// It was applied; the next read reports what is wrong with the item.
			return new Answer.Applied(null);
		}
	}

	private Answer update(UpdateItemRequest.Builder update, AwsRequestOverrideConfiguration limit) {
		UpdateItemRequest request = update.overrideConfiguration(limit).build();
		this.serviceClock.noting(() -> this.client.updateItem(request));
		return new Answer.Applied(null);
	}

	private Answer delete(DeleteItemRequest.Builder delete, AwsRequestOverrideConfiguration limit) {
		DeleteItemRequest request = delete.overrideConfiguration(limit).build();
		this.serviceClock.noting(() -> this.client.deleteItem(request));
		return new Answer.Applied(null);
	}

	private Answer answer(LockWrite write, String operation, Supplier<Answer> call) {
		return answer(operation, () -> {
			try {
				return call.get();
			}
			catch (ConditionalCheckFailedException ex) {
				Answer refused = refused(write, ex.item());
				return firstAttemptMayBeApplied(write, refused, ex) ? this.errors.answer(operation, ex) : refused;
			}
		});
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

	/**
	 * A release that the SDK sent twice is refused if its first attempt was applied:
	 * another client may have taken the lock since, or its item may be gone.
	 */
	private static boolean firstAttemptMayBeApplied(LockWrite write, Answer answer,
			ConditionalCheckFailedException ex) {
		if (ex.numAttempts() == null || ex.numAttempts() < 2 || !(answer instanceof Answer.Refused refused)) {
			return false;
		}
		LockRecord found = refused.record();
		if (write instanceof LockWrite.Release) {
			return found == null || !found.recordVersionNumber().equals(write.recordVersionNumber());
		}
		return write instanceof LockWrite.ForcedRelease && found == null;
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
