/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.ByteArrayInputStream;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/**
 * A claim that an answer of DynamoDB shows to have been applied: the item of a lock, as a
 * write left it, as a read found it, or as it was when a write was refused.
 *
 * @param key the lock's key
 * @param ownerName whose claim it was
 * @param token the fencing token that the claim got
 */
public record AppliedClaim(String key, String ownerName, long token) {

	/** Where answers carry an item: of reads and refused writes, and of writes. */
	private static final String[] ITEMS = { "Item", "Attributes" };

	/** What an answer shows; {@code null} if it carries no lock's item with a token. */
	static @Nullable AppliedClaim in(HttpMessage answer) {
		String type = answer.header("content-type");
		if (type == null || !type.startsWith("application/x-amz-json")) {
			return null;
		}
		JsonNode json = JsonNode.parser().parse(new ByteArrayInputStream(answer.body()));
		for (String name : ITEMS) {
			Optional<JsonNode> item = json.field(name);
			if (item.isPresent()) {
				return of(item.get());
			}
		}
		return null;
	}

	private static @Nullable AppliedClaim of(JsonNode item) {
		String key = value(item, "key", "S");
		String owner = value(item, "ownerName", "S");
		String token = value(item, "fencingToken", "N");
		return (key != null && owner != null && token != null) ? new AppliedClaim(key, owner, Long.parseLong(token))
				: null;
	}

	private static @Nullable String value(JsonNode item, String attribute, String type) {
		return item.field(attribute).flatMap((value) -> value.field(type)).map(JsonNode::asString).orElse(null);
	}

}
