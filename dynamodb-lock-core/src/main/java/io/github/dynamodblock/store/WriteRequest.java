/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Builds the request of one write to a lock's item. Expressions use aliases, which begin
 * with {@code #}, for configurable names and for {@code data}, which DynamoDB reserves.
 * Other names are written as they are. The placeholder of an attribute's value is a colon
 * and the name or alias. Not thread-safe.
 */
final class WriteRequest {

	private static final String LOCK_TYPES = "attribute_type(ownerName, :string)"
			+ " AND attribute_type(leaseDuration, :string) AND attribute_type(recordVersionNumber, :string)";

	/**
	 * Requires that the item is a lock, because it may be data of the application.
	 * {@link LockItem#read} requires the same; otherwise, a client would wait for an item
	 * that it can never claim. The token may be missing, because the AWS lock client
	 * writes none. If there is one, the next owner must be able to get a greater one.
	 */
	private static final String IS_A_LOCK = LOCK_TYPES
			+ " AND (attribute_not_exists(#token) OR #token BETWEEN :zero AND :greatest)";

	/** True if the attribute is missing, and for any value except "1". */
	private static final String NOT_RELEASED = "isReleased <> :released";

	/**
	 * The version alone does not show that the lock is held: a release by hand or by the
	 * AWS lock client keeps it. Without an owner name, the item is not a lock, and
	 * guarded writes fail.
	 */
	private static final String RENEWABLE = "recordVersionNumber = :expected AND " + NOT_RELEASED
			+ " AND attribute_exists(ownerName)";

	private static final String NO_ITEM = "attribute_not_exists(#key) OR ";

	private static final String FREE = "isReleased = :released AND " + IS_A_LOCK;

	private static final String SILENT = "recordVersionNumber = :expired";

	private static final String EXPIRED = SILENT + " AND " + NOT_RELEASED + " AND " + IS_A_LOCK;

	private static final String FREE_OR_EXPIRED = "(isReleased = :released OR " + SILENT + ") AND " + IS_A_LOCK;

	/**
	 * The version is enough: versions are never used twice, and a release writes a new
	 * one.
	 */
	private static final String RELEASABLE = "recordVersionNumber = :expected";

	private static final AttributeValue STRING = string("S");

	private static final AttributeValue RELEASED = string(LockItem.RELEASED);

	private static final AttributeValue ZERO = number(0);

	private static final AttributeValue GREATEST = number(LockItem.GREATEST_FENCING_TOKEN);

	private static final AttributeValue RESERVED = number(LockWrite.Claim.TOKENS);

	/**
	 * The mark of a kept item. It is also written as the time to live, which DynamoDB
	 * ignores if it is not a number.
	 */
	private static final AttributeValue KEPT = string("kept");

	/** The placeholders of the lock's own attributes. */
	private static final Map<String, String> PLACEHOLDERS = Stream
		.concat(LockItem.FIXED_NAMES.stream(), Stream.of("#data", "#expires", "#keep", "#wanted"))
		.collect(Collectors.toUnmodifiableMap(Function.identity(), WriteRequest::placeholder));

	/** DynamoDB's limit for the operands of IN. */
	private static final int MOST_OPERANDS = 100;

	private final TableSchema schema;

	private final LockKey key;

	private final AwsRequestOverrideConfiguration limit;

	private final StringBuilder sets = new StringBuilder(304);

	private final StringBuilder removes = new StringBuilder();

	/** Attribute names by their aliases. */
	private final Map<String, String> names = new HashMap<>();

	private final Map<String, AttributeValue> values = new HashMap<>(32);

	private WriteRequest(TableSchema schema, LockKey key, AwsRequestOverrideConfiguration limit) {
		this.schema = schema;
		this.key = key;
		this.limit = limit;
	}

	/**
	 * Returns an {@link UpdateItemRequest}, or a {@link DeleteItemRequest} for a release
	 * that deletes the item. The request asks DynamoDB for the new item only if the
	 * protocol needs it.
	 */
	static DynamoDbRequest of(LockWrite write, TableSchema schema, AwsRequestOverrideConfiguration limit) {
		WriteRequest request = new WriteRequest(schema, write.key(), limit);
		if (write instanceof LockWrite.Claim claim) {
			return request.claim(claim);
		}
		if (write instanceof LockWrite.Change change) {
			return request.change(change);
		}
		if (write instanceof LockWrite.Renew renew) {
			return request.renew(renew);
		}
		return request.release((LockWrite.Release) write);
	}

	/** Returns the request of a mark, which never creates an item. */
	static UpdateItemRequest of(Step.Mark mark, TableSchema schema, AwsRequestOverrideConfiguration limit) {
		WriteRequest request = new WriteRequest(schema, mark.key(), limit);
		request.names.put("#wanted", LockItem.WANTED_BY);
		request.put("#wanted", string(mark.waiting()));
		request.values.put(":string", STRING);
		return request.update(LOCK_TYPES, ReturnValue.ALL_NEW);
	}

	private UpdateItemRequest claim(LockWrite.Claim claim) {
		LockRecord wanted = claim.wanted();
		putOwner(wanted);
		set("#token", "if_not_exists(#token, :seed) + :reserved");
		this.names.put("#token", this.schema.fencingTokenName());
		this.values.put(":seed", number(claim.tokenSeed()));
		this.values.put(":reserved", RESERVED);
		put("isReleased", null);
		put("requestName", wanted.name().map(WriteRequest::string).orElse(null));
		put("acquiredAt", epochMillis(wanted.acquiredAt().orElse(null)));
		putTimes(claim.recordVersionNumber(), claim.timestamps());
		if (claim.keepItem()) {
			putKept();
		}
		putChange(claim.change());
		return update(claimable(claim.precondition()), ReturnValue.ALL_NEW);
	}

	private String claimable(Precondition precondition) {
		String condition = precondition.noItem() ? NO_ITEM + FREE : FREE;
		if (precondition.version() != null) {
			condition = precondition.noItem() ? NO_ITEM + FREE_OR_EXPIRED : FREE_OR_EXPIRED;
		}
		if (!precondition.released()) {
			condition = precondition.noItem() ? NO_ITEM + EXPIRED : EXPIRED;
		}
		this.values.put(":released", RELEASED);
		this.values.put(":string", STRING);
		this.values.put(":zero", ZERO);
		this.values.put(":greatest", GREATEST);
		if (precondition.version() != null) {
			this.values.put(":expired", string(precondition.version()));
		}
		if (precondition.noItem()) {
			this.names.put("#key", this.schema.partitionKeyName());
		}
		if (precondition.condition() != null) {
			condition = "(" + condition + ") AND (" + precondition.condition().expression() + ")";
			this.names.putAll(precondition.condition().names());
			this.values.putAll(precondition.condition().values());
		}
		return condition;
	}

	private UpdateItemRequest renew(LockWrite.Renew renew) {
		put("leaseDuration", string(LockItem.writeLease(renew.leaseDuration())));
		put("recordVersionNumber", string(renew.recordVersionNumber()));
		putTimes(renew.recordVersionNumber(), renew.timestamps());
		putChange(renew.change());
		this.values.put(":expected", string(renew.expected()));
		this.values.put(":released", RELEASED);
		return updateMarked(RENEWABLE);
	}

	private UpdateItemRequest change(LockWrite.Change change) {
		putChange(change.change());
		putKept();
		LockRecord created = change.created();
		if (created == null) {
			putExpiry(null);
			this.values.put(":string", STRING);
			return update(LOCK_TYPES, ReturnValue.ALL_NEW);
		}
		putOwner(created);
		put("isReleased", RELEASED);
		this.names.put("#key", this.schema.partitionKeyName());
		return update("attribute_not_exists(#key)", ReturnValue.ALL_NEW);
	}

	private String releasable(Set<String> versions) {
		if (versions.size() == 1) {
			this.values.put(":expected", string(versions.iterator().next()));
			return RELEASABLE;
		}
		List<String> operands = new ArrayList<>();
		versions.forEach((version) -> operands.add(value("e" + operands.size(), string(version))));
		return IntStream.iterate(0, (from) -> from < operands.size(), (from) -> from + MOST_OPERANDS)
			.mapToObj((from) -> operands.subList(from, Math.min(from + MOST_OPERANDS, operands.size())))
			.map((some) -> "recordVersionNumber IN (" + String.join(", ", some) + ")")
			.collect(Collectors.joining(" OR "));
	}

	private DynamoDbRequest release(LockWrite.Release release) {
		String condition = releasable(release.expected());
		if (release.deleteItem()) {
			this.names.put("#keep", LockItem.KEEP);
			return DeleteItemRequest.builder()
				.tableName(this.schema.tableName())
				.key(this.schema.item(this.key))
				.conditionExpression("(" + condition + ") AND attribute_not_exists(#keep)")
				.expressionAttributeNames(this.names)
				.expressionAttributeValues(this.values)
				.returnValues(ReturnValue.ALL_OLD)
				.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
				.overrideConfiguration(this.limit)
				.build();
		}
		put("recordVersionNumber", string(release.recordVersionNumber()));
		set("isReleased", ":released");
		this.values.put(":released", RELEASED);
		putTimes(release.recordVersionNumber(), new Timestamps(null, release.expiresAt(), null));
		putChange(release.change());
		return updateMarked(condition);
	}

	/** Removes the mark of a waiting client; the response still shows it. */
	private UpdateItemRequest updateMarked(String condition) {
		put(LockItem.WANTED_BY, null);
		return update(condition, ReturnValue.UPDATED_OLD);
	}

	private UpdateItemRequest update(String condition, ReturnValue returned) {
		return UpdateItemRequest.builder()
			.tableName(this.schema.tableName())
			.key(this.schema.item(this.key))
			.conditionExpression(condition)
			.updateExpression(this.sets.append(this.removes).toString())
			.expressionAttributeNames(this.names)
			.expressionAttributeValues(this.values)
			.returnValues(returned)
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
			.overrideConfiguration(this.limit)
			.build();
	}

	private void putOwner(LockRecord record) {
		put("ownerName", string(record.ownerName()));
		put("leaseDuration", string(LockItem.writeLease(record.leaseDuration())));
		put("recordVersionNumber", string(record.recordVersionNumber()));
	}

	private void putTimes(String version, Timestamps timestamps) {
		Instant ends = timestamps.leaseEnds();
		put("renewedAt", epochMillis(timestamps.renewedAt()));
		putExpiry(timestamps.expiresAt());
		put("leaseEnds", (ends == null) ? null : string(LockItem.writeEnd(version, ends)));
	}

	/** Removes the time to live, or sets it unless the item is marked as kept. */
	private void putExpiry(@Nullable Instant expiresAt) {
		this.names.put("#expires", this.schema.timeToLiveName());
		if (expiresAt == null) {
			put("#expires", null);
			return;
		}
		this.names.put("#keep", LockItem.KEEP);
		String time = value("#expires", number(expiresAt.getEpochSecond()));
		set("#expires", "if_not_exists(#keep, " + time + ")");
	}

	/** Marks the item, so no client deletes it or gives it a time to live. */
	private void putKept() {
		this.names.put("#keep", LockItem.KEEP);
		put("#keep", KEPT);
	}

	private void putChange(ItemChange change) {
		if (change.changesData()) {
			this.names.put("#data", LockItem.DATA);
			put("#data", change.data().map(SdkBytes::fromByteArray).map(AttributeValue::fromB).orElse(null));
		}
		change.attributes().forEach((name, value) -> put(alias(name), value));
		change.copies().forEach((name, copy) -> {
			String alias = alias(name);
			set(alias, "if_not_exists(" + alias(copy.from()) + ", " + value(alias, copy.ifMissing()) + ")");
		});
		change.removedAttributes().forEach((name) -> put(alias(name), null));
	}

	private String alias(String name) {
		String alias = "#a" + this.names.size();
		this.names.put(alias, name);
		return alias;
	}

	/** Sets an attribute, or removes it if there is no value. */
	private void put(String attribute, @Nullable AttributeValue value) {
		if (value == null) {
			this.removes.append(this.removes.isEmpty() ? " REMOVE " : ", ").append(attribute);
		}
		else {
			set(attribute, value(attribute, value));
		}
	}

	private void set(String attribute, String operand) {
		this.sets.append(this.sets.isEmpty() ? "SET " : ", ").append(attribute).append(" = ").append(operand);
	}

	/** Adds an attribute's value, and returns its placeholder. */
	private String value(String attribute, AttributeValue value) {
		String known = PLACEHOLDERS.get(attribute);
		String placeholder = (known != null) ? known : placeholder(attribute);
		this.values.put(placeholder, value);
		return placeholder;
	}

	private static String placeholder(String attribute) {
		return ":" + (attribute.startsWith("#") ? attribute.substring(1) : attribute);
	}

	private static AttributeValue string(String value) {
		return AttributeValue.fromS(value);
	}

	private static AttributeValue number(long value) {
		return AttributeValue.fromN(Long.toString(value));
	}

	private static @Nullable AttributeValue epochMillis(@Nullable Instant time) {
		return (time == null) ? null : number(time.toEpochMilli());
	}

}
