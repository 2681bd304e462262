/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks.application;

import java.lang.management.ManagementFactory;
import java.time.Duration;

import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;

/**
 * Starts, prints how long that took, and ends. It also runs without the starter on its
 * class path: a JVM leaves out annotations whose class is missing.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class StartApplication {

	/**
	 * Runs the application.
	 * @param args properties, such as {@code --benchmark.dynamodb-client=true}
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(StartApplication.class, args);
		long uptime = ManagementFactory.getRuntimeMXBean().getUptime();
		Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
		System.out.println("Ready after " + uptime + " ms, " + cpu.toMillis() + " ms of processor time");
		context.close();
	}

	@Bean
	Orders orders() {
		return new Orders();
	}

	@Bean
	@ConditionalOnBooleanProperty("benchmark.dynamodb-client")
	DynamoDbClient dynamoDbClient() {
		return DynamoDbClient.create();
	}

	/** The call that the starter's table check sends. */
	@Bean
	@ConditionalOnProperty("benchmark.described-table")
	DescribeTableResponse describedTable(DynamoDbClient dynamoDb, @Value("${benchmark.described-table}") String name) {
		return dynamoDb.describeTable((table) -> table.tableName(name));
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		public void ship(String id) {
		}

	}

}
