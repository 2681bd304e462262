/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * Uses locks in every way that the starter offers, and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class AheadOfTimeApplication {

	/**
	 * Stands for election under the registry's lock {@code reporter}.
	 * @param registry the registry whose lock the leader holds
	 * @return the initiator
	 */
	@Bean
	LockRegistryLeaderInitiator leaderInitiator(DynamoDbLockRegistry registry) {
		return new LockRegistryLeaderInitiator(registry, new DefaultCandidate("", "reporter"));
	}

	/**
	 * Locks with a longer lease, in a namespace of the same table.
	 * @param builder has what the properties say
	 * @return the lock client
	 */
	@Bean(defaultCandidate = false)
	LockClient reports(LockClientBuilder builder) {
		return builder.namespace("reports").leaseDuration(Duration.ofMinutes(2)).build();
	}

	/**
	 * Runs the application.
	 * @param args properties, such as
	 * {@code --dynamodb-lock.dynamodb.region=eu-central-1}
	 */
	public static void main(String[] args) {
		SpringApplication.run(AheadOfTimeApplication.class, args).close();
	}

}
