/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * Thrown if the caller has left or its deadline has passed. The call changes nothing.
 */
public class UnwantedCallException extends RuntimeException {

	private static final long serialVersionUID = 1L;

}
