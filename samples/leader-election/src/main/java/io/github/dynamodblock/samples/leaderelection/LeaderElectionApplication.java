/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One of many nodes, of which one leads.
 */
@SpringBootApplication
@EnableScheduling
public class LeaderElectionApplication {

	/** The node that holds the registry's lock of this name is the leader. */
	static final String ROLE = "bookkeeper";

	@Bean
	LockRegistryLeaderInitiator leaderInitiator(DynamoDbLockRegistry registry) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
				new DefaultCandidate("", ROLE));
		// A leader that yields backs off for longer than other nodes wait between polls.
		initiator.setBusyWaitMillis(1000);
		return initiator;
	}

	public static void main(String[] args) {
		SpringApplication.run(LeaderElectionApplication.class, args);
	}

}
