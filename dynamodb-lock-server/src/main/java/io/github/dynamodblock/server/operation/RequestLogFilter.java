/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Notes each call at its end, be it answered, refused by the guards around the service,
 * or left by the caller. Outside of all filters but the one that observes requests.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class RequestLogFilter extends OncePerRequestFilter {

	private final RequestLog log;

	RequestLogFilter(RequestLog log) {
		this.log = log;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		String path = request.getRequestURI().substring(request.getContextPath().length());
		Optional<Route> route = Route.of(path);
		if (route.isEmpty()) {
			chain.doFilter(request, response);
			return;
		}
		Call call = new Call(request, response, route.get());
		try {
			chain.doFilter(request, response);
		}
		catch (ServletException | IOException | RuntimeException | Error ex) {
			call.failed(ex);
			throw ex;
		}
		if (!request.isAsyncStarted()) {
			call.ended();
			return;
		}
		try {
			request.getAsyncContext().addListener(call);
		}
		catch (IllegalStateException ex) {
			// Completed by another thread in between.
			call.ended();
		}
	}

	/** A call under way. Ends once, whichever callback comes first. */
	private final class Call implements AsyncListener {

		private final HttpServletRequest request;

		private final HttpServletResponse response;

		private final Route route;

		private final long start = System.nanoTime();

		private final AtomicBoolean ended = new AtomicBoolean();

		private volatile boolean abandoned;

		Call(HttpServletRequest request, HttpServletResponse response, Route route) {
			this.request = request;
			this.response = response;
			this.route = route;
		}

		void ended() {
			ended(this.response.getStatus());
		}

		/** The server has not set the status yet that it answers a failure with. */
		void failed(Throwable failure) {
			this.abandoned = DisconnectedClientHelper.isClientDisconnectedException(failure);
			ended(this.response.isCommitted() ? this.response.getStatus()
					: HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
		}

		private void ended(int status) {
			if (this.ended.compareAndSet(false, true)) {
				Duration duration = Duration.ofNanos(System.nanoTime() - this.start);
				RequestLogFilter.this.log.ended(this.request, this.route, status, this.abandoned, duration);
			}
		}

		@Override
		public void onComplete(AsyncEvent event) {
			ended();
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			// The completion follows.
		}

		@Override
		public void onError(AsyncEvent event) {
			// The completion follows.
			this.abandoned = event.getThrowable() instanceof IOException;
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			event.getAsyncContext().addListener(this);
		}

	}

}
