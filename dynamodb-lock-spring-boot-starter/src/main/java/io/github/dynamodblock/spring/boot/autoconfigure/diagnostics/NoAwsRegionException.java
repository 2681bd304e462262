/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * No DynamoDbClient can be made for locks, because no AWS region is known.
 *
 * <pre>{@code
 * catch (NoAwsRegionException ex) {
 *     logger.error("Set {}", ex.property());
 * }
 * }</pre>
 */
public final class NoAwsRegionException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String property;

	private final String remedy;

	/**
	 * Describes which region is missing.
	 * @param property the property that gives it
	 * @param profile the configured AWS profile, or {@code null}
	 * @param endpointConfigured whether the address of DynamoDB is known
	 * @param cause what the SDK says
	 */
	public NoAwsRegionException(String property, @Nullable String profile, boolean endpointConfigured,
			Throwable cause) {
		this(property, remedy(property, profile, endpointConfigured), cause);
	}

	private NoAwsRegionException(String property, String remedy, Throwable cause) {
		super("There is no DynamoDbClient bean, and none can be made for locks, because the SDK found no AWS region. "
				+ remedy, cause);
		this.property = property;
		this.remedy = remedy;
	}

	private static String remedy(String property, @Nullable String profile, boolean endpointConfigured) {
		return "Set " + property + ", the environment variable AWS_REGION, or the region of the AWS profile"
				+ ((profile != null) ? " '" + profile + "'" : "")
				+ (endpointConfigured ? "; DynamoDB Local takes any, such as local" : "");
	}

	/**
	 * Which property gives the region.
	 * @return its full name
	 */
	public String property() {
		return this.property;
	}

	/** How to mend it, as a sentence without the full stop. */
	String remedy() {
		return this.remedy;
	}

}
