/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.util.Map;
import java.util.function.Predicate;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Tells a lock client's requests apart by what they write.
 */
public final class LockCalls {

	private LockCalls() {
	}

	/** Whether the request is to take a lock. */
	public static boolean isClaim(SdkRequest request) {
		return sets(request, "ownerName");
	}

	/** Whether the request is to keep a lock. */
	public static boolean isHeartbeat(SdkRequest request) {
		return sets(request, "recordVersionNumber") && !isClaim(request) && !isRelease(request);
	}

	/** Whether the request is to free a lock. */
	public static boolean isRelease(SdkRequest request) {
		return request instanceof DeleteItemRequest || sets(request, "isReleased");
	}

	/**
	 * Whether the request is about a lock of this name, or of one that begins with it.
	 */
	public static Predicate<SdkRequest> ofKey(String prefix) {
		return (request) -> key(request).values().stream().anyMatch((value) -> value.s().startsWith(prefix));
	}

	private static Map<String, AttributeValue> key(SdkRequest request) {
		if (request instanceof UpdateItemRequest update) {
			return update.key();
		}
		if (request instanceof DeleteItemRequest delete) {
			return delete.key();
		}
		return (request instanceof GetItemRequest get) ? get.key() : Map.of();
	}

	private static boolean sets(SdkRequest request, String attribute) {
		return request instanceof UpdateItemRequest update
				&& update.updateExpression().contains(" " + attribute + " = ");
	}

}
