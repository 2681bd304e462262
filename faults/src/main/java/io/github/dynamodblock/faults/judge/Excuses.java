/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.judge;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Knows what lies outside of the assumptions under which a lock is promised.
 */
final class Excuses {

	/** So long after a process has died, what it has sent may still arrive. */
	private static final long ON_THE_WAY = 10_000_000_000L;

	private final History history;

	private final Map<Integer, NavigableMap<Long, Hold>> byToken = new HashMap<>();

	Excuses(History history) {
		this.history = history;
		for (Hold hold : history.holds()) {
			Long token = hold.grant().token();
			if (token != null) {
				this.byToken.computeIfAbsent(hold.grant().lock(), (first) -> new TreeMap<>()).put(token, hold);
			}
		}
	}

	/** What excuses that both were held at once, in whichever order they were granted. */
	@Nullable Excuse ofOverlap(Hold one, Hold other) {
		if (isDeletedUnder(one) || isDeletedUnder(other)) {
			return Excuse.ITEM_DELETED;
		}
		long from = Math.min(one.grant().began(), other.grant().began());
		long to = Math.max(one.lastKnown(), other.lastKnown());
		boolean wild = this.history.isWild(one.grant().owner()) || this.history.isWild(other.grant().owner())
				|| wasWildBetween(one.grant(), other.grant(), new Interval(from, to));
		return wild ? Excuse.CLOCK_RATE : null;
	}

	private boolean isDeletedUnder(Hold hold) {
		return this.history.isDeleted(hold.grant().lock(), hold.grant().began(), hold.lastKnown());
	}

	/**
	 * Whether an owner with a wild clock came in between: it may have taken the lock too
	 * early from the one, and given it to the other. Tokens tell who came in between; of
	 * one that nobody reported, any owner with a wild clock may have been the holder.
	 */
	private boolean wasWildBetween(Grant one, Grant other, Interval when) {
		Long first = one.token();
		Long last = other.token();
		if (first == null || last == null) {
			return isWildAlive(when);
		}
		return wasWildBetween(one.lock(), Math.min(first, last) + 1, Math.max(first, last), when);
	}

	private boolean wasWildBetween(int lock, long fromToken, long toToken, Interval when) {
		if (fromToken >= toToken) {
			return false;
		}
		Collection<Hold> known = this.byToken.getOrDefault(lock, new TreeMap<>())
			.subMap(fromToken, true, toToken, false)
			.values();
		return known.stream().anyMatch((hold) -> this.history.isWild(hold.grant().owner()))
				|| (known.size() < toToken - fromToken && isWildAlive(when));
	}

	private boolean isWildAlive(Interval when) {
		return this.history.wildClocks().entrySet().stream().anyMatch((wild) -> {
			Long died = this.history.deaths().get(wild.getKey());
			long end = (died != null) ? died + ON_THE_WAY : Long.MAX_VALUE;
			return when.meets(wild.getValue(), end);
		});
	}

	/**
	 * What excuses that a later holder has a smaller token. Releases that delete the item
	 * let the count begin anew as well.
	 */
	@Nullable Excuse ofOrder(Hold earlier, Hold later) {
		Grant one = earlier.grant();
		boolean deleted = one.deletesItem() || later.grant().deletesItem()
				|| this.history.isDeleted(one.lock(), one.began(), later.firstFrom());
		return deleted ? Excuse.ITEM_DELETED : ofOverlap(earlier, later);
	}

	/** What excuses that a lock was lost before its lease had ended. */
	@Nullable Excuse ofLoss(Hold hold, Loss loss) {
		Grant grant = hold.grant();
		if (this.history.isDeleted(grant.lock(), grant.began(), loss.told())) {
			return Excuse.ITEM_DELETED;
		}
		Long token = grant.token();
		Interval when = new Interval(grant.began(), loss.told());
		boolean wild = this.history.isWild(grant.owner())
				|| (token != null && wasWildBetween(grant.lock(), token + 1, token + 2, when));
		return wild ? Excuse.CLOCK_RATE : null;
	}

}
