/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;

/**
 * Carries out changes that replace all attributes of an item. DynamoDB removes only
 * attributes that an update names, so that the item's attributes must be known.
 */
public final class AttributeReplacement {

	/** The number of attributes that one write removes besides those that it sets. */
	private static final int MOST_REMOVED = 100;

	private AttributeReplacement() {
	}

	/**
	 * Names the attributes that a replacement removes, as many as one write can.
	 * @param present the names of the item's attributes
	 * @return the change to send; the same one if it replaces nothing
	 */
	public static ItemChange resolve(ItemChange change, Set<String> present) {
		if (!change.replacesAttributes()) {
			return change;
		}
		String[] others = others(change, present).limit(MOST_REMOVED).toArray(String[]::new);
		return change.replaceAttributes(change.attributes()).removeAttributes(others);
	}

	/** Returns whether {@link #resolve} names all attributes that a change removes. */
	public static boolean fitsOneWrite(ItemChange change, Set<String> present) {
		return !change.replacesAttributes() || others(change, present).count() <= MOST_REMOVED;
	}

	/** Returns whether an item still has attributes that a replacement removes. */
	public static boolean isIncomplete(ItemChange change, Set<String> present) {
		return change.replacesAttributes() && others(change, present).findAny().isPresent();
	}

	private static Stream<String> others(ItemChange change, Set<String> present) {
		return present.stream().filter((name) -> !change.attributes().containsKey(name));
	}

}
