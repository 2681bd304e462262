/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/**
 * As many clients watch the list as may, or as many of one owner.
 */
class TooManyWatchersException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	private TooManyWatchersException(HttpStatus status, String detail) {
		super(status);
		setDetail(detail);
		getHeaders().set(HttpHeaders.RETRY_AFTER, "10");
	}

	static TooManyWatchersException ofInstance(int most) {
		return new TooManyWatchersException(HttpStatus.SERVICE_UNAVAILABLE,
				"This instance has " + most + " watchers already (lock-server.page.most-watchers)");
	}

	static TooManyWatchersException ofOwner(int most) {
		return new TooManyWatchersException(HttpStatus.TOO_MANY_REQUESTS, "The owner has " + most
				+ " watchers on this instance already (lock-server.page.most-watchers-per-owner)");
	}

}
