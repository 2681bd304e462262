/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.samples.leaderelection.LeaderElectionApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TwoNodesTests {

	private static final String KEY_PREFIX = "shared:";

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private final List<Event> events = new CopyOnWriteArrayList<>();

	@BeforeEach
	void createLedgerTable() {
		LedgerTable.create(this.dynamoDb.client());
	}

	@AfterEach
	void stopDynamoDb() {
		this.dynamoDb.close();
	}

	@Test
	void leadershipGoesOnWhenTheLeaderYieldsAndWhenItEndsAndIsFreeAfterTheLast() {
		try (ConfigurableApplicationContext first = start("first");
				LockClient observer = LockClient.builder(this.dynamoDb.client()).build()) {
			awaitEvent((event) -> event.is(ObservedNode.WORKS) && event.node().equals("first"));
			try (ConfigurableApplicationContext second = start("second")) {
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

			assertThat(observer.find(KEY_PREFIX + LeaderElectionDemo.ROLE))
				.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
		}
		assertThat(Term.of(this.events)).extracting(Term::node).containsSubsequence("first", "second", "first");
		assertThat(LeaderChecker.check(this.events).line()).startsWith("OK never two leaders at a time: ");
	}

	private void awaitEvent(Predicate<Event> sought) {
		await().atMost(Duration.ofMinutes(2)).until(() -> hasEvent(sought));
	}

	private boolean hasEvent(Predicate<Event> sought) {
		return this.events.stream().anyMatch(sought);
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext start(String node) {
		List<String> arguments = new ArrayList<>(
				ObservedNode.arguments(KEY_PREFIX, Duration.ofSeconds(20), Duration.ofSeconds(5)));
		arguments.add("--dynamodb-lock.owner-name=" + node);
		return ApplicationNode
			.application(new Reporter(node, this.events::add), LeaderElectionApplication.class, ObservedNode.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run(arguments.toArray(String[]::new));
	}

}
