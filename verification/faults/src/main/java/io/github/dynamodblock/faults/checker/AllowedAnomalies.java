/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

import io.github.dynamodblock.protocol.LockWrite;
import org.jspecify.annotations.Nullable;

/**
 * Knows what lies outside the assumptions under which a lock is promised.
 */
final class AllowedAnomalies {

	/** The next claim's token is at most as far ahead as a claim reserves, exclusive. */
	private static final int NEXT_CLAIM = LockWrite.Claim.TOKENS + 1;

	private final History history;

	AllowedAnomalies(History history) {
		this.history = history;
	}

	/** What allows that both were held at once, in whichever order they were granted. */
	@Nullable AllowedAnomaly ofOverlap(Hold one, Hold other) {
		if (isDeletedUnder(one) || isDeletedUnder(other)) {
			return AllowedAnomaly.ITEM_DELETED;
		}
		boolean wild = isWild(one) || isWild(other) || wasWildBetween(one.grant(), other.grant());
		return wild ? AllowedAnomaly.CLOCK_RATE : null;
	}

	/**
	 * What would allow an overlap of this one with any other: a deletion, or a wild clock
	 * of its own or of the owner immediately before or after it.
	 */
	@Nullable AllowedAnomaly ofAnyOverlap(Hold hold) {
		if (isDeletedUnder(hold)) {
			return AllowedAnomaly.ITEM_DELETED;
		}
		Grant grant = hold.grant();
		Long token = grant.token();
		boolean wild = isWild(hold) || (token != null && isWildNear(grant.lock(), token));
		return wild ? AllowedAnomaly.CLOCK_RATE : null;
	}

	private boolean isWildNear(int lock, long token) {
		NavigableMap<Long, Set<Owner>> owners = this.history.owners(lock);
		return isAnyWild(owners.lowerEntry(token)) || isAnyWild(owners.higherEntry(token));
	}

	private boolean isAnyWild(Map.@Nullable Entry<Long, Set<Owner>> owners) {
		return owners != null && isAnyWild(owners.getValue());
	}

	private boolean isAnyWild(Set<Owner> owners) {
		return owners.stream().anyMatch(this.history::isWild);
	}

	private boolean isWild(Hold hold) {
		return this.history.isWild(hold.grant().owner());
	}

	private boolean isDeletedUnder(Hold hold) {
		return this.history.isDeleted(hold.grant().lock(), hold.grant().began(), hold.lastKnown());
	}

	/**
	 * Whether an owner with a wild clock is shown to have come in between: it may have
	 * taken the lock too early from the one, and given it to the other. Tokens tell who
	 * came in between. One that DynamoDB never showed in an answer allows nothing.
	 */
	private boolean wasWildBetween(Grant one, Grant other) {
		Long first = one.token();
		Long last = other.token();
		return first != null && last != null
				&& wasWildBetween(one.lock(), Math.min(first, last), Math.max(first, last));
	}

	private boolean wasWildBetween(int lock, long afterToken, long beforeToken) {
		return afterToken < beforeToken && this.history.owners(lock)
			.subMap(afterToken, false, beforeToken, false)
			.values()
			.stream()
			.anyMatch(this::isAnyWild);
	}

	/**
	 * What allows that a later holder has a smaller token. Releases that delete the item
	 * let the count begin anew as well.
	 */
	@Nullable AllowedAnomaly ofOrder(Hold earlier, Hold later) {
		Grant one = earlier.grant();
		boolean deleted = one.deletesItem() || later.grant().deletesItem()
				|| this.history.isDeleted(one.lock(), one.began(), later.firstFrom());
		return deleted ? AllowedAnomaly.ITEM_DELETED : ofOverlap(earlier, later);
	}

	/** What allows that a lock was lost before its lease had ended. */
	@Nullable AllowedAnomaly ofLoss(Hold hold, Loss loss) {
		Grant grant = hold.grant();
		if (this.history.isDeleted(grant.lock(), grant.began(), loss.told())) {
			return AllowedAnomaly.ITEM_DELETED;
		}
		Long token = grant.token();
		boolean wild = isWild(hold) || (token != null && wasWildBetween(grant.lock(), token, token + NEXT_CLAIM));
		return wild ? AllowedAnomaly.CLOCK_RATE : null;
	}

}
