/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.samples.leaderelection.LeaderElectionApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@TestInstance(Lifecycle.PER_CLASS)
class TwoNodesTests {

	private EmbeddedDynamoDb dynamoDb;

	private Ledger ledger;

	@BeforeAll
	void startDynamoDb() {
		this.dynamoDb = EmbeddedDynamoDb.start();
	}

	@AfterAll
	void stopDynamoDb() {
		this.dynamoDb.close();
	}

	@BeforeEach
	void openLedger() throws IOException {
		this.ledger = Ledger.open((entry) -> {
		});
	}

	@AfterEach
	void closeLedger() throws IOException {
		this.ledger.close();
	}

	@Test
	void leadershipGoesOnWhenTheLeaderYieldsAndWhenItEndsAndIsFreeAfterTheLast() {
		try (ConfigurableApplicationContext first = start("first", "shared:");
				LockClient observer = LockClient.builder(this.dynamoDb.client()).tableName(Trial.TABLE).build()) {
			awaitEntry((entry) -> entry.isDoneWork() && entry.node().equals("first"));
			try (ConfigurableApplicationContext second = start("second", "shared:")) {
				LockRegistryLeaderInitiator initiator = first.getBean(LockRegistryLeaderInitiator.class);
				// Who yields leads again where the other does not come to look for a
				// while.
				await().atMost(Duration.ofMinutes(2)).until(() -> {
					initiator.getContext().yield();
					return hasEntry((entry) -> entry.isDoneWork() && entry.node().equals("second"));
				});
			}
			int before = this.ledger.entries().size();
			awaitEntry((entry) -> entry.number() > before && entry.isDoneWork() && entry.node().equals("first"));
			first.close();

			assertThat(observer.find("shared:" + Trial.ROLE))
				.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		}
		assertThat(Reign.of(this.ledger.entries())).extracting(Reign::node)
			.containsSubsequence("first", "second", "first");
		assertThat(Verdict.of(this.ledger.entries()).line()).startsWith("OK never two leaders at a time: ");
	}

	@Test
	void nodesWithALockOfTheirOwnLeadAtATime() {
		try (ConfigurableApplicationContext first = start("first", "first:");
				ConfigurableApplicationContext second = start("second", "second:")) {
			await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
				assertThat(first.isActive() && second.isActive()).isTrue();
				assertThat(Verdict.of(this.ledger.entries()).line()).startsWith("FAILED two leaders at a time: ");
			});
		}
	}

	private void awaitEntry(Predicate<Entry> sought) {
		await().atMost(Duration.ofMinutes(2)).until(() -> hasEntry(sought));
	}

	private boolean hasEntry(Predicate<Entry> sought) {
		return this.ledger.entries().stream().anyMatch(sought);
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext start(String node, String keyPrefix) {
		return new SpringApplicationBuilder(LeaderElectionApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run("--dynamodb-lock.owner-name=" + node, "--ledger.port=" + this.ledger.port(),
					"--dynamodb-lock.registry.key-prefix=" + keyPrefix, "--dynamodb-lock.lease-duration=20s",
					"--dynamodb-lock.heartbeat-period=5s");
	}

}
