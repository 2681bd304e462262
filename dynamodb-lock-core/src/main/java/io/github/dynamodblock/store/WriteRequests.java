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

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The requests of the writes to a lock's item. Expressions of all writes but changes are
 * built once, only values differ from call to call. Names that can be configured, and
 * {@code data}, which DynamoDB reserves, are given by aliases; the others are written as
 * they are. Thread-safe.
 */
final class WriteRequests {

	private static final String LOCK_TYPES = "attribute_type(ownerName, :string)"
			+ " AND attribute_type(leaseDuration, :string) AND attribute_type(recordVersionNumber, :string)";

	/**
	 * What a claim requires of an item, besides its state: that it is a lock, since it
	 * may be data of the application. {@link LockItem#read} requires the same, or a
	 * client would wait for an item that it never takes. Two clauses on the token, since
	 * an AWS client's lock has none, and another owner needs a greater one.
	 */
	private static final String IS_A_LOCK = LOCK_TYPES
			+ " AND (attribute_not_exists(#token) OR #token BETWEEN :zero AND :greatest)";

	/** True without the attribute, and for any value but "1". */
	private static final String NOT_RELEASED = "isReleased <> :released";

	private static final String FREE = claimable(Precondition.FREE);

	private static final String FREE_OR_EXPIRED = claimable(Precondition.FREE.orVersion(""));

	/**
	 * A release by hand or by the AWS client leaves the version as it was, so the version
	 * alone does not say that the lock is held. Without the owner's name the item is not
	 * a lock, and guarded writes fail.
	 */
	private static final String RENEWABLE = "recordVersionNumber = :expected AND " + NOT_RELEASED
			+ " AND attribute_exists(ownerName)";

	/** Versions are never used twice, and a release has its own: no more is needed. */
	private static final String RELEASABLE = "recordVersionNumber = :expected";

	/**
	 * With the types, since another item of the application may have an owner's name.
	 */
	private static final String RELEASABLE_BY_FORCE = "ownerName = :expected AND " + NOT_RELEASED + " AND "
			+ LOCK_TYPES;

	private static final AttributeValue STRING = string("S");

	private static final AttributeValue RELEASED = string(LockItem.RELEASED);

	private static final AttributeValue ZERO = number(0);

	private static final AttributeValue ONE = number(1);

	private static final AttributeValue GREATEST_TOKEN = number(LockItem.GREATEST_FENCING_TOKEN);

	/** What DynamoDB allows after IN. */
	private static final int MOST_OPERANDS = 100;

	private final TableSchema schema;

	private final UpdateExpression claim;

	/** Claims that need an item have a condition without the partition key. */
	private final UpdateExpression claimOfItem;

	private final UpdateExpression renewal;

	private final UpdateExpression release;

	WriteRequests(TableSchema schema) {
		this.schema = schema;
		String token = schema.fencingTokenName();
		String expires = schema.timeToLiveName();
		this.claim = claim(Map.of("#key", schema.partitionKeyName(), "#token", token, "#expires", expires));
		this.claimOfItem = claim(Map.of("#token", token, "#expires", expires));
		this.renewal = new UpdateExpression(
				List.of("leaseDuration = :leaseDuration", "recordVersionNumber = :recordVersionNumber"), List.of(),
				List.of("renewedAt", "#expires", "leaseEnds"), Map.of("#expires", expires));
		this.release = new UpdateExpression(
				List.of("recordVersionNumber = :recordVersionNumber", "isReleased = :released"),
				List.of("renewedAt", "leaseEnds"), List.of("#expires"), Map.of("#expires", expires));
	}

	private static UpdateExpression claim(Map<String, String> names) {
		return new UpdateExpression(
				List.of("ownerName = :ownerName", "leaseDuration = :leaseDuration",
						"recordVersionNumber = :recordVersionNumber", "#token = if_not_exists(#token, :seed) + :one"),
				List.of("isReleased"), List.of("requestName", "acquiredAt", "renewedAt", "#expires", "leaseEnds"),
				names);
	}

	UpdateItemRequest.Builder claim(LockWrite.Claim claim) {
		LockRecord wanted = claim.wanted();
		Precondition precondition = claim.precondition();
		Map<String, AttributeValue> values = new HashMap<>(32);
		values.put(":ownerName", string(wanted.ownerName()));
		values.put(":leaseDuration", string(LockItem.writeLease(wanted.leaseDuration())));
		values.put(":seed", number(claim.tokenSeed()));
		values.put(":one", ONE);
		put(values, ":requestName", wanted.name().map(WriteRequests::string).orElse(null));
		put(values, ":acquiredAt", epochMillis(wanted.acquiredAt().orElse(null)));
		putVersion(values, claim.recordVersionNumber(), claim.timestamps());
		values.put(":string", STRING);
		values.put(":zero", ZERO);
		values.put(":greatest", GREATEST_TOKEN);
		if (precondition.released() || precondition.version() != null) {
			values.put(":released", RELEASED);
		}
		put(values, ":expired", (precondition.version() == null) ? null : string(precondition.version()));
		put(values, ":claimant", (precondition.owner() == null) ? null : string(precondition.owner()));
		Map<String, String> names = Map.of();
		String condition = state(precondition);
		if (precondition.condition() != null) {
			names = new HashMap<>();
			condition = both(condition, precondition.condition(), names, values);
		}
		UpdateExpression update = precondition.noItem() ? this.claim : this.claimOfItem;
		return request(claim.key(), condition, update, claim.change(), names, values);
	}

	/** The states in which the lock may be taken, the application's attributes apart. */
	private static String state(Precondition precondition) {
		if (precondition.noItem() && precondition.released() && precondition.owner() == null) {
			return (precondition.version() == null) ? FREE : FREE_OR_EXPIRED;
		}
		return claimable(precondition);
	}

	/** Adds a condition of the application, with its names and values. */
	private static String both(String state, ItemCondition condition, Map<String, String> names,
			Map<String, AttributeValue> values) {
		Map<String, String> aliases = new HashMap<>();
		String expression = condition
			.expression((name) -> aliases.computeIfAbsent(name, (first) -> "#c" + aliases.size()), (value) -> {
				String placeholder = ":c" + values.size();
				values.put(placeholder, value);
				return placeholder;
			});
		aliases.forEach((name, alias) -> names.put(alias, name));
		return "(" + state + ") AND (" + expression + ")";
	}

	private static String claimable(Precondition precondition) {
		List<String> states = new ArrayList<>();
		if (precondition.released()) {
			states.add("isReleased = :released");
		}
		if (precondition.version() != null) {
			String version = "recordVersionNumber = :expired";
			states.add(precondition.released() ? version : version + " AND " + NOT_RELEASED);
		}
		if (precondition.owner() != null) {
			// The second of two copies of a claim must not count a token that no client
			// is given.
			states.add("ownerName = :claimant AND recordVersionNumber <> :recordVersionNumber");
		}
		String state = (states.size() == 1) ? states.get(0) : "(" + String.join(" OR ", states) + ")";
		String item = state + " AND " + IS_A_LOCK;
		return precondition.noItem() ? "attribute_not_exists(#key) OR " + item : item;
	}

	UpdateItemRequest.Builder renew(LockWrite.Renew renew) {
		Map<String, AttributeValue> values = new HashMap<>();
		values.put(":leaseDuration", string(LockItem.writeLease(renew.leaseDuration())));
		values.put(":expected", string(renew.expected()));
		values.put(":released", RELEASED);
		putVersion(values, renew.recordVersionNumber(), renew.timestamps());
		return request(renew.key(), RENEWABLE, this.renewal, renew.change(), values);
	}

	UpdateItemRequest.Builder change(LockWrite.Change change) {
		Map<String, AttributeValue> values = new HashMap<>();
		LockRecord created = change.created();
		if (created == null) {
			values.put(":string", STRING);
			UpdateExpression update = new UpdateExpression(List.of(), List.of("#expires"), List.of(),
					Map.of("#expires", this.schema.timeToLiveName()));
			return request(change.key(), LOCK_TYPES, update, change.change(), values);
		}
		values.put(":ownerName", string(created.ownerName()));
		values.put(":leaseDuration", string(LockItem.writeLease(created.leaseDuration())));
		values.put(":released", RELEASED);
		putVersion(values, change.recordVersionNumber(), Timestamps.NONE);
		UpdateExpression creation = new UpdateExpression(
				List.of("ownerName = :ownerName", "leaseDuration = :leaseDuration",
						"recordVersionNumber = :recordVersionNumber", "isReleased = :released"),
				List.of(), List.of(), Map.of("#key", this.schema.partitionKeyName()));
		return request(change.key(), "attribute_not_exists(#key)", creation, change.change(), values);
	}

	UpdateItemRequest.Builder release(LockWrite.Release release) {
		Map<String, AttributeValue> values = new HashMap<>();
		String condition = releasable(release.expected(), values);
		return release(release, condition, release.freeing(), values);
	}

	DeleteItemRequest.Builder delete(LockWrite.Release release) {
		Map<String, AttributeValue> values = new HashMap<>();
		String condition = releasable(release.expected(), values);
		return deletion(release.key(), condition, values);
	}

	private static String releasable(Set<String> versions, Map<String, AttributeValue> values) {
		if (versions.size() == 1) {
			values.put(":expected", string(versions.iterator().next()));
			return RELEASABLE;
		}
		List<String> conditions = new ArrayList<>();
		List<String> operands = new ArrayList<>();
		for (String version : versions) {
			String operand = ":e" + values.size();
			values.put(operand, string(version));
			operands.add(operand);
			if (operands.size() == MOST_OPERANDS || values.size() == versions.size()) {
				conditions.add("recordVersionNumber IN (" + String.join(", ", operands) + ")");
				operands.clear();
			}
		}
		return String.join(" OR ", conditions);
	}

	UpdateItemRequest.Builder forceRelease(LockWrite.ForcedRelease release) {
		Map<String, AttributeValue> values = forced(release);
		return release(release, RELEASABLE_BY_FORCE, release.freeing(), values);
	}

	DeleteItemRequest.Builder forceDelete(LockWrite.ForcedRelease release) {
		Map<String, AttributeValue> values = forced(release);
		return deletion(release.key(), RELEASABLE_BY_FORCE, values);
	}

	private static Map<String, AttributeValue> forced(LockWrite.ForcedRelease release) {
		Map<String, AttributeValue> values = new HashMap<>();
		values.put(":expected", string(release.expectedOwner()));
		values.put(":released", RELEASED);
		values.put(":string", STRING);
		return values;
	}

	private UpdateItemRequest.Builder release(LockWrite write, String condition, LockWrite.Freeing freeing,
			Map<String, AttributeValue> values) {
		values.put(":released", RELEASED);
		putVersion(values, write.recordVersionNumber(), new Timestamps(null, freeing.expiresAt(), null));
		return request(write.key(), condition, this.release, freeing.change(), values);
	}

	private UpdateItemRequest.Builder request(LockKey key, String condition, UpdateExpression update, ItemChange change,
			Map<String, AttributeValue> values) {
		return request(key, condition, update, change, Map.of(), values);
	}

	/** A request whose condition needs names besides those of its update. */
	private UpdateItemRequest.Builder request(LockKey key, String condition, UpdateExpression update, ItemChange change,
			Map<String, String> names, Map<String, AttributeValue> values) {
		UpdateExpression.Text text = update.text(change, values);
		Map<String, String> allNames = text.names();
		if (!names.isEmpty()) {
			allNames = new HashMap<>(allNames);
			allNames.putAll(names);
		}
		return UpdateItemRequest.builder()
			.tableName(this.schema.tableName())
			.key(this.schema.item(key))
			.conditionExpression(condition)
			.updateExpression(text.expression())
			.expressionAttributeNames(allNames)
			.expressionAttributeValues(values)
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
	}

	private DeleteItemRequest.Builder deletion(LockKey key, String condition, Map<String, AttributeValue> values) {
		return DeleteItemRequest.builder()
			.tableName(this.schema.tableName())
			.key(this.schema.item(key))
			.conditionExpression(condition)
			.expressionAttributeValues(values)
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
	}

	/** The version, and what the write says by the wall clock. */
	private static void putVersion(Map<String, AttributeValue> values, String version, Timestamps timestamps) {
		values.put(":recordVersionNumber", string(version));
		put(values, ":renewedAt", epochMillis(timestamps.renewedAt()));
		Instant expiresAt = timestamps.expiresAt();
		put(values, ":expires", (expiresAt == null) ? null : number(expiresAt.getEpochSecond()));
		Instant ends = timestamps.leaseEnds();
		put(values, ":leaseEnds", (ends == null) ? null : string(LockItem.writeEnd(version, ends)));
	}

	private static void put(Map<String, AttributeValue> values, String placeholder, @Nullable AttributeValue value) {
		if (value != null) {
			values.put(placeholder, value);
		}
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
