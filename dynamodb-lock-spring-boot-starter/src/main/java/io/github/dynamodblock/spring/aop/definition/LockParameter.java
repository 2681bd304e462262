/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import org.jspecify.annotations.Nullable;

/**
 * The parameter of an annotated method that the advice fills in with the lock, whatever
 * the caller passed. Immutable.
 *
 * @param index its position, or -1 if there is none
 * @param takesList whether it takes a list of locks rather than one lock
 */
public record LockParameter(int index, boolean takesList) {

	/** No parameter takes the lock. */
	public static final LockParameter NONE = new LockParameter(-1, false);

	/**
	 * Whether the parameter can take so many locks. To be asked before any is taken.
	 * @param locks how many locks a call is to hold
	 * @return false for more than one, if it takes one
	 */
	public boolean accepts(int locks) {
		return this.index < 0 || this.takesList || locks == 1;
	}

	/**
	 * The arguments of a call, with the locks among them.
	 * @param arguments the arguments that the caller passed; not changed
	 * @param locks the locks of the call, in the order of their keys
	 * @return the arguments for the method
	 */
	public @Nullable Object[] fill(@Nullable Object[] arguments, List<HeldLock> locks) {
		if (this.index < 0) {
			return arguments;
		}
		@Nullable Object[] filled = Arrays.copyOf(arguments, arguments.length);
		filled[this.index] = this.takesList ? List.copyOf(locks) : locks.get(0);
		return filled;
	}

}
