/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * The caller has left, or its deadline is over: its call changes nothing.
 */
public class UnwantedCallException extends RuntimeException {

	private static final long serialVersionUID = 1L;

}
