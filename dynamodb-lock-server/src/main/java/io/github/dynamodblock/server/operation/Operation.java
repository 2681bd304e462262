/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.Locale;

/**
 * What a caller asks for.
 */
enum Operation {

	GET("/v1/{namespace}/lock/{lockName}", Outcome.FREE),

	ACQUIRE("/v1/{namespace}/lock/{lockName}/acquire", Outcome.GRANTED),

	RENEW("/v1/{namespace}/lock/{lockName}/renew", Outcome.RENEWED),

	RELEASE("/v1/{namespace}/lock/{lockName}/release", Outcome.RELEASED),

	LIST("/v1/locks", Outcome.LISTED),

	/** Nothing that the service has. */
	UNKNOWN("/v1/**", Outcome.NOT_FOUND);

	private final String route;

	private final Outcome success;

	Operation(String route, Outcome success) {
		this.route = route;
		this.success = success;
	}

	/**
	 * The pattern of its path.
	 */
	String route() {
		return this.route;
	}

	/**
	 * The outcome if the answer has a status of success and no other is noted.
	 */
	Outcome success() {
		return this.success;
	}

	/**
	 * The operation as logs and meters have it.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
