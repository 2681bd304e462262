/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.LockWrite;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of a lock's item, and how they are read; {@link WriteRequest} writes
 * them. The key and the first five attributes have the names and types of the AWS lock
 * client for Java, so both clients can contend for one lock.
 */
final class LockItem {

	private static final String OWNER_NAME = "ownerName";

	private static final String LEASE_DURATION = "leaseDuration";

	private static final String RECORD_VERSION_NUMBER = "recordVersionNumber";

	private static final String IS_RELEASED = "isReleased";

	static final String DATA = "data";

	/** The name of the request that acquired the lock. */
	private static final String REQUEST_NAME = "requestName";

	private static final String ACQUIRED_AT = "acquiredAt";

	private static final String RENEWED_AT = "renewedAt";

	/** Written by clients with a clock skew bound. */
	private static final String LEASE_ENDS = "leaseEnds";

	/** The owner that waited last; the holder's next write removes it. */
	static final String WANTED_BY = "wantedBy";

	/** The mark of an item that no write deletes or gives a time to live. */
	static final String KEEP = "keep";

	static final String RELEASED = "1";

	/**
	 * The number of a format that this version does not know. Such an item has a map with
	 * this number in place of the text of its lease. Claims, marks and changes require
	 * the text. Heartbeats and releases require the record version number of an item in
	 * this version's format.
	 */
	private static final String FORMAT = "format";

	/**
	 * Above this token, a claim could not reserve tokens for all its holders. Tokens that
	 * begin with epoch microseconds reach it in the year 294,000.
	 */
	static final long GREATEST_FENCING_TOKEN = Long.MAX_VALUE - 2 * LockWrite.Claim.TOKENS + 1;

	static final List<String> FIXED_NAMES = List.of(OWNER_NAME, LEASE_DURATION, RECORD_VERSION_NUMBER, IS_RELEASED,
			DATA, REQUEST_NAME, ACQUIRED_AT, RENEWED_AT, LEASE_ENDS, WANTED_BY, KEEP);

	private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

	private static final char END_SEPARATOR = '|';

	private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,19}");

	private static final Pattern EPOCH_MILLISECONDS = Pattern.compile("[0-9]{1,15}");

	private static final Pattern UNITS = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "ms", 1_000_000L, "s",
			1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	private final TableSchema schema;

	private final Set<String> ownAttributes;

	LockItem(TableSchema schema) {
		this.schema = schema;
		this.ownAttributes = Set.copyOf(ownAttributes(schema));
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

	/** Returns the owner that waited for a lock, from its item or a part of the item. */
	static @Nullable String wantedBy(Map<String, AttributeValue> item) {
		AttributeValue waiting = item.get(WANTED_BY);
		return (waiting == null) ? null : waiting.s();
	}

	/**
	 * Reads the item that a refused claim found.
	 * @throws LockTableException if the item is not a lock, or no client can acquire it
	 * any more
	 */
	LockRecord readRefused(LockKey key, Map<String, AttributeValue> item) {
		LockRecord found = read(key, item);
		if (found.fencingToken().orElse(0) > GREATEST_FENCING_TOKEN) {
			throw notALock(key, this.schema.fencingTokenName(),
					"is too close to the greatest possible number, 2^63 - 1, for the next owner to get a greater one");
		}
		return found;
	}

	/**
	 * Reads an item.
	 * @throws LockTableException if the item is not a lock
	 */
	LockRecord read(LockKey key, Map<String, AttributeValue> item) {
		checkFormat(key, item);
		String owner = text(key, item, OWNER_NAME);
		String lease = text(key, item, LEASE_DURATION);
		Duration leaseDuration = readLease(lease);
		if (leaseDuration == null || leaseDuration.isZero()) {
			throw notALock(key, LEASE_DURATION, "is a string, but not a positive number of milliseconds");
		}
		AttributeValue released = item.get(IS_RELEASED);
		AttributeValue data = item.get(DATA);
		AttributeValue name = item.get(REQUEST_NAME);
		String version = text(key, item, RECORD_VERSION_NUMBER);
		return LockRecord.builder(key, owner, leaseDuration, version)
			.leaseEnds(readEnd(version, item.get(LEASE_ENDS)))
			.attributes(applicationAttributes(item))
			.released(released != null && RELEASED.equals(released.s()))
			.data((data == null || data.b() == null) ? null : data.b().asByteArrayUnsafe())
			.fencingToken(fencingToken(key, item))
			.name((name == null) ? null : name.s())
			.acquiredAt(time(item.get(ACQUIRED_AT)))
			.renewedAt(time(item.get(RENEWED_AT)))
			.build();
	}

	private void checkFormat(LockKey key, Map<String, AttributeValue> item) {
		AttributeValue lease = item.get(LEASE_DURATION);
		BigDecimal format = (lease == null) ? null : number(lease.m().get(FORMAT));
		if (format != null) {
			throw new LockTableException(this.schema.tableName(), LockTableException.Problem.NOT_A_LOCK,
					"A newer version wrote the item '" + this.schema.stored(key) + "' of table '"
							+ this.schema.tableName() + "', in format " + format.toPlainString()
							+ ", which this version does not know. The item was not changed; upgrade this application",
					null);
		}
	}

	private Map<String, AttributeValue> applicationAttributes(Map<String, AttributeValue> item) {
		Map<String, AttributeValue> attributes = new LinkedHashMap<>();
		item.forEach((name, value) -> {
			if (!this.ownAttributes.contains(name)) {
				attributes.put(name, value);
			}
		});
		return attributes;
	}

	/**
	 * Returns a lease as items store it: whole milliseconds in digits. Go programs write
	 * durations such as "20s" or "1m30s" instead; {@link #readLease} reads both.
	 */
	static String writeLease(Duration lease) {
		return Long.toString(lease.toMillis());
	}

	/** Returns a lease, not negative, or {@code null} if the text is not one. */
	static @Nullable Duration readLease(String text) {
		if (!MILLISECONDS.matcher(text).matches()) {
			return unitsOfGo(text);
		}
		BigDecimal millis = new BigDecimal(text);
		return (millis.compareTo(GREATEST) > 0) ? null : Duration.ofMillis(millis.longValue());
	}

	private static @Nullable Duration unitsOfGo(String text) {
		Matcher unit = UNITS.matcher(text);
		BigDecimal nanos = BigDecimal.ZERO;
		int end = 0;
		while (unit.find() && unit.start() == end) {
			long unitNanos = Objects.requireNonNull(NANOS.get(unit.group(2)));
			nanos = nanos.add(new BigDecimal(unit.group(1)).multiply(BigDecimal.valueOf(unitNanos)));
			end = unit.end();
		}
		if (end == 0 || end != text.length() || nanos.compareTo(GREATEST) > 0) {
			return null;
		}
		return Duration.ofNanos(nanos.setScale(0, RoundingMode.CEILING).longValueExact());
	}

	/**
	 * Returns the end of a lease by the owner's clock, as items store it: the record
	 * version number to which it belongs, and epoch milliseconds. A client that does not
	 * know the attribute keeps it, but writes another record version number, which makes
	 * it void.
	 */
	static String writeEnd(String recordVersionNumber, Instant leaseEnds) {
		return recordVersionNumber + END_SEPARATOR + leaseEnds.toEpochMilli();
	}

	/**
	 * Returns the end of the lease, or {@code null} if the attribute has none for this
	 * version.
	 */
	static @Nullable Instant readEnd(String recordVersionNumber, @Nullable AttributeValue value) {
		if (value == null || value.s() == null || !value.s().startsWith(recordVersionNumber + END_SEPARATOR)) {
			return null;
		}
		String milliseconds = value.s().substring(recordVersionNumber.length() + 1);
		return EPOCH_MILLISECONDS.matcher(milliseconds).matches() ? Instant.ofEpochMilli(Long.parseLong(milliseconds))
				: null;
	}

	/**
	 * Returns a time that is only informational. A value that is no time may be the
	 * application's, and is no error.
	 */
	private static @Nullable Instant time(@Nullable AttributeValue epochMillis) {
		BigDecimal millis = number(epochMillis);
		return (millis == null || millis.abs().compareTo(GREATEST) > 0) ? null
				: Instant.ofEpochMilli(millis.longValue());
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
		// The condition of a guarded write never matches a fraction.
		if (token.signum() < 0 || token.compareTo(GREATEST) > 0 || token.stripTrailingZeros().scale() > 0) {
			throw notALock(key, this.schema.fencingTokenName(), "is a number, but not an integer from 0 to 2^63");
		}
		return token.longValue();
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
		return notALock(this.schema.stored(key), "its attribute '" + attribute + "' " + what);
	}

	/** Returns the exception for an item that is not a lock. */
	LockTableException notALock(LockKey stored, String why) {
		return new LockTableException(this.schema.tableName(), LockTableException.Problem.NOT_A_LOCK,
				"The item '" + stored + "' of table '" + this.schema.tableName() + "' is not a lock: " + why
						+ ". It was not changed; use another key or table, or delete the item",
				null);
	}

}
