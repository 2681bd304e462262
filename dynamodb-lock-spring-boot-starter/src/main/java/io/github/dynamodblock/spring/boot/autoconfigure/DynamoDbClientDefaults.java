/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * What the application configures for all clients of AWS, and the locks' own
 * DynamoDbClient takes over.
 */
interface DynamoDbClientDefaults {

	/**
	 * Makes sure that there is a region.
	 * @throws SdkClientException if none is found
	 */
	void requireRegion();

	/**
	 * Sets region, credentials, endpoint and the like.
	 * @param builder the client to be
	 * @param region the region, or {@code null} if it is to be found
	 */
	void apply(DynamoDbClientBuilder builder, @Nullable Region region);

}
