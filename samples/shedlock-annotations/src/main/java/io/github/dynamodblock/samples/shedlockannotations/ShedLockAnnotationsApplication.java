/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.shedlockannotations;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.shedlock.DynamoDbLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

@SpringBootApplication
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "1h")
public class ShedLockAnnotationsApplication {

	/**
	 * Replaces ShedLock's own provider. Before:
	 * {@code new DynamoDBLockProvider(dynamoDbClient, "shedlock")}.
	 */
	@Bean
	LockProvider lockProvider(LockClient lockClient) {
		return new DynamoDbLockProvider(lockClient);
	}

	public static void main(String[] args) {
		SpringApplication.run(ShedLockAnnotationsApplication.class, args);
	}

}
