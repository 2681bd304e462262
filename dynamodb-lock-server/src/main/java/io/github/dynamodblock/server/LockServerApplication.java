/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

import io.github.dynamodblock.LockClient;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/**
 * A lock server over HTTP, for programs that are not written in Java, or must not have
 * permissions for DynamoDB.
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

	/**
	 * The clock that measures leases. It is the machine's clock, corrected by the minimum
	 * difference from DynamoDB's clock.
	 */
	@Bean
	Clock clock(LockClient client) {
		InstantSource corrected = () -> {
			Instant now = Instant.now();
			return client.serviceTime().map((time) -> now.minus(time.differenceOf(now))).orElse(now);
		};
		return corrected.withZone(ZoneOffset.UTC);
	}

}
