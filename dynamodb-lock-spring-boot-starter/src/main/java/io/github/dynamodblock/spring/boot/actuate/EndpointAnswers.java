/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Locale;
import java.util.function.Supplier;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.ApplicationEventPublisher;

/**
 * What the endpoints answer if something is wrong, and how they publish what they have
 * changed. Thread-safe.
 *
 * @param endpoint the name of the endpoint, for the log
 * @param logger the log
 */
record EndpointAnswers(String endpoint, Logger logger) {

	static final int STATUS_CONFLICT = 409;

	/**
	 * Answers a question.
	 * @return its answer; a problem with status 400 if the question is invalid, and 503
	 * if DynamoDB does not answer
	 */
	WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> question) {
		try {
			return question.get();
		}
		catch (IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, ex.getMessage());
		}
		catch (LockTableException ex) {
			return unavailable(ex, "Table '" + ex.tableName() + "' cannot be used ("
					+ ex.problem().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")");
		}
		catch (LockException ex) {
			return unavailable(ex, "DynamoDB did not carry out the call");
		}
	}

	/** The messages of AWS name roles and accounts, and stay in the log. */
	private WebEndpointResponse<?> unavailable(LockException ex, String problem) {
		this.logger.warn("The endpoint '{}' failed: {}", this.endpoint, ex.getMessage());
		this.logger.debug("The endpoint '{}' failed", this.endpoint, ex);
		return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
				problem + ". The log of this node has the cause");
	}

	static WebEndpointResponse<?> problem(int status, @Nullable String message) {
		return new WebEndpointResponse<>(new Problem(String.valueOf(message)), status);
	}

	/** Publishes an event. What a listener throws does not undo the change. */
	void publish(ApplicationEventPublisher events, Object event) {
		try {
			events.publishEvent(event);
		}
		catch (RuntimeException ex) {
			this.logger.error("A listener failed for {}", event, ex);
		}
	}

}
