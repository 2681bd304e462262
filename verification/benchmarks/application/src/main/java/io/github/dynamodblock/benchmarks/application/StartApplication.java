/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks.application;

import java.lang.management.ManagementFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Starts, prints how long that took, and ends. It does not refer to locks, so that it
 * also runs without the starter on its class path.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class StartApplication {

	/**
	 * Runs the application.
	 * @param args properties, such as {@code --benchmark.dynamodb-client=true}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(StartApplication.class, args);
		System.out.println("Ready after " + ManagementFactory.getRuntimeMXBean().getUptime() + " ms");
		context.close();
	}

	@Bean
	@ConditionalOnBooleanProperty("benchmark.dynamodb-client")
	DynamoDbClient dynamoDbClient() {
		return DynamoDbClient.create();
	}

}
