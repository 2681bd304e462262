/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * The client that reads and opens orders. The locks use it, too, so that both tables are
 * in one account and region.
 */
@Configuration(proxyBeanMethods = false)
@Profile("dynamodb")
class DynamoDbConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DynamoDbClient dynamoDbClient() {
		return DynamoDbClient.create();
	}

}
