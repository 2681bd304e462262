/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One node. Start as many as you like on one table: one of them leads.
 */
@SpringBootApplication
@EnableScheduling
public class LeaderElectionApplication {

	/** Of all nodes, the one that holds the registry's lock of this name leads. */
	public static final String ROLE = "bookkeeper";

	/**
	 * Returns the application's client, which the locks use as well.
	 * @return a client for the region and the account of the environment
	 */
	@Bean
	@ConditionalOnMissingBean
	DynamoDbClient dynamoDbClient() {
		return DynamoDbClient.create();
	}

	/**
	 * Stands for election from the start, and publishes events about it.
	 * @param registry the registry whose lock the leader holds
	 * @return the initiator
	 */
	@Bean
	LockRegistryLeaderInitiator leaderInitiator(DynamoDbLockRegistry registry) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
				new DefaultCandidate("", ROLE));
		// A node that yields stays away for longer than the others pause between polls.
		initiator.setBusyWaitMillis(2000);
		return initiator;
	}

	public static void main(String[] args) {
		SpringApplication.run(LeaderElectionApplication.class, args);
	}

}
