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
 * A lock as its item says, held by anyone or released. A record is what was once read; it
 * does not follow the lock. Immutable and thread-safe.
 *
 * <pre>{@code
 * String owner = client.find("orders-42").map(LockRecord::ownerName).orElse("nobody");
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
	 * Starts a record from what every lock item has.
	 * @param key the lock
	 * @param ownerName who holds it, or held it last
	 * @param leaseDuration how long an observer waits before it takes over
	 * @param recordVersionNumber the mark that changes with every write
	 * @return the builder
	 */
	public static Builder builder(LockKey key, String ownerName, Duration leaseDuration, String recordVersionNumber) {
		return new Builder(key, ownerName, leaseDuration, recordVersionNumber);
	}

	/**
	 * The lock's name.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * Who holds the lock, or held it last if it is released.
	 * @return the owner name
	 */
	public String ownerName() {
		return this.ownerName;
	}

	/**
	 * How long an observer waits without seeing a heartbeat before it takes the lock
	 * over.
	 * @return the lease
	 */
	public Duration leaseDuration() {
		return this.leaseDuration;
	}

	/**
	 * The mark that changes with every write to the lock.
	 * @return the record version number
	 */
	public String recordVersionNumber() {
		return this.recordVersionNumber;
	}

	/**
	 * Whether the lock was free when it was read. If {@code false}, its owner may have
	 * died all the same.
	 * @return {@code true} if it was released
	 */
	public boolean isReleased() {
		return this.released;
	}

	/**
	 * The application's bytes.
	 * @return a copy, or empty if the lock has none
	 */
	public Optional<byte[]> data() {
		return (this.data == null) ? Optional.empty() : Optional.of(this.data.clone());
	}

	/**
	 * The fencing token of the owner.
	 * @return the token, or empty if the lock was written by a client without tokens
	 */
	public OptionalLong fencingToken() {
		return (this.fencingToken == null) ? OptionalLong.empty() : OptionalLong.of(this.fencingToken);
	}

	/**
	 * What the owner calls this kind of lock ({@link LockRequest#name}).
	 * @return the name, or empty if the request of the last owner had none
	 */
	public Optional<String> name() {
		return Optional.ofNullable(this.name);
	}

	/**
	 * When the lock was acquired, by the owner's clock. For people to read; it decides
	 * nothing.
	 * @return the time, or empty if the lock does not say
	 */
	public Optional<Instant> acquiredAt() {
		return Optional.ofNullable(this.acquiredAt);
	}

	/**
	 * When the owner acquired or last renewed the lock, by the owner's clock. For people
	 * to read, and a hint that the owner may be dead ({@link #isOwnerSilent}).
	 * @return the time, or empty if the lock is released or does not say
	 */
	public Optional<Instant> renewedAt() {
		return Optional.ofNullable(this.renewedAt);
	}

	/**
	 * Whether the lock is held, but was not renewed for longer than its lease, by the
	 * owner's clock and the one that gives {@code now}. Its owner has probably crashed;
	 * it is alive if one of the two clocks is wrong.
	 * @param now the time by the caller's clock
	 * @return whether that is so; {@code false} if the lock does not say when it was
	 * renewed
	 */
	public boolean isOwnerSilent(Instant now) {
		return !this.released && this.renewedAt != null
				&& Duration.between(this.renewedAt, now).compareTo(this.leaseDuration) > 0;
	}

	/**
	 * When the lease ends by the owner's clock, if owners of this table say so
	 * ({@link LockClientBuilder#clockSkewBound}).
	 * @return the time, or empty if the last write to the lock did not say
	 */
	public Optional<Instant> leaseEnds() {
		return Optional.ofNullable(this.leaseEnds);
	}

	/**
	 * The application's own attributes.
	 * @return values by their names, unmodifiable
	 */
	public Map<String, AttributeValue> attributes() {
		return this.attributes;
	}

	/**
	 * Starts a record that differs from this one in what is then set.
	 * @return a builder with this record's values
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
	 * The record in one line, without its data.
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
		 * @param recordVersionNumber the mark of the last write
		 * @return this builder
		 */
		public Builder recordVersionNumber(String recordVersionNumber) {
			this.recordVersionNumber = recordVersionNumber;
			return this;
		}

		/**
		 * Sets whether the lock is released; {@code false} unless set.
		 * @param released whether it is
		 * @return this builder
		 */
		public Builder released(boolean released) {
			this.released = released;
			return this;
		}

		/**
		 * Sets the application's bytes; none unless set.
		 * @param data the bytes, copied, or {@code null}
		 * @return this builder
		 */
		public Builder data(byte @Nullable [] data) {
			this.data = (data == null) ? null : data.clone();
			return this;
		}

		/**
		 * Sets the fencing token; none unless set.
		 * @param fencingToken the token, or {@code null}
		 * @return this builder
		 */
		public Builder fencingToken(@Nullable Long fencingToken) {
			this.fencingToken = fencingToken;
			return this;
		}

		/**
		 * Sets what the owner calls this kind of lock; nothing unless set.
		 * @param name the name, or {@code null}
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets when the lock was acquired; unknown unless set.
		 * @param acquiredAt the time by the owner's clock, or {@code null}
		 * @return this builder
		 */
		public Builder acquiredAt(@Nullable Instant acquiredAt) {
			this.acquiredAt = acquiredAt;
			return this;
		}

		/**
		 * Sets when the lock was last renewed; unknown unless set.
		 * @param renewedAt the time by the owner's clock, or {@code null}
		 * @return this builder
		 */
		public Builder renewedAt(@Nullable Instant renewedAt) {
			this.renewedAt = renewedAt;
			return this;
		}

		/**
		 * Sets when the lease ends by the owner's clock; unknown unless set.
		 * @param leaseEnds the time, or {@code null}
		 * @return this builder
		 */
		public Builder leaseEnds(@Nullable Instant leaseEnds) {
			this.leaseEnds = leaseEnds;
			return this;
		}

		/**
		 * Sets the application's own attributes; none unless set.
		 * @param attributes values by their names, copied
		 * @return this builder
		 */
		public Builder attributes(Map<String, AttributeValue> attributes) {
			this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
			return this;
		}

		/**
		 * Changes the application's part: its data and attributes.
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
