/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Requests that arrive twice, as one that the network has kept does. Thread-safe.
 */
public final class Duplicate implements CallFault {

	private final boolean late;

	private final Queue<SdkRequest> copies = new ConcurrentLinkedQueue<>();

	private Duplicate(boolean late) {
		this.late = late;
	}

	/** The copy arrives before the caller sees the first answer. */
	public static Duplicate atOnce() {
		return new Duplicate(false);
	}

	/** The copy arrives when the test {@link #deliver delivers} it. */
	public static Duplicate late() {
		return new Duplicate(true);
	}

	@Override
	public void beforeAnswer(SdkRequest request) {
		this.copies.add(request);
		if (!this.late) {
			deliver();
		}
	}

	/**
	 * Delivers the copies that are on their way.
	 * @return how many of them had an effect
	 */
	public int deliver() {
		int effective = 0;
		for (@Nullable
		SdkRequest copy = this.copies.poll(); copy != null; copy = this.copies.poll()) {
			effective += hadEffect(copy) ? 1 : 0;
		}
		return effective;
	}

	private static boolean hadEffect(SdkRequest copy) {
		try {
			if (copy instanceof UpdateItemRequest update) {
				TestDynamoDb.client().updateItem(update);
				return true;
			}
			if (copy instanceof DeleteItemRequest delete) {
				TestDynamoDb.client().deleteItem(delete);
				return true;
			}
			return false;
		}
		catch (ConditionalCheckFailedException ex) {
			return false;
		}
	}

}
