/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock.application;

import java.io.IOException;
import java.time.Instant;

import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application with ShedLock's annotations. It knows ShedLock, Spring Boot and the AWS
 * SDK; {@code spring.main.sources} adds the configuration with the lock provider. It
 * prints its runs, and ends with its standard input.
 */
@Configuration
@EnableAutoConfiguration
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "10m")
public class ReportApplication {

	/** The seconds between two ticks. */
	public static final int INTERVAL = 6;

	private static final long WORK_MILLIS = 1500;

	public static void main(String[] arguments) throws IOException {
		ConfigurableApplicationContext context = SpringApplication.run(ReportApplication.class, arguments);
		while (System.in.read() != -1) {
			// Only its end matters.
		}
		System.exit(SpringApplication.exit(context));
	}

	/** The endpoint, region and credentials are in the environment. */
	@Bean
	DynamoDbClient dynamoDbClient() {
		DynamoDbClient client = DynamoDbClient.create();
		// The first call takes seconds on a busy machine; as a job's, it could come after
		// lockAtLeastFor.
		client.listTables();
		return client;
	}

	@Scheduled(cron = "*/" + INTERVAL + " * * * * *")
	void tick() {
		System.out.println("ticks");
	}

	@Scheduled(cron = "*/" + INTERVAL + " * * * * *")
	@SchedulerLock(name = "report", lockAtLeastFor = "5s")
	void report() throws InterruptedException {
		LockAssert.assertLocked();
		long tick = Instant.now().getEpochSecond() / INTERVAL;
		System.out.println("begins " + tick);
		Thread.sleep(WORK_MILLIS);
		System.out.println("ends " + tick);
	}

}
