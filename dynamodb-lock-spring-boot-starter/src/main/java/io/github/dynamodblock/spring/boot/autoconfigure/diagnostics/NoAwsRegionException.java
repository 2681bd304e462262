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

	private final String reason;

	private final String remedy;

	private final String alternative;

	/**
	 * Describes which region is missing.
	 * @param property the property that gives it
	 * @param lockClient the additional lock client for whose own properties the
	 * DynamoDbClient is made, or {@code null} if it is made because the application has
	 * none
	 * @param profile the configured AWS profile, or {@code null}
	 * @param endpointConfigured whether the address of DynamoDB is known
	 * @param cause what the SDK says
	 */
	public NoAwsRegionException(String property, @Nullable String lockClient, @Nullable String profile,
			boolean endpointConfigured, Throwable cause) {
		this(property, reason(lockClient), remedy(property, profile, endpointConfigured), alternative(lockClient),
				cause);
	}

	private NoAwsRegionException(String property, String reason, String remedy, String alternative, Throwable cause) {
		super("No DynamoDbClient can be made for locks, because the SDK found no AWS region. " + remedy + ". " + reason,
				cause);
		this.property = property;
		this.reason = reason;
		this.remedy = remedy;
		this.alternative = alternative;
	}

	private static String reason(@Nullable String lockClient) {
		return (lockClient == null) ? "The application has no DynamoDbClient bean" : "The lock client '" + lockClient
				+ "' has a separate DynamoDbClient, because it sets " + ownProperties(lockClient);
	}

	private static String alternative(@Nullable String lockClient) {
		return (lockClient == null) ? "define a DynamoDbClient bean"
				: "remove " + ownProperties(lockClient) + ", and let it share the other lock clients' DynamoDbClient";
	}

	private static String ownProperties(String lockClient) {
		return "dynamodb-lock.clients." + lockClient + ".dynamodb.*";
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

	/** Why a DynamoDbClient is made, as a sentence without the full stop. */
	String reason() {
		return this.reason;
	}

	/** How to do without a DynamoDbClient that is made, as a part of a sentence. */
	String alternative() {
		return this.alternative;
	}

	/** How to fix it, as a sentence without the full stop. */
	String remedy() {
		return this.remedy;
	}

}
