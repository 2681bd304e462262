/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Logs one line when the observation of a call ends, with the call's lock and result. The
 * line contains no instance ID, body, header or query.
 */
@Component
public class RequestLog implements ObservationHandler<ServerRequestObservationContext> {

	private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

	private static final String INSTANCE = "lock.instance";

	private static final String FENCING_TOKEN = "lock.fencing_token";

	private static final String ERROR_ID = "error.id";

	private static final String REASON = "event.reason";

	private static final PathPatternRequestMatcher CALLS = PathPatternRequestMatcher.pathPattern("/v1/**");

	private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.values());

	private static final Pattern TRACE_PARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

	private static final int LONGEST_TEXT = 255;

	/**
	 * Adds the caller's instance to the line of a call.
	 * @param request the call
	 * @param fingerprint the fingerprint of the instance's ID
	 */
	public static void instance(ServletRequest request, String fingerprint) {
		request.setAttribute(INSTANCE, fingerprint);
	}

	/**
	 * Adds the granted fencing token to the line of a call.
	 * @param request the call
	 * @param token the fencing token
	 */
	public static void fencingToken(ServletRequest request, long token) {
		request.setAttribute(FENCING_TOKEN, token);
	}

	/**
	 * Adds an error's ID to the line of a call.
	 * @param request the call
	 * @return the ID, which is the same for all errors of the call
	 */
	public static String errorId(ServletRequest request) {
		if (request.getAttribute(ERROR_ID) == null) {
			request.setAttribute(ERROR_ID, UUID.randomUUID().toString());
		}
		return String.valueOf(request.getAttribute(ERROR_ID));
	}

	/**
	 * Adds to the line of a call why it was refused. A request that is refused before its
	 * path is checked also gets a line.
	 * @param request the call
	 * @param reason the reason
	 */
	public static void reason(ServletRequest request, String reason) {
		request.setAttribute(REASON, reason);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof ServerRequestObservationContext;
	}

	@Override
	public void onStart(ServerRequestObservationContext context) {
		context.put(RequestLog.class, System.nanoTime());
	}

	@Override
	public void onStop(ServerRequestObservationContext context) {
		HttpServletRequest request = context.getCarrier();
		HttpServletResponse response = context.getResponse();
		if (request == null || response == null || (request.getAttribute(REASON) == null && !CALLS.matches(request))) {
			return;
		}
		@Nullable Long start = context.get(RequestLog.class);
		if (start == null) {
			// Already logged: a call is stopped twice if its caller leaves during the
			// response.
			return;
		}
		context.remove(RequestLog.class);
		Map<?, ?> path = (request
			.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables) ? variables
					: Map.of();
		String route = Objects.requireNonNullElse(context.getPathPattern(), "/v1/**");
		String method = METHODS.contains(HttpMethod.valueOf(request.getMethod())) ? request.getMethod() : "UNKNOWN";
		LoggingEventBuilder line = LOG.atInfo();
		line = with(line, "http.request.method", method);
		line = with(line, "http.route", route);
		line = with(line, "http.response.status_code", response.getStatus());
		line = with(line, "event.duration", System.nanoTime() - start);
		line = with(line, REASON, request.getAttribute(REASON));
		line = with(line, "client.ip", request.getRemoteAddr());
		line = with(line, "lock.namespace", path.get("namespace"));
		line = with(line, "lock.name", path.get("lockName"));
		line = with(line, INSTANCE, request.getAttribute(INSTANCE));
		line = with(line, FENCING_TOKEN, request.getAttribute(FENCING_TOKEN));
		line = with(line, "user.name", owner(request));
		line = with(line, ERROR_ID, request.getAttribute(ERROR_ID));
		line = with(line, "trace.id", callersTraceId(request));
		line.log("{} {}: {}", method, route, response.getStatus());
	}

	private static LoggingEventBuilder with(LoggingEventBuilder line, String name, @Nullable Object value) {
		if (value == null) {
			return line;
		}
		return line.addKeyValue(name, (value instanceof String text && text.length() > LONGEST_TEXT)
				? text.substring(0, LONGEST_TEXT) + "..." : value);
	}

	private static @Nullable String owner(HttpServletRequest request) {
		Object context = request.getAttribute(RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME);
		Authentication caller = (context instanceof SecurityContext security) ? security.getAuthentication() : null;
		return (caller != null) ? caller.getName() : null;
	}

	private static @Nullable String callersTraceId(HttpServletRequest request) {
		Matcher trace = TRACE_PARENT.matcher(String.valueOf(request.getHeader("traceparent")));
		return trace.matches() ? trace.group(1) : null;
	}

}
