/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Groups of one store that two applications give up waiting for. Of each group an early
 * message comes, and a late one at the moment at which the group expires.
 */
@ExtendWith(DynamoDbExtension.class)
class GroupExpiryTests {

	private static final int GROUPS = 40;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final ConcurrentMap<Object, Serializable> rows = new ConcurrentHashMap<>();

	private final Queue<Integer> released = new ConcurrentLinkedQueue<>();

	private final Queue<Integer> discarded = new ConcurrentLinkedQueue<>();

	/** How often a node did not find what it was about to discard. */
	private final AtomicInteger takenAway = new AtomicInteger();

	/** What is to be sent when a group expires for the first time. */
	private final Map<Object, Runnable> lateMessages = new ConcurrentHashMap<>();

	private final ExecutorService senders = Executors.newFixedThreadPool(8);

	@AfterEach
	void stopSenders() {
		this.senders.shutdownNow();
	}

	@Test
	void aMessageThatComesAsItsGroupExpiresIsReleasedOnce(EmbeddedDynamoDb dynamoDb) {
		TwoNodes.run(node(TwoNodes.withLocks(dynamoDb), Partial.class), (first, second) -> {
			sendEarlyAndLateMessages(first, second);
			await().atMost(LIMIT).untilAsserted(() -> {
				assertThat(Tally.of(2 * GROUPS, this.released)).isEqualTo(Tally.COMPLETE);
				assertNothingIsLeft(first);
			});
		});
	}

	@Test
	void withoutLocksAMessageThatComesAsItsGroupExpiresIsLostOrDoubled() {
		TwoNodes.run(node(TwoNodes.withoutLocks(), Partial.class), (first, second) -> {
			sendEarlyAndLateMessages(first, second);
			assertThat(Tally.of(2 * GROUPS, this.released)).isNotEqualTo(Tally.COMPLETE);
		});
	}

	@Test
	void aGroupThatBothNodesExpireIsDiscardedOnce(EmbeddedDynamoDb dynamoDb) {
		TwoNodes.run(node(TwoNodes.withLocks(dynamoDb), Orphaned.class), (first, second) -> {
			purgeAtOnce(AggregatingMessageHandler::purgeOrphanedGroups, first, second);
			assertThat(Tally.of(GROUPS, this.discarded)).isEqualTo(Tally.COMPLETE);
			assertThat(this.released).isEmpty();
			assertNothingIsLeft(first);
		});
	}

	@Test
	void withoutLocksAGroupThatBothNodesExpireIsDiscardedTwiceOrTakenAwayMeanwhile() {
		TwoNodes.run(node(TwoNodes.withoutLocks(), Orphaned.class), (first, second) -> {
			purgeAtOnce(this::purgeInSpiteOfFailures, first, second);
			assertThat(Tally.of(GROUPS, this.discarded).doubled().size() + this.takenAway.get()).isPositive();
		});
	}

	private ApplicationContextRunner node(ApplicationContextRunner node, Class<?> aggregator) {
		return node.withBean(RemoteGroupStore.class, () -> new RemoteGroupStore(this.rows))
			.withBean(GroupExpiryTests.class, () -> this)
			.withUserConfiguration(aggregator);
	}

	/**
	 * The first node gets the early messages. Of the late ones, each node gets every
	 * other, so that they come to the node that expires the group as well as to another.
	 */
	private void sendEarlyAndLateMessages(ApplicationContext first, ApplicationContext second) {
		CountDownLatch lateMessagesToCome = new CountDownLatch(GROUPS);
		for (int i = 0; i < GROUPS; i++) {
			int id = i;
			MessageChannel lateChannel = input((i % 2 == 0) ? first : second);
			this.lateMessages.put(groupOf(i), () -> {
				try {
					lateChannel.send(new GenericMessage<>(GROUPS + id));
				}
				finally {
					lateMessagesToCome.countDown();
				}
			});
			input(first).send(new GenericMessage<>(id));
		}
		await().atMost(LIMIT).until(() -> lateMessagesToCome.getCount() == 0 && isIdle(first) && isIdle(second));
	}

	private void purgeAtOnce(Consumer<AggregatingMessageHandler> purge, ApplicationContext first,
			ApplicationContext second) throws Exception {
		for (int i = 0; i < GROUPS; i++) {
			input((i % 2 == 0) ? first : second).send(new GenericMessage<>(i));
		}
		long sent = System.currentTimeMillis();
		await().until(() -> System.currentTimeMillis() > sent + Orphaned.EXPIRE_TIMEOUT);
		CyclicBarrier start = new CyclicBarrier(2);
		List<Callable<Boolean>> purges = Stream.of(first, second)
			.map((node) -> node.getBean(AggregatingMessageHandler.class))
			.map((aggregator) -> (Callable<Boolean>) () -> {
				start.await();
				purge.accept(aggregator);
				return true;
			})
			.toList();
		for (Future<Boolean> done : this.senders.invokeAll(purges)) {
			done.get();
		}
	}

	/**
	 * Goes on where the store no longer has what it listed, since the other node took it.
	 */
	private void purgeInSpiteOfFailures(AggregatingMessageHandler aggregator) {
		for (int i = 0; i < GROUPS; i++) {
			try {
				aggregator.purgeOrphanedGroups();
				return;
			}
			catch (IllegalStateException ex) {
				assertThat(ex).hasMessageStartingWith("No message found");
				this.takenAway.incrementAndGet();
			}
		}
	}

	private void assertNothingIsLeft(ApplicationContext node) {
		assertThat(this.rows).as("what is left in the store").isEmpty();
		assertThat(node.getBean(LockClient.class).list()).as("locks that are left").isEmpty();
	}

	private static MessageChannel input(ApplicationContext node) {
		return node.getBean("aggregate.input", MessageChannel.class);
	}

	private static boolean isIdle(ApplicationContext node) {
		ScheduledThreadPoolExecutor timers = node.getBean(ThreadPoolTaskScheduler.class)
			.getScheduledThreadPoolExecutor();
		return timers.getQueue().isEmpty() && timers.getActiveCount() == 0;
	}

	private static String groupOf(int id) {
		return "group-" + id % GROUPS;
	}

	/**
	 * Releases what there is of a group when no message has come for a while.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	static class Partial {

		@Bean
		@SuppressWarnings("unchecked")
		IntegrationFlow aggregate(LockRegistry<?> locks, RemoteGroupStore store, GroupExpiryTests test) {
			MethodInterceptor groupExpires = (invocation) -> {
				MessageGroup group = (MessageGroup) Objects.requireNonNull(invocation.getArguments()[0]);
				Runnable late = test.lateMessages.remove(group.getGroupId());
				if (late != null) {
					test.senders.execute(late);
				}
				return invocation.proceed();
			};
			return (flow) -> flow
				.aggregate((aggregator) -> aggregator
					.correlationStrategy((message) -> groupOf((Integer) message.getPayload()))
					.releaseStrategy((group) -> false)
					.groupTimeout(20)
					.forceReleaseAdvice(groupExpires)
					.sendPartialResultOnExpiry(true)
					.expireGroupsUponCompletion(true)
					.messageStore(store)
					.lockRegistry(locks))
				.handle((message) -> test.released.addAll((Collection<Integer>) message.getPayload()));
		}

	}

	/**
	 * Discards what is left of old groups.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	static class Orphaned {

		static final int EXPIRE_TIMEOUT = 1;

		@Bean
		IntegrationFlow aggregate(LockRegistry<?> locks, RemoteGroupStore store, GroupExpiryTests test) {
			return (flow) -> flow
				.aggregate((aggregator) -> aggregator
					.correlationStrategy((message) -> groupOf((Integer) message.getPayload()))
					.releaseStrategy((group) -> false)
					.expireTimeout(EXPIRE_TIMEOUT)
					.discardChannel("discarded.input")
					.messageStore(store)
					.lockRegistry(locks))
				.handle((message) -> test.released.add(-1));
		}

		@Bean
		IntegrationFlow discarded(GroupExpiryTests test) {
			return (flow) -> flow.handle((message) -> test.discarded.add((Integer) message.getPayload()));
		}

	}

}
