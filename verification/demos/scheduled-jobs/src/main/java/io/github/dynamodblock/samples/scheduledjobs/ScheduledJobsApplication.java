/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One node. Start as many as you like: locks distribute their work.
 */
@SpringBootApplication
@EnableScheduling
public class ScheduledJobsApplication {

	public static void main(String[] args) {
		SpringApplication.run(ScheduledJobsApplication.class, args);
	}

}
