/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.MessageCountReleaseStrategy;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessagingException;
import org.springframework.messaging.support.GenericMessage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications collect the messages of the same groups in one store.
 * {@code aggregator.messages} says how many messages there are, a multiple of
 * {@value #MESSAGES_AT_ONCE}.
 */
@ExtendWith(DynamoDbExtension.class)
class AggregatorTests {

	private static final int GROUP_SIZE = 10;

	/** Fewer groups than threads, so that threads of both nodes meet at each. */
	private static final int GROUPS_AT_ONCE = 5;

	private static final int MESSAGES_AT_ONCE = GROUPS_AT_ONCE * GROUP_SIZE;

	private static final int THREADS_OF_EACH_NODE = 4;

	private final ConcurrentMap<Object, Serializable> rows = new ConcurrentHashMap<>();

	private final Queue<List<Integer>> released = new ConcurrentLinkedQueue<>();

	private final Queue<MessagingException> failures = new ConcurrentLinkedQueue<>();

	@Test
	void twoNodesLoseNoMessageAndDoubleNone(EmbeddedDynamoDb dynamoDb) {
		int messages = Integer.getInteger("aggregator.messages", 2_000);
		assertThat(messages % MESSAGES_AT_ONCE).as("a last group that never fills").isZero();
		TwoNodes.run(node(TwoNodes.withLocks(dynamoDb)), (first, second) -> {
			LockClient locks = first.getBean(LockClient.class);
			assertThat(locks.ownerName()).isNotEqualTo(second.getBean(LockClient.class).ownerName());
			send(messages, first, second);
			if (!this.failures.isEmpty()) {
				throw new AssertionError(this.failures.size() + " messages failed", this.failures.peek());
			}
			assertThat(tally(messages)).isEqualTo(Tally.COMPLETE);
			assertThat(this.released).allSatisfy((group) -> assertThat(group).hasSize(GROUP_SIZE)
				.allMatch((id) -> groupOf(id) == groupOf(group.get(0))));
			assertThat(this.rows).as("what is left in the store").isEmpty();
			assertThat(locks.list()).as("locks that are left").isEmpty();
		});
	}

	@Test
	void withoutLocksTwoNodesLoseMessagesOrDoubleThem() {
		int messages = 20 * MESSAGES_AT_ONCE;
		TwoNodes.run(node(TwoNodes.withoutLocks()), (first, second) -> {
			send(messages, first, second);
			assertThat(tally(messages)).isNotEqualTo(Tally.COMPLETE);
		});
	}

	private ApplicationContextRunner node(ApplicationContextRunner node) {
		return node.withBean(RemoteGroupStore.class, () -> new RemoteGroupStore(this.rows))
			.withBean(Released.class, () -> this.released::add)
			.withUserConfiguration(Aggregator.class);
	}

	private Tally tally(int messages) {
		return Tally.of(messages, this.released.stream().flatMap(Collection::stream).toList());
	}

	/** Each message goes to one of the nodes; both get messages of every group. */
	private void send(int messages, ApplicationContext... nodes) throws Exception {
		AtomicInteger next = new AtomicInteger();
		List<Callable<Boolean>> senders = new ArrayList<>();
		for (ApplicationContext node : nodes) {
			MessageChannel channel = node.getBean("aggregate.input", MessageChannel.class);
			for (int i = 0; i < THREADS_OF_EACH_NODE; i++) {
				senders.add(() -> {
					for (int id = next.getAndIncrement(); id < messages; id = next.getAndIncrement()) {
						send(id, channel);
					}
					return true;
				});
			}
		}
		ExecutorService threads = Executors.newFixedThreadPool(senders.size());
		try {
			for (Future<Boolean> sender : threads.invokeAll(senders)) {
				sender.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void send(int id, MessageChannel channel) {
		try {
			channel.send(new GenericMessage<>(id));
		}
		catch (MessagingException ex) {
			this.failures.add(ex);
		}
	}

	private static int groupOf(int id) {
		return id / MESSAGES_AT_ONCE * GROUPS_AT_ONCE + id % GROUPS_AT_ONCE;
	}

	/**
	 * Where an application puts the groups that are complete.
	 */
	@FunctionalInterface
	interface Released {

		void add(List<Integer> group);

	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	static class Aggregator {

		@Bean
		@SuppressWarnings("unchecked")
		IntegrationFlow aggregate(LockRegistry<?> locks, RemoteGroupStore store, Released released) {
			return (flow) -> flow
				.aggregate((aggregator) -> aggregator
					.correlationStrategy((message) -> "group-" + groupOf((Integer) message.getPayload()))
					.releaseStrategy(new MessageCountReleaseStrategy(GROUP_SIZE))
					.expireGroupsUponCompletion(true)
					.messageStore(store)
					.lockRegistry(locks))
				.handle((message) -> released.add((List<Integer>) message.getPayload()));
		}

	}

}
