/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.io.Writer;

import io.github.dynamodblock.server.operation.RequestLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * Answers requests that Tomcat refuses before the application receives them, such as a
 * malformed path, in the same format as all other errors. Tomcat creates it by name.
 */
public final class ErrorValve extends ErrorReportValve {

	private static final Logger logger = LoggerFactory.getLogger(ErrorValve.class);

	@Override
	protected void report(Request request, Response response, @Nullable Throwable failure) {
		if (response.getStatus() < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
			return;
		}
		String message = ErrorMessages.of(HttpStatusCode.valueOf(response.getStatus()));
		String id = RequestLog.errorId(request);
		logger.atInfo()
			.addKeyValue("error.id", id)
			.log("Tomcat refused a request: {} {}", response.getStatus(), message);
		try {
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			Writer writer = response.getReporter();
			if (writer != null) {
				writer.write("{\"message\":\"" + message + "\",\"errorId\":\"" + id + "\"}");
				response.finishResponse();
			}
		}
		catch (IOException | IllegalStateException ex) {
			logger.debug("The response did not reach the caller", ex);
		}
	}

}
