/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.server.api.Parameters;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.CurrentSecurityContext;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends the held locks as server-sent events. A {@code locks} event contains all of them,
 * and is sent after each change. An {@code unavailable} event is sent once if the table
 * cannot be read.
 */
@RestController
class LockListController {

	private static final String EVENT_STREAM = MediaType.TEXT_EVENT_STREAM_VALUE + ";charset=UTF-8";

	/** A token is accepted for a short time after its expiry, because clocks differ. */
	private static final Duration SHORTEST_STREAM = Duration.ofSeconds(5);

	private static final long UNLIMITED = 0;

	private final LiveList list;

	private final Clock clock;

	LockListController(LiveList list, Clock clock) {
		this.list = list;
		this.clock = clock;
	}

	/**
	 * Watches the locks until the caller leaves, its token expires or the service stops.
	 * @param namespace the namespace, or {@code null} for all
	 * @param owner the owner that sent the request
	 * @param request the request
	 * @param response the response that is written to
	 */
	@GetMapping(path = "/v1/locks", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	void watch(@RequestParam(required = false) @Nullable String namespace,
			@CurrentSecurityContext(expression = "authentication.name") String owner, HttpServletRequest request,
			HttpServletResponse response) {
		String watched = (namespace != null) ? Parameters.namespace(namespace) : null;
		response.setContentType(EVENT_STREAM);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		// Otherwise, an nginx proxy in between would buffer the events.
		response.setHeader("X-Accel-Buffering", "no");
		if (!HttpMethod.HEAD.matches(request.getMethod())) {
			this.list.add(owner, () -> start(watched, owner, request, response));
		}
	}

	private Watcher start(@Nullable String namespace, String owner, HttpServletRequest request,
			HttpServletResponse response) {
		try {
			AsyncContext context = request.startAsync();
			context.setTimeout(longest(request));
			Watcher watcher = new Watcher(namespace, owner, context, response.getOutputStream());
			watcher.onEnd(() -> this.list.remove(watcher));
			context.addListener(watcher);
			response.getOutputStream().setWriteListener(watcher);
			return watcher;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns how long the caller may watch.
	 * @param request the request
	 * @return the time until the token's expiry in milliseconds, at least 5 seconds; zero
	 * without a limit
	 */
	private long longest(HttpServletRequest request) {
		if (request.getUserPrincipal() instanceof AbstractOAuth2TokenAuthenticationToken<?> caller) {
			Instant expiry = caller.getToken().getExpiresAt();
			if (expiry != null) {
				Duration left = Duration.between(this.clock.instant(), expiry);
				return Math.max(left.toMillis(), SHORTEST_STREAM.toMillis());
			}
		}
		return UNLIMITED;
	}

}
