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

	private final Values values;

	private LockRecord(Values values) {
		this.values = values;
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
		return new Builder(new Values(key, ownerName, leaseDuration, recordVersionNumber));
	}

	/**
	 * {@return the lock's key}
	 */
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
	 * {@return whether the lock was released when it was read} If not, its owner may
	 * still have crashed.
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
	 * informational, and a hint that the owner may have crashed ({@link #isOwnerSilent}).
	 */
	public Optional<Instant> renewedAt() {
		return Optional.ofNullable(this.values.renewedAt);
	}

	/**
	 * Returns whether the lock is held, but was not renewed for longer than its lease.
	 * Its owner has probably crashed, unless the owner's clock or the caller's is wrong.
	 * @param now the time by the caller's clock
	 * @return whether the owner is silent; {@code false} if the item does not have the
	 * time of the last renewal
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

	/**
	 * {@return a builder with the values of this record}
	 */
	public Builder toBuilder() {
		return new Builder(this.values.copy());
	}

	/**
	 * Returns a description without data and values of attributes.
	 */
	@Override
	public String toString() {
		return "LockRecord[key=" + this.values.key + ", name=" + Printable.of(String.valueOf(this.values.name))
				+ ", ownerName=" + Printable.of(this.values.ownerName) + ", leaseDuration=" + this.values.leaseDuration
				+ ", recordVersionNumber=" + Printable.of(this.values.recordVersionNumber) + ", released="
				+ this.values.released + ", fencingToken=" + this.values.fencingToken + ", acquiredAt="
				+ this.values.acquiredAt + ", renewedAt=" + this.values.renewedAt + ", attributes="
				+ Printable.of(this.values.attributes.keySet().toString()) + "]";
	}

	/**
	 * Builds a {@link LockRecord}, whose methods describe the values. Every method that
	 * sets one returns this builder; {@code null} removes it. Not thread-safe.
	 *
	 * <pre>{@code
	 * LockRecord record = LockRecord.builder(LockKey.of("orders-42"), "node-1", Duration.ofSeconds(20), "version-1")
	 *     .fencingToken(7L)
	 *     .build();
	 * }</pre>
	 */
	public static final class Builder {

		private final Values values;

		private Builder(Values values) {
			this.values = values;
		}

		/**
		 * Sets the lease.
		 * @param leaseDuration the lease, not {@code null}
		 * @return this builder
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			this.values.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Sets the record version number.
		 * @param recordVersionNumber that of the last write, not {@code null}
		 * @return this builder
		 */
		public Builder recordVersionNumber(String recordVersionNumber) {
			this.values.recordVersionNumber = recordVersionNumber;
			return this;
		}

		/**
		 * Sets whether the lock is released.
		 * @param released the default is {@code false}
		 * @return this builder
		 */
		public Builder released(boolean released) {
			this.values.released = released;
			return this;
		}

		/**
		 * Sets the application's data.
		 * @param data the bytes, copied
		 * @return this builder
		 */
		public Builder data(byte @Nullable [] data) {
			this.values.data = (data == null) ? null : data.clone();
			return this;
		}

		/**
		 * Sets the fencing token.
		 * @param fencingToken the token
		 * @return this builder
		 */
		public Builder fencingToken(@Nullable Long fencingToken) {
			this.values.fencingToken = fencingToken;
			return this;
		}

		/**
		 * Sets the name of this kind of lock.
		 * @param name the name
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.values.name = name;
			return this;
		}

		/**
		 * Sets when the lock was acquired.
		 * @param acquiredAt the time by the owner's clock
		 * @return this builder
		 */
		public Builder acquiredAt(@Nullable Instant acquiredAt) {
			this.values.acquiredAt = acquiredAt;
			return this;
		}

		/**
		 * Sets when the lock was last renewed.
		 * @param renewedAt the time by the owner's clock
		 * @return this builder
		 */
		public Builder renewedAt(@Nullable Instant renewedAt) {
			this.values.renewedAt = renewedAt;
			return this;
		}

		/**
		 * Sets when the lease expires.
		 * @param leaseEnds the time by the owner's clock
		 * @return this builder
		 */
		public Builder leaseEnds(@Nullable Instant leaseEnds) {
			this.values.leaseEnds = leaseEnds;
			return this;
		}

		/**
		 * Sets the application's attributes.
		 * @param attributes values by their names, copied, not {@code null}
		 * @return this builder
		 */
		public Builder attributes(Map<String, AttributeValue> attributes) {
			this.values.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
			return this;
		}

		/**
		 * Applies a change to the application's data and attributes.
		 * @param change the change
		 * @return this builder
		 */
		public Builder change(ItemChange change) {
			if (change.changesData()) {
				this.values.data = change.data().orElse(null);
			}
			Map<String, AttributeValue> changed = new LinkedHashMap<>(this.values.attributes);
			if (change.replacesAttributes()) {
				changed.clear();
			}
			changed.keySet().removeAll(change.removedAttributes());
			changed.putAll(change.attributes());
			Map<String, AttributeValue> before = this.values.attributes;
			change.copies().forEach((to, copy) -> changed.put(to, before.getOrDefault(copy.from(), copy.ifMissing())));
			return attributes(changed);
		}

		/**
		 * {@return the record}
		 */
		public LockRecord build() {
			return new LockRecord(this.values.copy());
		}

	}

	/** Never changed once a record has them. */
	private static final class Values implements Cloneable {

		final LockKey key;

		final String ownerName;

		Duration leaseDuration;

		String recordVersionNumber;

		boolean released;

		byte @Nullable [] data;

		@Nullable Long fencingToken;

		@Nullable String name;

		@Nullable Instant acquiredAt;

		@Nullable Instant renewedAt;

		@Nullable Instant leaseEnds;

		Map<String, AttributeValue> attributes = Map.of();

		Values(LockKey key, String ownerName, Duration leaseDuration, String recordVersionNumber) {
			this.key = Objects.requireNonNull(key, "key");
			this.ownerName = Objects.requireNonNull(ownerName, "ownerName");
			this.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
			this.recordVersionNumber = Objects.requireNonNull(recordVersionNumber, "recordVersionNumber");
		}

		Values copy() {
			try {
				return (Values) clone();
			}
			catch (CloneNotSupportedException ex) {
				throw new AssertionError(ex);
			}
		}

	}

}
