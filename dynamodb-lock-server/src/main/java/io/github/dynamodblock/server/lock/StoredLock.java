/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.server.lock.KeyedCalls.KeyedCall;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock as the table has it. To the lock client, the service's instance that granted it
 * is the owner; whom it was granted to stands in attributes of the service.
 *
 * @param name what the lock is called
 * @param owner whom it was granted to
 * @param instanceFingerprint which instance of the owner
 * @param lease how long
 * @param calls the latest calls that lengthened the hold
 * @param record what the lock client knows of it
 */
public record StoredLock(LockName name, String owner, String instanceFingerprint, Lease lease, KeyedCalls calls,
		LockRecord record) {

	private static final String GRANTED_BY = "grantedBy";

	private static final String OWNER = "lockOwner";

	private static final String INSTANCE = "lockInstance";

	private static final String SECONDS = "leaseSeconds";

	private static final String EXPIRY = "expiry";

	private static final String CALLS = "calls";

	private static final String NO_INSTANCE = "";

	/**
	 * Up to 15 digits: seconds that fit into a date. Another program may have written
	 * anything.
	 */
	private static final Pattern WHOLE = Pattern.compile("-?\\d{1,15}");

	/**
	 * Reads a lock.
	 * @param record the lock's record
	 * @param now the time
	 * @return the lock, or empty if it is released
	 */
	public static Optional<StoredLock> of(LockRecord record, Instant now) {
		if (record.isReleased()) {
			return Optional.empty();
		}
		return Optional.of(granted(record).orElseGet(() -> ofAnotherProgram(record, now)));
	}

	/** The attributes of a hold stay when another program takes the lock after it. */
	private static Optional<StoredLock> granted(LockRecord record) {
		Map<String, AttributeValue> attributes = record.attributes();
		String owner = text(attributes, OWNER);
		String instance = text(attributes, INSTANCE);
		Long seconds = number(attributes, SECONDS);
		Long expiry = number(attributes, EXPIRY);
		boolean granted = record.ownerName().equals(text(attributes, GRANTED_BY)) && record.fencingToken().isPresent();
		if (!granted || owner == null || instance == null || seconds == null || expiry == null) {
			return Optional.empty();
		}
		return Optional.of(new StoredLock(LockName.of(record.key()), owner, instance, new Lease(seconds, expiry),
				calls(attributes), record));
	}

	/** A program that locks on this table without the service: its locks are not free. */
	private static StoredLock ofAnotherProgram(LockRecord record, Instant now) {
		long seconds = record.leaseDuration().toSeconds();
		Instant end = record.leaseEnds().orElseGet(() -> now.plus(record.leaseDuration()));
		return new StoredLock(LockName.of(record.key()), record.ownerName(), NO_INSTANCE,
				new Lease(seconds, end.getEpochSecond()), KeyedCalls.NONE, record);
	}

	/**
	 * What a grant writes.
	 * @param holder whom the lock is granted to
	 * @param lease how long
	 * @param call the acquisition
	 * @param grantedBy the lock client's owner name
	 */
	static ItemChange granted(Holder holder, Lease lease, KeyedCall call, String grantedBy) {
		return lengthened(lease, KeyedCalls.NONE.and(call))
			.attributes(Map.of(OWNER, AttributeValue.fromS(holder.owner()), INSTANCE,
					AttributeValue.fromS(holder.instanceFingerprint()), GRANTED_BY, AttributeValue.fromS(grantedBy)));
	}

	/**
	 * What is written when the holder renews the lock or acquires it again.
	 */
	static ItemChange lengthened(Lease lease, KeyedCalls calls) {
		return ItemChange.none()
			.attributes(Map.of(SECONDS, AttributeValue.fromN(Long.toString(lease.seconds())), EXPIRY,
					AttributeValue.fromN(Long.toString(lease.expiry())), CALLS, AttributeValue
						.fromL(calls.latest().stream().map(KeyedCall::toString).map(AttributeValue::fromS).toList())));
	}

	private static KeyedCalls calls(Map<String, AttributeValue> attributes) {
		AttributeValue stored = attributes.get(CALLS);
		return (stored == null) ? KeyedCalls.NONE : new KeyedCalls(
				stored.l().stream().map(AttributeValue::s).filter(Objects::nonNull).map(KeyedCall::parse).toList());
	}

	private static @Nullable String text(Map<String, AttributeValue> attributes, String name) {
		AttributeValue value = attributes.get(name);
		return (value == null) ? null : value.s();
	}

	private static @Nullable Long number(Map<String, AttributeValue> attributes, String name) {
		AttributeValue value = attributes.get(name);
		return (value == null || value.n() == null || !WHOLE.matcher(value.n()).matches()) ? null
				: Long.valueOf(value.n());
	}

	boolean isHeldBy(Holder holder) {
		return this.owner.equals(holder.owner())
				&& Fingerprints.areEqual(this.instanceFingerprint, holder.instanceFingerprint());
	}

	/**
	 * Whether this is a certain hold of a holder.
	 * @param holder the holder
	 * @param fencingToken the hold's token, or {@code null} for any
	 */
	boolean isHeldBy(Holder holder, @Nullable Long fencingToken) {
		return isHeldBy(holder) && (fencingToken == null || fencingToken().equals(OptionalLong.of(fencingToken)));
	}

	/**
	 * Whether the lock is held no longer.
	 * @param now the time
	 * @return whether the second of the expiry is over
	 */
	public boolean isOver(Instant now) {
		return this.lease.isOver(now);
	}

	/**
	 * The fencing token of the grant.
	 * @return the token, or empty if another program has the lock, which knows of none
	 */
	public OptionalLong fencingToken() {
		return this.record.fencingToken();
	}

	/**
	 * When the lock was granted, by the clock of the instance that did.
	 * @return the time, or empty if the record does not say
	 */
	public Optional<Instant> acquiredAt() {
		return this.record.acquiredAt();
	}

	/**
	 * What renews and releases the lock as it was read, and nothing newer.
	 */
	LockToken token() {
		return new LockToken(this.record.key(), this.record.ownerName(), this.record.recordVersionNumber(),
				fencingToken().orElseThrow(), this.record.leaseDuration());
	}

}
