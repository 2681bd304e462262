/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * There is no such order.
 */
@ResponseStatus(HttpStatus.NOT_FOUND)
public class UnknownOrderException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownOrderException(long id) {
		super("There is no order " + id);
	}

}
