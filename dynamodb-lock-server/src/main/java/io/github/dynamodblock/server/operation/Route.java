/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Where a request leads. Found before any part of the service looks at the request, so
 * that it is known of those too that get no further.
 *
 * @param operation what is asked for
 * @param namespace the namespace that the path names, or {@code null} if it names none
 * @param lockName the lock that the path names, or {@code null} if it names none
 */
record Route(Operation operation, @Nullable String namespace, @Nullable String lockName) {

	/** The first that matches counts. */
	private static final List<Candidate> CANDIDATES = Arrays.stream(Operation.values())
		.map((operation) -> new Candidate(operation, PathPatternParser.defaultInstance.parse(operation.route())))
		.toList();

	/**
	 * Where a path leads.
	 * @param path the path as it was sent, without the application's own part
	 * @return where it leads, or empty if it is none of the service's calls
	 */
	static Optional<Route> of(String path) {
		PathContainer parsed = PathContainer.parsePath(path);
		for (Candidate candidate : CANDIDATES) {
			PathMatchInfo match = candidate.pattern().matchAndExtract(parsed);
			if (match != null) {
				Map<String, String> variables = match.getUriVariables();
				return Optional
					.of(new Route(candidate.operation(), variables.get("namespace"), variables.get("lockName")));
			}
		}
		return Optional.empty();
	}

	private record Candidate(Operation operation, PathPattern pattern) {

	}

}
