/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Objects;

/**
 * Describes a lock item in which the application keeps a record, such as of the runs of a
 * job. The acquisition marks the item. From then on, no client deletes it or gives it a
 * time to live, whatever its options are, unless it does not know the mark: an older
 * version, or another kind of lock client. A later acquisition that does not keep the
 * item leaves the mark as it is.
 *
 * <p>
 * The record can also be completed by releases that the client makes on its own, when no
 * code of the application is called. Begin with {@link #create()} instead of the
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
	 * it, because of an interrupt or a late answer. The change is made by the release, as
	 * a best effort.
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
