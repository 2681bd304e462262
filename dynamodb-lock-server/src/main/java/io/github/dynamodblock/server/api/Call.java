/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;

import io.github.dynamodblock.server.lock.UnwantedCallException;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * A call that occupies no thread of the server while it waits. Its deadline counts from
 * the request's arrival. When it has passed, the call is answered with 503. Thread-safe.
 */
final class Call extends DeferredResult<ResponseEntity<LockAnswer>> {

	private final Caller caller;

	Call(HttpServletRequest request, Duration timeout) {
		super(Caller.of(request).millisLeft(timeout));
		this.caller = Caller.of(request);
	}

	/**
	 * Returns whether a response can still reach the caller.
	 */
	boolean isWanted() {
		return !isSetOrExpired() && !this.caller.hasLeft(this::isSetOrExpired);
	}

	/**
	 * Does the work, unless the caller has left or the deadline has passed.
	 * @param <T> the result of the work
	 * @param work may throw anything
	 * @param answer turns the result into the response, while the request is still open
	 */
	<T> void run(Callable<T> work, Function<T, ResponseEntity<LockAnswer>> answer) {
		try {
			if (!isWanted()) {
				throw new UnwantedCallException();
			}
			T result = work.call();
			synchronized (this) {
				if (!isSetOrExpired()) {
					setResult(answer.apply(result));
				}
			}
		}
		catch (Throwable ex) {
			setErrorResult(ex);
		}
	}

}
