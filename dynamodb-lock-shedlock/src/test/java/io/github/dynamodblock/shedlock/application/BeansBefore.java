/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock.application;

import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Before the application is moved: the lock provider is ShedLock's. */
@Configuration
public class BeansBefore {

	@Bean
	LockProvider lockProvider(DynamoDbClient dynamoDbClient) {
		return new DynamoDBLockProvider(dynamoDbClient, "shedlock");
	}

}
