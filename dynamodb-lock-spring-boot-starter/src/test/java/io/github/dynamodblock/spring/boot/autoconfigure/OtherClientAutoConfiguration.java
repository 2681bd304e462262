/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** A client of another library, whose name comes after ours in the alphabet. */
@AutoConfiguration
class OtherClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DynamoDbClient later(EmbeddedDynamoDb dynamoDb) {
		return DynamoDbClientSelectionTests.another(dynamoDb);
	}

}
