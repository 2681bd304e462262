/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.List;

/**
 * The operand stack of a method while its instructions are read, of which it only knows
 * which slots hold {@code this}. A long and a double take two slots. More than there is
 * can be popped: what is read need not be followed in full.
 */
final class OperandStack {

	private final List<Boolean> slots;

	OperandStack() {
		this(List.of());
	}

	private OperandStack(List<Boolean> slots) {
		this.slots = new ArrayList<>(slots);
	}

	/** Pushes slots that hold something else. */
	void push(int count) {
		for (int i = 0; i < count; i++) {
			push(false);
		}
	}

	void push(boolean isThis) {
		this.slots.add(isThis);
	}

	/**
	 * Pops slots.
	 * @param count how many
	 * @return whether the undermost of them held {@code this}
	 */
	boolean pop(int count) {
		boolean isThis = false;
		for (int i = 0; i < count; i++) {
			isThis = !this.slots.isEmpty() && this.slots.remove(this.slots.size() - 1);
		}
		return isThis;
	}

	/**
	 * Copies the topmost slots.
	 * @param count how many
	 * @param below how many slots further down the copies go
	 */
	void duplicate(int count, int below) {
		int top = Math.max(0, this.slots.size() - count);
		List<Boolean> copies = List.copyOf(this.slots.subList(top, this.slots.size()));
		this.slots.addAll(Math.max(0, top - below), copies);
	}

	void swap() {
		boolean upper = pop(1);
		boolean lower = pop(1);
		push(upper);
		push(lower);
	}

	OperandStack copy() {
		return new OperandStack(this.slots);
	}

}
