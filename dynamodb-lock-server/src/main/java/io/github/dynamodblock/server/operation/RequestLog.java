/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;

import org.springframework.stereotype.Component;

/**
 * Writes one line for each call, and counts it. What only the caller may know is never in
 * it: no query, no header, no body, and of the path what its pattern names. Thread-safe.
 */
@Component
class RequestLog {

	private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

	/** As W3C Trace Context has it; the first group is the trace's id. */
	private static final Pattern TRACE_PARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

	/** The longest name that a lock may have. Verbs are shorter. */
	private static final int LONGEST_NAME = 64;

	private final MeterProvider<Counter> calls;

	RequestLog(MeterRegistry registry) {
		this.calls = Counter.builder("lock.server.calls")
			.description("Calls of the lock server, by outcome")
			.withRegistry(registry);
	}

	/**
	 * Notes a call that has ended.
	 * @param request what was asked
	 * @param route where it led
	 * @param status the status of the answer
	 * @param abandoned whether the caller went away before
	 * @param duration how long it took
	 */
	void ended(HttpServletRequest request, Route route, int status, boolean abandoned, Duration duration) {
		RequestFacts facts = RequestFacts.of(request);
		String operation = route.operation().toString();
		String outcome = outcome(facts, route, status, abandoned).toString();
		this.calls.withTags("operation", operation, "outcome", outcome).increment();
		LoggingEventBuilder line = LOG.atInfo()
			.addKeyValue("http.request.method", cut(request.getMethod()))
			.addKeyValue("http.route", route.operation().route())
			.addKeyValue("http.response.status_code", status)
			.addKeyValue("event.duration", duration.toNanos())
			.addKeyValue("lock.operation", operation)
			.addKeyValue("lock.outcome", outcome);
		line = with(line, "lock.namespace", cut(route.namespace()));
		line = with(line, "lock.name", cut(route.lockName()));
		line = with(line, "lock.instance", facts.instanceFingerprint());
		line = with(line, "lock.fencing_token", facts.fencingToken());
		line = with(line, "user.name", facts.owner());
		line = with(line, "error.id", facts.errorId());
		line = with(line, "trace.id", callersTraceId(request));
		line.log("{} {}: {}", operation, status, outcome);
	}

	private static Outcome outcome(RequestFacts facts, Route route, int status, boolean abandoned) {
		Outcome told = facts.outcome();
		if (abandoned) {
			return Outcome.ABANDONED;
		}
		return (told != null) ? told : Outcome.of(route.operation(), status);
	}

	private static LoggingEventBuilder with(LoggingEventBuilder line, String name, @Nullable Object value) {
		return (value != null) ? line.addKeyValue(name, value) : line;
	}

	private static @Nullable String cut(@Nullable String name) {
		return (name == null || name.length() <= LONGEST_NAME) ? name : name.substring(0, LONGEST_NAME) + "...";
	}

	/** Where the service takes no part in tracing, the caller's trace is still found. */
	private static @Nullable String callersTraceId(HttpServletRequest request) {
		String header = request.getHeader("traceparent");
		if (header == null || MDC.get("traceId") != null) {
			return null;
		}
		Matcher matcher = TRACE_PARENT.matcher(header);
		return matcher.matches() ? matcher.group(1) : null;
	}

}
