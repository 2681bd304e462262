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

	private final LockKey key;

	private final String ownerName;

	private final Duration leaseDuration;

	private final String recordVersionNumber;

	private final boolean released;

	private final byte @Nullable [] data;

	private final @Nullable Long fencingToken;

	private final @Nullable String name;

	private final @Nullable Instant acquiredAt;

	private final @Nullable Instant renewedAt;

	private final @Nullable Instant leaseEnds;

	private final Map<String, AttributeValue> attributes;

	private LockRecord(Builder builder) {
		this.key = builder.key;
		this.ownerName = builder.ownerName;
		this.leaseDuration = builder.leaseDuration;
		this.recordVersionNumber = builder.recordVersionNumber;
		this.released = builder.released;
		this.data = builder.data;
		this.fencingToken = builder.fencingToken;
		this.name = builder.name;
		this.acquiredAt = builder.acquiredAt;
		this.renewedAt = builder.renewedAt;
		this.leaseEnds = builder.leaseEnds;
		this.attributes = builder.attributes;
	}

	/**
	 * Creates a builder with the values that every lock's item has.
	 * @param key the lock's key
	 * @param ownerName the current or last owner's name
	 * @param leaseDuration the lease
	 * @param recordVersionNumber the record version number
	 * @return the builder
	 */
	public static Builder builder(LockKey key, String ownerName, Duration leaseDuration, String recordVersionNumber) {
		return new Builder(key, ownerName, leaseDuration, recordVersionNumber);
	}

	/**
	 * Returns the lock's key.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * Returns the name of the owner, or of the last owner if the lock is released.
	 * @return the owner name
	 */
	public String ownerName() {
		return this.ownerName;
	}

	/**
	 * Returns the lease: how long another client waits without seeing a heartbeat before
	 * it takes the lock over.
	 * @return the lease
	 */
	public Duration leaseDuration() {
		return this.leaseDuration;
	}

	/**
	 * Returns the record version number, which changes with every write to the lock.
	 * @return the record version number
	 */
	public String recordVersionNumber() {
		return this.recordVersionNumber;
	}

	/**
	 * Returns whether the lock was released when it was read.
	 * @return {@code true} if it was released; if {@code false}, its owner may still have
	 * crashed
	 */
	public boolean isReleased() {
		return this.released;
	}

	/**
	 * Returns the application's data.
	 * @return a copy, or empty if the lock has none
	 */
	public Optional<byte[]> data() {
		return (this.data == null) ? Optional.empty() : Optional.of(this.data.clone());
	}

	/**
	 * Returns the owner's fencing token.
	 * @return the token, or empty if the lock was written by a client without tokens
	 */
	public OptionalLong fencingToken() {
		return (this.fencingToken == null) ? OptionalLong.empty() : OptionalLong.of(this.fencingToken);
	}

	/**
	 * Returns the name of this kind of lock ({@link LockRequest#name}).
	 * @return the name, or empty if the owner's request had none
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.name);
	}

	/**
	 * Returns when the lock was acquired, by the owner's clock. It is informational and
	 * never decides who holds the lock.
	 * @return the time, or empty if the item does not have it
	 */
	public Optional<Instant> acquiredAt() {
		return Optional.ofNullable(this.acquiredAt);
	}

	/**
	 * Returns when the owner acquired or last renewed the lock, by the owner's clock. It
	 * is informational, and a hint that the owner may have crashed
	 * ({@link #isOwnerSilent}).
	 * @return the time, or empty if the lock is released or the item does not have it
	 */
	public Optional<Instant> renewedAt() {
		return Optional.ofNullable(this.renewedAt);
	}

	/**
	 * Returns whether the lock is held, but was not renewed for longer than its lease.
	 * Its owner has probably crashed, unless the owner's clock or the caller's is wrong.
	 * @param now the time by the caller's clock
	 * @return whether the owner is silent; {@code false} if the item does not have the
	 * time of the last renewal
	 */
	public boolean isOwnerSilent(Instant now) {
		return !this.released && this.renewedAt != null
				&& Duration.between(this.renewedAt, now).compareTo(this.leaseDuration) > 0;
	}

	/**
	 * Returns when the lease expires, by the owner's clock. Owners store it if
	 * {@link LockClientBuilder#clockSkewBound} is set.
	 * @return the time, or empty if the last write to the lock did not store it
	 */
	public Optional<Instant> leaseEnds() {
		return Optional.ofNullable(this.leaseEnds);
	}

	/**
	 * Returns the application's attributes.
	 * @return values by their names, unmodifiable
	 */
	public Map<String, AttributeValue> attributes() {
		return this.attributes;
	}

	/**
	 * Creates a builder with the values of this record.
	 * @return the builder
	 */
	public Builder toBuilder() {
		Builder builder = new Builder(this.key, this.ownerName, this.leaseDuration, this.recordVersionNumber);
		builder.released = this.released;
		builder.data = this.data;
		builder.fencingToken = this.fencingToken;
		builder.name = this.name;
		builder.acquiredAt = this.acquiredAt;
		builder.renewedAt = this.renewedAt;
		builder.leaseEnds = this.leaseEnds;
		builder.attributes = this.attributes;
		return builder;
	}

	/**
	 * Returns a description without data and values of attributes.
	 */
	@Override
	public String toString() {
		return "LockRecord[key=" + this.key + ", name=" + Printable.of(String.valueOf(this.name)) + ", ownerName="
				+ Printable.of(this.ownerName) + ", leaseDuration=" + this.leaseDuration + ", recordVersionNumber="
				+ Printable.of(this.recordVersionNumber) + ", released=" + this.released + ", fencingToken="
				+ this.fencingToken + ", acquiredAt=" + this.acquiredAt + ", renewedAt=" + this.renewedAt
				+ ", attributes=" + Printable.of(this.attributes.keySet().toString()) + "]";
	}

	/**
	 * Builds a {@link LockRecord}. Not thread-safe.
	 *
	 * <pre>{@code
	 * LockRecord record = LockRecord.builder(LockKey.of("orders-42"), "node-1", Duration.ofSeconds(20), "version-1")
	 *     .fencingToken(7L)
	 *     .build();
	 * }</pre>
	 */
	public static final class Builder {

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

		/**
		 * Sets the lease.
		 * @param leaseDuration the lease
		 * @return this builder
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			this.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Sets the record version number.
		 * @param recordVersionNumber the record version number of the last write
		 * @return this builder
		 */
		public Builder recordVersionNumber(String recordVersionNumber) {
			this.recordVersionNumber = recordVersionNumber;
			return this;
		}

		/**
		 * Sets whether the lock is released.
		 * @param released whether it is; the default is {@code false}
		 * @return this builder
		 */
		public Builder released(boolean released) {
			this.released = released;
			return this;
		}

		/**
		 * Sets the application's data.
		 * @param data the bytes, copied, or {@code null}, the default, for none
		 * @return this builder
		 */
		public Builder data(byte @Nullable [] data) {
			this.data = (data == null) ? null : data.clone();
			return this;
		}

		/**
		 * Sets the fencing token.
		 * @param fencingToken the token, or {@code null}, the default, for none
		 * @return this builder
		 */
		public Builder fencingToken(@Nullable Long fencingToken) {
			this.fencingToken = fencingToken;
			return this;
		}

		/**
		 * Sets the name of this kind of lock.
		 * @param name the name, or {@code null}, the default, for none
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets when the lock was acquired.
		 * @param acquiredAt the time by the owner's clock, or {@code null}, the default,
		 * if it is unknown
		 * @return this builder
		 */
		public Builder acquiredAt(@Nullable Instant acquiredAt) {
			this.acquiredAt = acquiredAt;
			return this;
		}

		/**
		 * Sets when the lock was last renewed.
		 * @param renewedAt the time by the owner's clock, or {@code null}, the default,
		 * if it is unknown
		 * @return this builder
		 */
		public Builder renewedAt(@Nullable Instant renewedAt) {
			this.renewedAt = renewedAt;
			return this;
		}

		/**
		 * Sets when the lease expires.
		 * @param leaseEnds the time by the owner's clock, or {@code null}, the default,
		 * if it is unknown
		 * @return this builder
		 */
		public Builder leaseEnds(@Nullable Instant leaseEnds) {
			this.leaseEnds = leaseEnds;
			return this;
		}

		/**
		 * Sets the application's attributes.
		 * @param attributes values by their names, copied; the default is none
		 * @return this builder
		 */
		public Builder attributes(Map<String, AttributeValue> attributes) {
			this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
			return this;
		}

		/**
		 * Applies a change to the application's data and attributes.
		 * @param change the change
		 * @return this builder
		 */
		public Builder change(ItemChange change) {
			if (change.changesData()) {
				this.data = change.data().orElse(null);
			}
			Map<String, AttributeValue> changed = new LinkedHashMap<>(this.attributes);
			if (change.replacesAttributes()) {
				changed.clear();
			}
			changed.keySet().removeAll(change.removedAttributes());
			changed.putAll(change.attributes());
			return attributes(changed);
		}

		/**
		 * Builds the record.
		 * @return the record
		 */
		public LockRecord build() {
			return new LockRecord(this);
		}

	}

}
