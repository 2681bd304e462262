/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.dynamodblock.server.operation.RequestLog;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response.
 *
 * @param message the error
 * @param details the rules that an invalid request breaks; {@code null} for other errors
 * @param errorId the ID of the error in the service's log; {@code null} for an invalid
 * request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ErrorAnswer(String message, @Nullable List<String> details, @Nullable String errorId) {

	static ErrorAnswer of(@Nullable String message, ServletRequest request) {
		return new ErrorAnswer(String.valueOf(message), null, RequestLog.errorId(request));
	}

}
