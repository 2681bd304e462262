/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Objects;

/**
 * Describes a lock item in which the application keeps a record, for example of a job's
 * runs. The acquisition marks the item. From then on, no client deletes the item or gives
 * it a time to live, whatever the client's options are. Clients that do not know the mark
 * can still do so: older versions, and other kinds of lock clients. A later acquisition
 * that does not keep the item leaves the mark as it is.
 *
 * <p>
 * The client sometimes releases a lock without calling the application. The two changes
 * let such a release complete the record. Begin with {@link #create()} instead of the
 * constructor, which gets another parameter with each new option. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * ItemChange started = ItemChange.none().attribute("state", AttributeValue.fromS("running"));
 * ItemChange notStarted = ItemChange.none().removeAttributes("state");
 * LockRequest request = LockRequest.of("report").change(started).keptItem(KeptItem.create().undo(notStarted));
 * }</pre>
 *
 * @param undo what a release changes if no caller receives the lock
 * @param changeAtLimit what the release at {@link LockRequest#holdAtMost} changes
 */
public record KeptItem(ItemChange undo, ItemChange changeAtLimit) {

	private static final KeptItem UNCHANGED = new KeptItem(ItemChange.none(), ItemChange.none());

	public KeptItem {
		Objects.requireNonNull(undo, "undo");
		Objects.requireNonNull(changeAtLimit, "changeAtLimit");
	}

	/**
	 * {@return a kept item that is changed only by the application}
	 */
	public static KeptItem create() {
		return UNCHANGED;
	}

	/**
	 * Sets how the client changes the item if it acquires the lock but no caller receives
	 * it, because of an interrupt or a late answer. The release makes the change, on a
	 * best-effort basis.
	 */
	public KeptItem undo(ItemChange undo) {
		return new KeptItem(undo, this.changeAtLimit);
	}

	/**
	 * Sets how the release that follows {@link LockRequest#holdAtMost} changes the item.
	 */
	public KeptItem changeAtLimit(ItemChange changeAtLimit) {
		return new KeptItem(this.undo, changeAtLimit);
	}

}
