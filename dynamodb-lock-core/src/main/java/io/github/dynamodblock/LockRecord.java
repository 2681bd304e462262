/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The state of a lock as it was read from its item, held or released. A record is a
 * snapshot and does not change with the lock. Immutable and thread-safe.
 *
 * <pre>{@code
 * String owner = client.find("orders-42").map(LockRecord::ownerName).orElse("no owner");
 * }</pre>
 */
public final class LockRecord {

	/** Never changed after the record is built. */
	private final Builder values;

	private LockRecord(Builder values) {
		this.values = values;
	}

	/** Creates a builder with the values that every lock's item has. */
	public static Builder builder(LockKey key, String ownerName, Duration leaseDuration, String recordVersionNumber) {
		return new Builder(key, ownerName, leaseDuration, recordVersionNumber);
	}

	public LockKey key() {
		return this.values.key;
	}

	/**
	 * {@return the name of the owner, or of the last owner if the lock is released}
	 */
	public String ownerName() {
		return this.values.ownerName;
	}

	/**
	 * {@return the lease: how long another client waits without seeing a heartbeat before
	 * it takes the lock over}
	 */
	public Duration leaseDuration() {
		return this.values.leaseDuration;
	}

	/**
	 * {@return the record version number, which changes with every write to the lock}
	 */
	public String recordVersionNumber() {
		return this.values.recordVersionNumber;
	}

	/**
	 * {@return whether the lock was released when it was read} A lock that was not
	 * released may belong to an owner that has crashed.
	 */
	public boolean isReleased() {
		return this.values.released;
	}

	/**
	 * {@return a copy of the application's data, or empty if the lock has none}
	 */
	public Optional<byte[]> data() {
		return (this.values.data == null) ? Optional.empty() : Optional.of(this.values.data.clone());
	}

	/**
	 * {@return the owner's fencing token, or empty if the lock was written by a client
	 * without tokens}
	 */
	public OptionalLong fencingToken() {
		return (this.values.fencingToken == null) ? OptionalLong.empty() : OptionalLong.of(this.values.fencingToken);
	}

	/**
	 * {@return the {@linkplain LockRequest#name name} of this kind of lock, or empty if
	 * the owner's request had none}
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.values.name);
	}

	/**
	 * {@return when the lock was acquired, by the owner's clock, or empty if the item
	 * does not have it} The time is informational and never decides who holds the lock.
	 */
	public Optional<Instant> acquiredAt() {
		return Optional.ofNullable(this.values.acquiredAt);
	}

	/**
	 * {@return when the owner acquired or last renewed the lock, by the owner's clock, or
	 * empty if the lock is released or the item does not have it} The time is
	 * informational. If it is old, the owner may have crashed ({@link #isOwnerSilent}).
	 */
	public Optional<Instant> renewedAt() {
		return Optional.ofNullable(this.values.renewedAt);
	}

	/**
	 * Returns whether the lock is held, but has not been renewed for longer than its
	 * lease. Its owner has probably crashed, unless the owner's clock or the caller's is
	 * wrong. Returns {@code false} if the item does not have the time of the last
	 * renewal.
	 * @param now the time by the caller's clock
	 */
	public boolean isOwnerSilent(Instant now) {
		return !this.values.released && this.values.renewedAt != null
				&& Duration.between(this.values.renewedAt, now).compareTo(this.values.leaseDuration) > 0;
	}

	/**
	 * {@return when the lease expires, by the owner's clock, or empty if the last write
	 * to the lock did not store it} Owners store it if
	 * {@link LockClientBuilder#clockSkewBound} is set.
	 */
	public Optional<Instant> leaseEnds() {
		return Optional.ofNullable(this.values.leaseEnds);
	}

	/**
	 * {@return the application's attributes by their names, unmodifiable}
	 */
	public Map<String, AttributeValue> attributes() {
		return this.values.attributes;
	}

	public Builder toBuilder() {
		return this.values.copy();
	}

	/** Returns a description without data and values of attributes. */
	@Override
	public String toString() {
		return LogText.of("LockRecord[key=" + this.values.key + ", name=" + this.values.name + ", ownerName="
				+ this.values.ownerName + ", leaseDuration=" + this.values.leaseDuration + ", recordVersionNumber="
				+ this.values.recordVersionNumber + ", released=" + this.values.released + ", fencingToken="
				+ this.values.fencingToken + ", acquiredAt=" + this.values.acquiredAt + ", renewedAt="
				+ this.values.renewedAt + ", attributes=" + this.values.attributes.keySet() + "]");
	}

	/**
	 * Builds a {@link LockRecord}. The record's methods describe the values. Every method
	 * that sets a value returns this builder. {@code null} removes an optional value.
	 * Bytes and attributes are copied. Not thread-safe.
	 *
	 * <pre>{@code
	 * LockRecord record = LockRecord.builder(LockKey.of("orders-42"), "node-1", Duration.ofSeconds(20), "version-1")
	 *     .fencingToken(7L)
	 *     .build();
	 * }</pre>
	 */
	public static final class Builder implements Cloneable {

		private final LockKey key;

		private final String ownerName;

		private Duration leaseDuration;

		private String recordVersionNumber;

		private boolean released;

		private byte @Nullable [] data;

		private @Nullable Long fencingToken;

		private @Nullable String name;

		private @Nullable Instant acquiredAt;

		private @Nullable Instant renewedAt;

		private @Nullable Instant leaseEnds;

		private Map<String, AttributeValue> attributes = Map.of();

		private Builder(LockKey key, String ownerName, Duration leaseDuration, String recordVersionNumber) {
			this.key = Objects.requireNonNull(key, "key");
			this.ownerName = Objects.requireNonNull(ownerName, "ownerName");
			this.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
			this.recordVersionNumber = Objects.requireNonNull(recordVersionNumber, "recordVersionNumber");
		}

		public Builder leaseDuration(Duration leaseDuration) {
			this.leaseDuration = leaseDuration;
			return this;
		}

		public Builder recordVersionNumber(String recordVersionNumber) {
			this.recordVersionNumber = recordVersionNumber;
			return this;
		}

		public Builder released(boolean released) {
			this.released = released;
			return this;
		}

		public Builder data(byte @Nullable [] data) {
			this.data = (data == null) ? null : data.clone();
			return this;
		}

		public Builder fencingToken(@Nullable Long fencingToken) {
			this.fencingToken = fencingToken;
			return this;
		}

		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		public Builder acquiredAt(@Nullable Instant acquiredAt) {
			this.acquiredAt = acquiredAt;
			return this;
		}

		public Builder renewedAt(@Nullable Instant renewedAt) {
			this.renewedAt = renewedAt;
			return this;
		}

		public Builder leaseEnds(@Nullable Instant leaseEnds) {
			this.leaseEnds = leaseEnds;
			return this;
		}

		public Builder attributes(Map<String, AttributeValue> attributes) {
			this.attributes = attributes.isEmpty() ? Map.of()
					: Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
			return this;
		}

		/** Applies a change to the application's data and attributes. */
		public Builder change(ItemChange change) {
			if (change.changesData()) {
				this.data = change.data().orElse(null);
			}
			Map<String, AttributeValue> changed = new LinkedHashMap<>(this.attributes);
			changed.keySet().removeAll(change.removedAttributes());
			changed.putAll(change.attributes());
			Map<String, AttributeValue> before = this.attributes;
			change.copies().forEach((to, copy) -> changed.put(to, before.getOrDefault(copy.from(), copy.ifMissing())));
			return attributes(changed);
		}

		public LockRecord build() {
			return new LockRecord(copy());
		}

		private Builder copy() {
			try {
				return (Builder) clone();
			}
			catch (CloneNotSupportedException ex) {
				throw new AssertionError(ex);
			}
		}

	}

}
