/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockRegistryAutoConfiguration;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Integration's leader election with the registry. Most leases are far longer than
 * what the tests wait, so that who leads next was let in, and took over from nobody.
 */
@Order(1)
@ExtendWith(DynamoDbExtension.class)
class LeaderElectionTests {

	private static final String GRANTED = "OnGrantedEvent";

	private static final String REVOKED = "OnRevokedEvent";

	private static final String FAILED = "OnFailedToAcquireMutexEvent";

	/** A candidate that yielded lets the others go first. */
	private static final long BUSY_WAIT_AFTER_YIELD = 5_000;

	private final String table = "leaders-" + UUID.randomUUID();

	private final List<LeaderNode> nodes = new ArrayList<>();

	private EmbeddedDynamoDb dynamoDb;

	@BeforeEach
	void createTable(EmbeddedDynamoDb dynamoDb) {
		this.dynamoDb = dynamoDb;
		LockTable.of(dynamoDb.client(), this.table).createIfMissing();
	}

	@AfterEach
	void stop() {
		this.nodes.forEach(LeaderNode::close);
	}

	@Test
	void theOnlyCandidateLeadsUntilItStops() {
		LeaderNode node = node("a").start();
		await().until(node::leads);
		assertThat(node.heldToken()).isPositive();
		assertThat(node.ownerInTable()).isEqualTo(node.client().ownerName());
		node.initiator().stop();
		await().until(() -> node.events().contains(REVOKED));
		assertThat(node.events()).containsExactly(GRANTED, REVOKED);
		assertThat(node.isRowGone()).isTrue();
		assertThat(node.leads()).isFalse();
	}

	@Test
	void aCandidateThatWasStoppedLeadsAgainOnceItIsStarted() {
		LeaderNode node = leading("a");
		node.initiator().stop();
		await().until(() -> node.events().contains(REVOKED));
		node.start();
		// The event is published after the role was taken.
		await().untilAsserted(() -> assertThat(node.events()).containsExactly(GRANTED, REVOKED, GRANTED));
		assertThat(node.leads()).isTrue();
	}

	@Test
	void aLeaderThatKeepsItsLockSendsHeartbeatsAndNothingElse() {
		LeaderNode leader = leading("a");
		await().until(() -> leader.recorder().calls().size() > 8);
		assertThat(leader.recorder().calls()).containsOnly("UpdateItemRequest");
		assertThat(leader.events()).containsExactly(GRANTED);
	}

	@Test
	void aFollowerReadsAndMarksTheLeadersLockLessAndLessOften() {
		leading("a");
		LeaderNode follower = node("b");
		follower.initiator().setPublishFailedEvents(true);
		follower.start();
		// The first try claims the lock; marks come when the leader's term has doubled.
		await().until(() -> follower.events().size() > 4);
		int firstCalls = follower.recorder().calls().size();
		await().until(() -> follower.events().size() > 12);
		List<String> calls = follower.recorder().calls();
		assertThat(calls).first().isEqualTo("UpdateItemRequest");
		List<String> later = calls.subList(firstCalls, calls.size());
		assertThat(later).contains("GetItemRequest");
		assertThat(2 * Collections.frequency(later, "UpdateItemRequest")).isLessThan(later.size());
		assertThat(follower.events()).containsOnly(FAILED);
	}

	@Test
	void aFollowerLeadsOnceTheLeaderStops() {
		LeaderNode leader = leading("a");
		LeaderNode follower = following("b");
		leader.initiator().stop();
		await().until(follower::leads);
		assertThat(follower.ownerInTable()).isEqualTo(follower.client().ownerName());
	}

	@Test
	void aFollowerLeadsOnceTheLeadersApplicationClosesWhateverItsWork() {
		CompletableFuture<Boolean> workEnds = new CompletableFuture<>();
		try {
			// Ignores interrupts.
			application((self) -> workEnds.join()).run((context) -> {
				await().until(() -> context.getBean(LockRegistryLeaderInitiator.class).getContext().isLeader());
				LeaderNode follower = following("b");
				context.getSourceApplicationContext().close();
				await().until(follower::leads);
			});
		}
		finally {
			workEnds.complete(true);
		}
	}

	@Test
	void aLeaderThatClosesItsApplicationLeavesNoRowBehind() throws Exception {
		CompletableFuture<Boolean> closed = new CompletableFuture<>();
		application((self) -> {
			self.close();
			closed.complete(true);
		}).run((context) -> assertThat(closed).succeedsWithin(Duration.ofSeconds(60)));
		assertThat(node("b").isRowGone()).isTrue();
	}

	@Test
	void aFollowerLeadsOnceTheLeaderYields() {
		LeaderNode leader = leading("a");
		LeaderNode follower = following("b");
		leader.initiator().setBusyWaitMillis(BUSY_WAIT_AFTER_YIELD);
		leader.yieldLeadership();
		await().until(follower::leads);
		assertThat(leader.events()).containsExactly(GRANTED, REVOKED);
		assertThat(leader.leads()).isFalse();
		assertThat(follower.ownerInTable()).isEqualTo(follower.client().ownerName());
	}

	@Test
	void aLeaderWhoseLockIsStolenIsRevokedAndAnotherNodeIsNotGranted() {
		LeaderNode leader = leading("a");
		LeaderNode follower = following("b");
		steal();
		await().until(() -> leader.events().contains(REVOKED));
		assertThat(leader.heldToken()).isZero();
		assertThat(leader.leads()).isFalse();
		assertThat(leader.ownerInTable()).isEqualTo("thief");
		assertThat(follower.events()).isEmpty();
	}

	@Test
	void aLeaderThatLostAndRegainedItsLockLeavesNoRowBehindWhenItYields() {
		LeaderNode leader = leading("a");
		loseAndRegain(leader);
		leader.initiator().setBusyWaitMillis(BUSY_WAIT_AFTER_YIELD);
		leader.yieldLeadership();
		await().until(() -> leader.events().size() == 4);
		assertThat(leader.isRowGone()).isTrue();
		assertThat(leader.events()).containsExactly(GRANTED, REVOKED, GRANTED, REVOKED);
	}

	@Test
	void theLockOfALeaderThatDiedIsTakenOverAfterItsLease() {
		LeaderNode leader = node("a", Duration.ofSeconds(2)).start();
		await().until(leader::leads);
		LeaderNode follower = following("b");
		leader.client().closeWithoutReleasing();
		await().until(follower::leads);
		await().until(() -> leader.events().contains(REVOKED));
		assertThat(follower.ownerInTable()).isEqualTo(follower.client().ownerName());
	}

	@Test
	void aTableThatIsDeletedRevokesTheLeaderAndOneThatIsMadeAnewHasALeaderAgain() {
		LeaderNode leader = leading("a");
		this.dynamoDb.client().deleteTable((delete) -> delete.tableName(this.table));
		await().until(() -> leader.events().contains(REVOKED));
		assertThat(leader.heldToken()).isZero();
		LockTable.of(this.dynamoDb.client(), this.table).createIfMissing();
		await().until(leader::leads);
		leader.initiator().stop();
		await().until(() -> leader.events().size() == 4);
		assertThat(leader.isRowGone()).isTrue();
	}

	@Test
	void thereAreNeverTwoLeadersHoweverOftenTheyChange() {
		LeaderNode one = following("a");
		LeaderNode two = following("b");
		for (int changes = 0; changes < 3; changes++) {
			leadAfter(one, two);
			leadAfter(two, one);
		}
	}

	/** An application whose leader does this. */
	private ApplicationContextRunner application(Consumer<ConfigurableApplicationContext> work) {
		return LockNode.of(this.dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockRegistryAutoConfiguration.class))
			.withPropertyValues("dynamodb-lock.table.name=" + this.table, "dynamodb-lock.lease-duration=2m")
			.withInitializer(
					(context) -> ((GenericApplicationContext) context).registerBean(LockRegistryLeaderInitiator.class,
							() -> new LockRegistryLeaderInitiator(context.getBean(DynamoDbLockRegistry.class),
									new DefaultCandidate("", LeaderNode.ROLE) {

										@Override
										public void onGranted(Context leadership) {
											work.accept(context);
										}

									})));
	}

	/** The next leader is the one; nobody sees two of them on the way. */
	private static void leadAfter(LeaderNode next, LeaderNode previous) {
		await().pollInterval(Duration.ofMillis(5)).until(() -> {
			assertThat(bothHold(next, previous)).as("two leaders at a time").isFalse();
			if (previous.leads()) {
				previous.yieldLeadership();
			}
			return next.leads() && next.heldToken() > 0;
		});
		assertThat(bothHold(next, previous)).as("two leaders at a time").isFalse();
	}

	/** A token that is held before and after was held all the time. */
	private static boolean bothHold(LeaderNode one, LeaderNode two) {
		long before = one.heldToken();
		long between = two.heldToken();
		return before != 0 && between != 0 && before == one.heldToken();
	}

	private void loseAndRegain(LeaderNode leader) {
		int events = leader.events().size();
		long token = leader.heldToken();
		leader.client().forceRelease(LockKey.of(LeaderNode.KEY), leader.client().ownerName());
		await().until(() -> leader.events().size() == events + 2);
		assertThat(leader.events().subList(events, events + 2)).containsExactly(REVOKED, GRANTED);
		assertThat(leader.heldToken()).isGreaterThan(token);
	}

	/** As a client does that believes the lease to be over. */
	private void steal() {
		this.dynamoDb.client()
			.updateItem((update) -> update.tableName(this.table)
				.key(Map.of("key", AttributeValue.fromS(LeaderNode.KEY)))
				.updateExpression("SET ownerName = :owner, recordVersionNumber = :version")
				.expressionAttributeValues(Map.of(":owner", AttributeValue.fromS("thief"), ":version",
						AttributeValue.fromS(UUID.randomUUID().toString()))));
	}

	/** Has published that, too: the event comes after the role. */
	private LeaderNode leading(String id) {
		LeaderNode node = node(id).start();
		await().untilAsserted(() -> assertThat(node.events()).containsExactly(GRANTED));
		return node;
	}

	/** Started, and its first try is over. */
	private LeaderNode following(String id) {
		LeaderNode node = node(id).start();
		await().until(() -> !node.recorder().calls().isEmpty());
		return node;
	}

	private LeaderNode node(String id) {
		return node(id, Duration.ofMinutes(2));
	}

	private LeaderNode node(String id, Duration lease) {
		LeaderNode node = new LeaderNode(this.dynamoDb, this.table, id, lease);
		this.nodes.add(node);
		return node;
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
