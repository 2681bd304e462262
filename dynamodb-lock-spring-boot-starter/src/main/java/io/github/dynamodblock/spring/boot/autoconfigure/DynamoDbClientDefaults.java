/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * What the application configures for all clients of AWS, and the locks' own
 * DynamoDbClient takes over.
 */
interface DynamoDbClientDefaults {

	/**
	 * The region.
	 * @return the region
	 * @throws SdkClientException if none is found
	 */
	Region region();

	/**
	 * Sets credentials, endpoint and the like.
	 * @param builder the client to be
	 * @param region the region
	 */
	void apply(DynamoDbClientBuilder builder, Region region);

}
