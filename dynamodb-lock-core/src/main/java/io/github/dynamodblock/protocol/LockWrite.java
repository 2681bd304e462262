/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write to a lock's item. It sets a record version number that no other
 * write sets, so its effect can be recognized later.
 */
public sealed interface LockWrite {

	LockKey key();

	String recordVersionNumber();

	/**
	 * Takes the lock if a precondition is met. Reserves {@value #TOKENS} fencing tokens.
	 * The item stores the first, for the claim's holder. Holders of the same client to
	 * whom the lock is handed on get the next ones.
	 *
	 * @param wanted the record to write, without fencing token, data and attributes
	 * @param tokenSeed the number that the first token exceeds if the item has none yet
	 * @param timestamps without a time to live if the item is to be kept
	 * @param keepItem whether to mark the item, so no client deletes it or gives it a
	 * time to live
	 */
	record Claim(LockRecord wanted, ItemChange change, Precondition precondition, long tokenSeed, Timestamps timestamps,
			boolean keepItem) implements LockWrite {

		/** How many fencing tokens a claim reserves. */
		public static final int TOKENS = 32;

		/**
		 * Returns whether the claim that stored one token also reserved another.
		 * @param shown the stored token
		 */
		public static boolean reserves(OptionalLong shown, OptionalLong token) {
			long distance = token.orElse(0) - shown.orElse(0);
			return distance >= 0 && distance < TOKENS;
		}

		@Override
		public LockKey key() {
			return this.wanted.key();
		}

		@Override
		public String recordVersionNumber() {
			return this.wanted.recordVersionNumber();
		}

	}

	/**
	 * A heartbeat: renews the lock if its item has the expected record version number.
	 *
	 * @param expected the last confirmed record version number
	 */
	record Renew(LockKey key, String recordVersionNumber, String expected, Duration leaseDuration, ItemChange change,
			Timestamps timestamps) implements LockWrite {
	}

	/**
	 * Releases the lock if it has one of the expected record version numbers.
	 *
	 * @param expected every record version number under which the lock may be held
	 * @param deleteItem whether to delete the item instead of keeping it as released.
	 * DynamoDB refuses that if the item is marked as kept.
	 * @param change how data and attributes change if the item is not deleted
	 * @param expiresAt when DynamoDB may delete the item, or {@code null}
	 */
	record Release(LockKey key, String recordVersionNumber, Set<String> expected, boolean deleteItem, ItemChange change,
			@Nullable Instant expiresAt) implements LockWrite {
	}

	/**
	 * Changes the application's part of an item, held or released, and marks the item as
	 * kept. Record version number, owner, lease and release flag stay as they are. If
	 * there is no item, creates the item of a released lock.
	 *
	 * @param recordVersionNumber used only if the item is created
	 * @param created the released lock to create, without data and attributes, or
	 * {@code null} to change an existing item
	 */
	record Change(LockKey key, String recordVersionNumber, @Nullable LockRecord created,
			ItemChange change) implements LockWrite {
	}

	/**
	 * When a lock may be claimed: it is in one of these states, and its item meets the
	 * condition.
	 *
	 * @param noItem whether the lock may have no item
	 * @param released whether a released lock may be taken
	 * @param version the record version number of a held lock that may be taken, because
	 * this client saw its lease end or has its token; or {@code null}
	 * @param condition on the application's attributes, or {@code null}
	 */
	record Precondition(boolean noItem, boolean released, @Nullable String version, @Nullable ItemCondition condition) {

		public static final Precondition FREE = new Precondition(true, true, null);

		/** Creates a precondition without a condition on attributes. */
		public Precondition(boolean noItem, boolean released, @Nullable String version) {
			this(noItem, released, version, null);
		}

		/** Returns the precondition for taking only a certain version. */
		public static Precondition only(String version) {
			return new Precondition(false, false, version);
		}

		/** Returns this precondition, which also allows the given version. */
		public Precondition orVersion(@Nullable String version) {
			return (version == null) ? this : new Precondition(this.noItem, this.released, version, this.condition);
		}

		public Precondition with(@Nullable ItemCondition condition) {
			return new Precondition(this.noItem, this.released, this.version, condition);
		}

		/**
		 * Returns whether the condition is the reason for a refusal: the lock's state
		 * would have allowed the claim.
		 * @param found the lock that the refused claim found, or {@code null} if it had
		 * no item
		 */
		public boolean isUnmet(@Nullable LockRecord found) {
			return this.condition != null && allows(found);
		}

		private boolean allows(@Nullable LockRecord found) {
			if (found == null || found.isReleased()) {
				return (found == null) ? this.noItem : this.released;
			}
			return found.recordVersionNumber().equals(this.version);
		}

	}

	/**
	 * The times that a write stores, by the wall clock.
	 *
	 * @param renewedAt the time of the write, or {@code null}; informational, and a hint
	 * that an owner may have crashed
	 * @param expiresAt when DynamoDB may delete the item, unless it is marked as kept, or
	 * {@code null} for never
	 * @param leaseEnds when the lease ends, for clients with a clock bound, or
	 * {@code null}
	 */
	record Timestamps(@Nullable Instant renewedAt, @Nullable Instant expiresAt, @Nullable Instant leaseEnds) {

		public static final Timestamps NONE = new Timestamps(null, null, null);

	}

}
