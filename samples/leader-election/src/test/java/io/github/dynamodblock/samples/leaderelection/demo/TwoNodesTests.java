/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.samples.demo.ApplicationNode;
import io.github.dynamodblock.samples.demo.Event;
import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.samples.leaderelection.LeaderElectionApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@TestInstance(Lifecycle.PER_CLASS)
class TwoNodesTests {

	private EmbeddedDynamoDb dynamoDb;

	private final List<Event> events = new CopyOnWriteArrayList<>();

	@BeforeAll
	void startDynamoDb() {
		this.dynamoDb = EmbeddedDynamoDb.start();
	}

	@AfterAll
	void stopDynamoDb() {
		this.dynamoDb.close();
	}

	@BeforeEach
	void forgetEvents() {
		this.events.clear();
	}

	@Test
	void leadershipGoesOnWhenTheLeaderYieldsAndWhenItEndsAndIsFreeAfterTheLast() {
		try (ConfigurableApplicationContext first = start("first", "shared:");
				LockClient observer = LockClient.builder(this.dynamoDb.client())
					.tableName(LeaderElectionDemo.TABLE)
					.build()) {
			awaitEvent((event) -> event.is(ObservedNode.WORKS) && event.node().equals("first"));
			try (ConfigurableApplicationContext second = start("second", "shared:")) {
				LockRegistryLeaderInitiator initiator = first.getBean(LockRegistryLeaderInitiator.class);
				// A node that yields leads again if the other one does not poll
				// meanwhile.
				await().atMost(Duration.ofMinutes(2)).until(() -> {
					initiator.getContext().yield();
					return hasEvent((event) -> event.is(ObservedNode.WORKS) && event.node().equals("second"));
				});
			}
			int before = this.events.size();
			await().atMost(Duration.ofMinutes(2))
				.until(() -> this.events.stream()
					.skip(before)
					.anyMatch((event) -> event.is(ObservedNode.WORKS) && event.node().equals("first")));
			first.close();

			assertThat(observer.find("shared:" + LeaderElectionApplication.ROLE))
				.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		}
		assertThat(Term.of(this.events)).extracting(Term::node).containsSubsequence("first", "second", "first");
		assertThat(LeaderChecker.check(this.events).line()).startsWith("OK never two leaders at a time: ");
	}

	@Test
	void nodesWithALockOfTheirOwnLeadAtATime() {
		try (ConfigurableApplicationContext first = start("first", "first:");
				ConfigurableApplicationContext second = start("second", "second:")) {
			await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
				assertThat(first.isActive() && second.isActive()).isTrue();
				assertThat(LeaderChecker.check(this.events).line()).startsWith("FAILED two leaders at a time: ");
			});
		}
	}

	private void awaitEvent(Predicate<Event> sought) {
		await().atMost(Duration.ofMinutes(2)).until(() -> hasEvent(sought));
	}

	private boolean hasEvent(Predicate<Event> sought) {
		return this.events.stream().anyMatch(sought);
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext start(String node, String keyPrefix) {
		return ApplicationNode
			.application(new Reporter(node, this.events::add), LeaderElectionApplication.class, ObservedNode.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run("--dynamodb-lock.owner-name=" + node, "--dynamodb-lock.registry.key-prefix=" + keyPrefix,
					"--dynamodb-lock.lease-duration=20s", "--dynamodb-lock.heartbeat-period=5s");
	}

}
