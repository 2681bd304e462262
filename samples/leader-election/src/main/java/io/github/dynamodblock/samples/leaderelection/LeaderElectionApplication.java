/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One node. Start as many as you like on one table: one of them leads.
 */
@SpringBootApplication
@EnableScheduling
public class LeaderElectionApplication {

	/**
	 * Returns the application's client, which the locks use as well.
	 * @return a client for the region and the account of the environment
	 */
	@Bean
	@ConditionalOnMissingBean
	DynamoDbClient dynamoDbClient() {
		return DynamoDbClient.create();
	}

	public static void main(String[] args) {
		SpringApplication.run(LeaderElectionApplication.class, args);
	}

}
