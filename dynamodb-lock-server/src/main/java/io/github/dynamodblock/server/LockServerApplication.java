/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.time.Clock;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/**
 * A lock server over HTTP, for programs that are not Java or must not have rights on
 * DynamoDB.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class LockServerApplication {

	/**
	 * Starts the server.
	 * @param args properties, as for any Spring Boot application
	 */
	public static void main(String[] args) {
		SpringApplication.run(LockServerApplication.class, args);
	}

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

}
