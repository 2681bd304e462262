/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lock was not granted although no other client holds it, because its item
 * does not meet the {@linkplain LockRequest#condition condition} of the request. The wait
 * ends at once: waiting for the lock does not change the item. {@link #record()} shows
 * the item that did not meet the condition, with its attributes and its last owner. It is
 * empty if the lock has no item.
 *
 * <pre>{@code
 * ItemCondition open = ItemCondition.notEqualTo("status", AttributeValue.fromS("closed"));
 * try {
 *     work(client.acquire(LockRequest.of("orders-42").condition(open)));
 * }
 * catch (ConditionNotMetException ex) {
 *     logger.info("Nothing is left to do: {}", ex.record().map(LockRecord::attributes).orElse(Map.of()));
 * }
 * catch (LockNotGrantedException ex) {
 *     logger.info("Another client is working on it");
 * }
 * }</pre>
 */
public final class ConditionNotMetException extends LockNotGrantedException {

	private static final long serialVersionUID = 1L;

	public ConditionNotMetException(LockKey key, ItemCondition condition, @Nullable LockRecord found) {
		super(key, "because " + ((found == null) ? "it has no item and so" : "its item")
				+ " does not meet the condition: " + condition + ". No other owner holds the lock", found, null);
	}

}
