/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Precondition;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Timestamps;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The lock as an item: its attributes, and the expressions that write it. The names and
 * types of the first six are those of the AWS lock client for Java, so that both can
 * contend for one lock.
 */
final class LockItem {

	private static final String OWNER_NAME = "ownerName";

	private static final String LEASE_DURATION = "leaseDuration";

	private static final String RECORD_VERSION_NUMBER = "recordVersionNumber";

	private static final String IS_RELEASED = "isReleased";

	private static final String DATA = "data";

	/** What its owner calls this kind of lock. */
	private static final String REQUEST_NAME = "requestName";

	private static final String ACQUIRED_AT = "acquiredAt";

	private static final String RENEWED_AT = "renewedAt";

	/** Written by clients that trust clocks; void once anything else is written. */
	private static final String LEASE_ENDS = "leaseEnds";

	private static final String RELEASED = "1";

	// Microseconds reach it in the year 294,000; what is above was never counted.
	private static final long GREATEST_FENCING_TOKEN = Long.MAX_VALUE - 1;

	/** What DynamoDB allows after IN. */
	private static final int MOST_OPERANDS = 100;

	private static final List<String> FIXED_NAMES = List.of(OWNER_NAME, LEASE_DURATION, RECORD_VERSION_NUMBER,
			IS_RELEASED, DATA, REQUEST_NAME, ACQUIRED_AT, RENEWED_AT, LEASE_ENDS);

	private final TableSchema schema;

	private final ItemKeys keys;

	private final Set<String> ownAttributes;

	LockItem(TableSchema schema, ItemKeys keys) {
		this.schema = schema;
		this.keys = keys;
		this.ownAttributes = ownAttributes(schema);
	}

	/** The names of the attributes that are not the application's. */
	static Set<String> ownAttributes(TableSchema schema) {
		Set<String> names = new TreeSet<>(FIXED_NAMES);
		names.addAll(List.of(schema.partitionKeyName(), schema.fencingTokenName(), schema.timeToLiveName()));
		if (schema.sortKeyName() != null) {
			names.add(schema.sortKeyName());
		}
		return Collections.unmodifiableSet(names);
	}

	static void checkAttributeNames(String partitionKeyName, @Nullable String sortKeyName, String fencingTokenName,
			String timeToLiveName) {
		Set<String> taken = new LinkedHashSet<>(FIXED_NAMES);
		checkAttributeName("partitionKeyName", partitionKeyName, taken);
		if (sortKeyName != null) {
			checkAttributeName("sortKeyName", sortKeyName, taken);
		}
		checkAttributeName("fencingTokenAttributeName", fencingTokenName, taken);
		checkAttributeName("timeToLiveAttributeName", timeToLiveName, taken);
	}

	private static void checkAttributeName(String option, String name, Set<String> taken) {
		TableSchema.requireName(option, name);
		if (!taken.add(name)) {
			throw new IllegalArgumentException(
					option + " is '" + name + "', which another attribute of the lock's item has; choose another name");
		}
	}

	Map<String, AttributeValue> key(LockKey key) {
		return this.keys.attributes(this.keys.stored(key));
	}

	UpdateItemRequest.Builder claim(LockWrite.Claim claim) {
		LockRecord wanted = claim.wanted();
		ItemExpression update = new ItemExpression();
		update.set(OWNER_NAME, string(wanted.ownerName()));
		update.set(LEASE_DURATION, string(LeaseText.write(wanted.leaseDuration())));
		update.set(RECORD_VERSION_NUMBER, string(wanted.recordVersionNumber()));
		update.set(REQUEST_NAME, wanted.name().map(LockItem::string).orElse(null));
		update.set(ACQUIRED_AT, epochMillis(wanted.acquiredAt().orElse(null)));
		update.set(IS_RELEASED, null);
		update.count(this.schema.fencingTokenName(), number(claim.tokenSeed()));
		stamp(update, wanted.recordVersionNumber(), claim.timestamps());
		change(update, claim.change());
		return request(claim.key(), claimable(update, claim), update).returnValues(ReturnValue.ALL_NEW);
	}

	private void stamp(ItemExpression update, String version, Timestamps timestamps) {
		update.set(RENEWED_AT, epochMillis(timestamps.renewedAt()));
		update.set(this.schema.timeToLiveName(), epochSeconds(timestamps.expiresAt()));
		Instant ends = timestamps.leaseEnds();
		update.set(LEASE_ENDS, (ends == null) ? null : string(LeaseEndText.write(version, ends)));
	}

	private static void change(ItemExpression update, ItemChange change) {
		if (change.changesData()) {
			update.set(DATA,
					change.data().map((bytes) -> AttributeValue.fromB(SdkBytes.fromByteArray(bytes))).orElse(null));
		}
		change.attributes().forEach(update::set);
		change.removedAttributes().forEach((name) -> update.set(name, null));
	}

	/**
	 * Never an item that is not a lock: it may be somebody's data. A held item that this
	 * takes for none is none to {@link #read} either, or a claim would wait in vain.
	 */
	private String claimable(ItemExpression update, LockWrite.Claim claim) {
		String text = update.value(string("S"));
		String token = update.name(this.schema.fencingTokenName());
		String held = ("(%s) AND attribute_type(%s, %s) AND attribute_type(%s, %s) AND attribute_type(%s, %s)"
				+ " AND (attribute_not_exists(%s) OR %s BETWEEN %s AND %s)")
			.formatted(claimableState(update, claim), update.name(OWNER_NAME), text, update.name(LEASE_DURATION), text,
					update.name(RECORD_VERSION_NUMBER), text, token, token, update.value(number(0)),
					update.value(number(GREATEST_FENCING_TOKEN)));
		return claim.precondition().noItem()
				? "attribute_not_exists(%s) OR (%s)".formatted(update.name(this.schema.partitionKeyName()), held)
				: held;
	}

	private static String claimableState(ItemExpression update, LockWrite.Claim claim) {
		Precondition precondition = claim.precondition();
		List<String> states = new ArrayList<>();
		if (precondition.released()) {
			states.add("%s = %s".formatted(update.name(IS_RELEASED), update.value(string(RELEASED))));
		}
		if (precondition.version() != null) {
			String version = "%s = %s".formatted(update.name(RECORD_VERSION_NUMBER),
					update.value(string(precondition.version())));
			states.add(precondition.released() ? version : version + " AND " + notReleased(update));
		}
		if (precondition.owner() != null) {
			// A claim that arrives twice in a row must not count a token of which
			// nobody hears.
			states.add("%s = %s AND %s <> %s".formatted(update.name(OWNER_NAME),
					update.value(string(precondition.owner())), update.name(RECORD_VERSION_NUMBER),
					update.value(string(claim.recordVersionNumber()))));
		}
		return String.join(" OR ", states);
	}

	private static String notReleased(ItemExpression update) {
		return "(attribute_not_exists(%s) OR %s <> %s)".formatted(update.name(IS_RELEASED), update.name(IS_RELEASED),
				update.value(string(RELEASED)));
	}

	UpdateItemRequest.Builder renew(LockWrite.Renew renew) {
		ItemExpression update = new ItemExpression();
		update.set(LEASE_DURATION, string(LeaseText.write(renew.leaseDuration())));
		update.set(RECORD_VERSION_NUMBER, string(renew.recordVersionNumber()));
		stamp(update, renew.recordVersionNumber(), renew.timestamps());
		change(update, renew.change());
		// Whoever frees a lock by hand may leave its record version number as it was.
		// Without its owner's name the item is no lock, and a guard would not find it.
		String held = "%s AND %s AND attribute_exists(%s)".formatted(heldAs(update, Set.of(renew.expected())),
				notReleased(update), update.name(OWNER_NAME));
		return request(renew.key(), held, update);
	}

	UpdateItemRequest.Builder release(LockWrite.Release release) {
		ItemExpression update = freed(release.recordVersionNumber(), release.freeing());
		return request(release.key(), heldAs(update, release.expected()), update);
	}

	DeleteItemRequest.Builder delete(LockWrite.Release release) {
		ItemExpression condition = new ItemExpression();
		return deletion(release.key(), heldAs(condition, release.expected()), condition);
	}

	UpdateItemRequest.Builder forceRelease(LockWrite.ForcedRelease release) {
		ItemExpression update = freed(release.recordVersionNumber(), release.freeing());
		return request(release.key(), heldBy(update, release.expectedOwner()), update);
	}

	DeleteItemRequest.Builder forceDelete(LockWrite.ForcedRelease release) {
		ItemExpression condition = new ItemExpression();
		return deletion(release.key(), heldBy(condition, release.expectedOwner()), condition);
	}

	private ItemExpression freed(String version, LockWrite.Freeing freeing) {
		ItemExpression update = new ItemExpression();
		update.set(RECORD_VERSION_NUMBER, string(version));
		update.set(IS_RELEASED, string(RELEASED));
		stamp(update, version, new Timestamps(null, freeing.expiresAt(), null));
		change(update, freeing.change());
		return update;
	}

	private DeleteItemRequest.Builder deletion(LockKey key, String held, ItemExpression condition) {
		return DeleteItemRequest.builder()
			.tableName(this.schema.tableName())
			.key(key(key))
			.conditionExpression(held)
			.expressionAttributeNames(condition.names())
			.expressionAttributeValues(condition.values())
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
	}

	private UpdateItemRequest.Builder request(LockKey key, String condition, ItemExpression update) {
		return UpdateItemRequest.builder()
			.tableName(this.schema.tableName())
			.key(key(key))
			.conditionExpression(condition)
			.updateExpression(update.updateExpression())
			.expressionAttributeNames(update.names())
			.expressionAttributeValues(update.values())
			.returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
	}

	private static String heldAs(ItemExpression update, Set<String> versions) {
		String version = update.name(RECORD_VERSION_NUMBER);
		List<String> values = versions.stream().map((each) -> update.value(string(each))).toList();
		String held = IntStream.iterate(0, (from) -> from < values.size(), (from) -> from + MOST_OPERANDS)
			.mapToObj((from) -> values.subList(from, Math.min(values.size(), from + MOST_OPERANDS)))
			.map((some) -> "%s IN (%s)".formatted(version, String.join(", ", some)))
			.collect(Collectors.joining(" OR "));
		return "(" + held + ")";
	}

	private static String heldBy(ItemExpression expression, String owner) {
		// Whatever else has an owner's name is not a lock, and somebody's data.
		String text = expression.value(string("S"));
		return "%s = %s AND attribute_type(%s, %s) AND attribute_type(%s, %s) AND %s".formatted(
				expression.name(OWNER_NAME), expression.value(string(owner)), expression.name(RECORD_VERSION_NUMBER),
				text, expression.name(LEASE_DURATION), text, notReleased(expression));
	}

	/**
	 * The lock that an item is, as a refused claim found it.
	 * @throws LockTableException if the item is not a lock, or one that nobody can have
	 * any more
	 */
	LockRecord readRefused(LockKey key, Map<String, AttributeValue> item) {
		LockRecord found = read(key, item);
		if (found.fencingToken().orElse(0) > GREATEST_FENCING_TOKEN) {
			throw notALock(key, this.schema.fencingTokenName(),
					"is the greatest possible number, so that no owner can have a greater one");
		}
		return found;
	}

	/**
	 * The lock that an item is.
	 * @throws LockTableException if the item is not a lock
	 */
	LockRecord read(LockKey key, Map<String, AttributeValue> item) {
		String owner = text(key, item, OWNER_NAME);
		String lease = text(key, item, LEASE_DURATION);
		Duration leaseDuration = LeaseText.read(lease);
		if (leaseDuration == null || leaseDuration.isZero()) {
			throw notALock(key, LEASE_DURATION, "is a string, but no positive number of milliseconds");
		}
		AttributeValue released = item.get(IS_RELEASED);
		AttributeValue data = item.get(DATA);
		AttributeValue name = item.get(REQUEST_NAME);
		String version = text(key, item, RECORD_VERSION_NUMBER);
		return LockRecord.builder(key, owner, leaseDuration, version)
			.leaseEnds(LeaseEndText.read(version, item.get(LEASE_ENDS)))
			.attributes(applicationAttributes(item))
			.released(released != null && RELEASED.equals(released.s()))
			.data((data == null || data.b() == null) ? null : data.b().asByteArrayUnsafe())
			.fencingToken(fencingToken(key, item))
			.name((name == null) ? null : name.s())
			.acquiredAt(time(item.get(ACQUIRED_AT)))
			.renewedAt(time(item.get(RENEWED_AT)))
			.build();
	}

	private Map<String, AttributeValue> applicationAttributes(Map<String, AttributeValue> item) {
		Map<String, AttributeValue> attributes = new LinkedHashMap<>(item);
		attributes.keySet().removeAll(this.ownAttributes);
		return attributes;
	}

	/** Decides nothing: an application's own attribute of this name is no fault. */
	private static @Nullable Instant time(@Nullable AttributeValue epochMillis) {
		BigDecimal millis = number(epochMillis);
		if (millis == null || millis.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
			return null;
		}
		return Instant.ofEpochMilli(millis.longValue());
	}

	private String text(LockKey key, Map<String, AttributeValue> item, String name) {
		AttributeValue value = item.get(name);
		if (value == null || value.s() == null) {
			throw notALock(key, name, (value == null) ? "is missing" : "is not a string but " + value.type());
		}
		return value.s();
	}

	private @Nullable Long fencingToken(LockKey key, Map<String, AttributeValue> item) {
		AttributeValue value = item.get(this.schema.fencingTokenName());
		if (value == null) {
			return null;
		}
		BigDecimal token = number(value);
		if (token == null) {
			throw notALock(key, this.schema.fencingTokenName(), "is not a number but " + value.type());
		}
		try {
			long exact = token.longValueExact();
			if (exact >= 0) {
				return exact;
			}
		}
		catch (ArithmeticException ex) {
			// Not in range, or a fraction, which a guard would never find.
		}
		throw notALock(key, this.schema.fencingTokenName(), "is a number, but not a whole one from 0 to 2^63");
	}

	private static @Nullable BigDecimal number(@Nullable AttributeValue value) {
		try {
			return (value == null || value.n() == null) ? null : new BigDecimal(value.n());
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private LockTableException notALock(LockKey key, String attribute, String what) {
		return new LockTableException(this.schema.tableName(), LockTableException.Problem.NOT_A_LOCK,
				"The item '" + this.keys.stored(key) + "' of table '" + this.schema.tableName()
						+ "' is not a lock: its attribute '" + attribute + "' " + what
						+ ". It was left as it is; use another key or table, or delete it",
				null);
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

	private static @Nullable AttributeValue epochSeconds(@Nullable Instant time) {
		return (time == null) ? null : number(time.getEpochSecond());
	}

}
