/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import org.jspecify.annotations.Nullable;

/**
 * When a lock may be claimed; one of these conditions is enough.
 *
 * @param noItem whether the lock may have no item
 * @param released whether a released lock may be taken
 * @param version a record version number that may be taken because its lease was seen to
 * end or its holder handed it over, or {@code null}
 * @param owner the owner whose own lock may be acquired again, or {@code null}
 */
public record Precondition(boolean noItem, boolean released, @Nullable String version, @Nullable String owner) {

	/** The lock is free. */
	public static final Precondition FREE = new Precondition(true, true, null, null);

	/**
	 * The precondition for continuing with a lock that was handed over, or that is to be
	 * taken from a certain owner only.
	 * @param version the record version number that the lock must still have
	 * @return the precondition
	 */
	public static Precondition only(String version) {
		return new Precondition(false, false, version, null);
	}

	/**
	 * This precondition, or a certain version.
	 * @param version a record version number that may be taken, or {@code null}
	 * @return the precondition
	 */
	public Precondition orVersion(@Nullable String version) {
		return (version == null) ? this : new Precondition(this.noItem, this.released, version, this.owner);
	}

}
