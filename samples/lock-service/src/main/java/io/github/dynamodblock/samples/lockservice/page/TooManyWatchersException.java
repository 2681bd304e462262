/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.page;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/**
 * As many watch the list as may.
 */
class TooManyWatchersException extends ErrorResponseException {

	private static final long serialVersionUID = 1L;

	TooManyWatchersException(int most) {
		super(HttpStatus.SERVICE_UNAVAILABLE);
		setDetail("As many as " + most + " watch this instance already (lock-service.page.most-watchers)");
		getHeaders().set(HttpHeaders.RETRY_AFTER, "10");
	}

}
