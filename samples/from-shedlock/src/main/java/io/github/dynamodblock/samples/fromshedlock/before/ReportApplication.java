/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock.before;

import io.github.dynamodblock.samples.fromshedlock.Report;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The application with ShedLock only.
 */
@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "1h")
@Import(Report.class)
public class ReportApplication {

	@Bean
	LockProvider lockProvider(DynamoDbClient dynamoDbClient) {
		return new DynamoDBLockProvider(dynamoDbClient, "shedlock");
	}

	public static void main(String[] args) {
		SpringApplication.run(ReportApplication.class, args);
	}

}
