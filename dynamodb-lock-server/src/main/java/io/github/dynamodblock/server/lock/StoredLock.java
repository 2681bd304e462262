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
 * A lock as stored in the table. For the lock client, the owner is the instance of the
 * service that granted the lock. The service stores the holder in additional attributes.
 *
 * @param name the lock's name
 * @param owner the owner that holds it
 * @param instanceFingerprint the fingerprint of the owner's instance
 * @param lease how long it is held
 * @param calls the latest calls that extended the hold
 * @param record the lock client's record
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
	 * Up to 15 digits, so the seconds fit into a date. Another program may have written
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

	/**
	 * Checks who granted the lock, because the attributes of an earlier hold stay when
	 * another program acquires the lock.
	 */
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

	/**
	 * Returns the lock of a program that uses the table without the service. Such a lock
	 * is not free either.
	 */
	private static StoredLock ofAnotherProgram(LockRecord record, Instant now) {
		long seconds = record.leaseDuration().toSeconds();
		Instant end = record.leaseEnds().orElseGet(() -> now.plus(record.leaseDuration()));
		return new StoredLock(LockName.of(record.key()), record.ownerName(), NO_INSTANCE,
				new Lease(seconds, end.getEpochSecond()), KeyedCalls.NONE, record);
	}

	/**
	 * Returns the change that a grant writes.
	 * @param holder the holder
	 * @param lease how long the lock is held
	 * @param call the acquisition
	 * @param grantedBy the lock client's owner name
	 */
	static ItemChange granted(Holder holder, Lease lease, KeyedCall call, String grantedBy) {
		return lengthened(lease, KeyedCalls.NONE.and(call))
			.attributes(Map.of(OWNER, AttributeValue.fromS(holder.owner()), INSTANCE,
					AttributeValue.fromS(holder.instanceFingerprint()), GRANTED_BY, AttributeValue.fromS(grantedBy)));
	}

	/**
	 * Returns the change that is written when the holder renews the lock or acquires it
	 * again.
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
	 * Returns whether this is the given hold of a holder.
	 * @param holder the holder
	 * @param fencingToken the hold's token, or {@code null} for any
	 */
	boolean isHeldBy(Holder holder, @Nullable Long fencingToken) {
		return isHeldBy(holder) && (fencingToken == null || fencingToken().equals(OptionalLong.of(fencingToken)));
	}

	/**
	 * Returns whether the lease has ended.
	 * @param now the time
	 * @return whether the second of the expiry has passed
	 */
	public boolean isOver(Instant now) {
		return this.lease.isOver(now);
	}

	/**
	 * Returns the fencing token of the grant.
	 * @return the token, or empty if a program without fencing tokens has the lock
	 */
	public OptionalLong fencingToken() {
		return this.record.fencingToken();
	}

	/**
	 * Returns when the lock was granted, by the clock of the instance that granted it.
	 * @return the time, or empty if the record does not contain it
	 */
	public Optional<Instant> acquiredAt() {
		return this.record.acquiredAt();
	}

	/**
	 * Returns the token that can renew or release the lock, unless it has changed since
	 * it was read.
	 */
	LockToken token() {
		return new LockToken(this.record.key(), this.record.ownerName(), this.record.recordVersionNumber(),
				fencingToken().orElseThrow(), this.record.leaseDuration());
	}

}
