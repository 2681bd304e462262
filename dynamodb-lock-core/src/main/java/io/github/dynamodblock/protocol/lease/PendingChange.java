/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;

/**
 * What the holder asked to be changed in the item and no heartbeat has confirmed yet.
 *
 * @param sent what the heartbeats from the last one on carry
 * @param later what was asked for since that was sent
 */
record PendingChange(ItemChange sent, ItemChange later) {

	static final PendingChange NONE = new PendingChange(ItemChange.none(), ItemChange.none());

	/**
	 * After the holder asked for more.
	 * @throws IllegalArgumentException if it does not fit into one write with the rest
	 */
	PendingChange asked(ItemChange change) {
		ItemChange more = this.later.then(change);
		// Whether it fits has to be known now: a heartbeat has no caller to report it to.
		this.sent.then(more);
		return new PendingChange(this.sent, more);
	}

	/** Once a heartbeat carries all of it. */
	PendingChange sending() {
		return this.later.isNone() ? this : new PendingChange(all(), ItemChange.none());
	}

	/** Once a heartbeat that carried this change is known to be applied. */
	PendingChange confirmed(ItemChange change) {
		// Every heartbeat that carries the same change carries the same object.
		return (change == this.sent) ? refused() : this;
	}

	/** Once the last heartbeat was refused for good, maybe because of its change. */
	PendingChange refused() {
		return new PendingChange(ItemChange.none(), this.later);
	}

	boolean isNone() {
		return this.sent.isNone() && this.later.isNone();
	}

	ItemChange all() {
		return this.sent.then(this.later);
	}

}
