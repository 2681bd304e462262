/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardeddynamodb;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class GuardedDynamodbApplication {

	private static final Logger logger = LoggerFactory.getLogger(GuardedDynamodbApplication.class);

	@Bean
	ApplicationRunner addItems(Orders orders) {
		return (arguments) -> {
			logger.info("Stored {}", orders.addItem("17", 250));
			logger.info("Stored {}", orders.addItem("17", 100));
		};
	}

	public static void main(String[] args) {
		SpringApplication.run(GuardedDynamodbApplication.class, args);
	}

}
