/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.jdbc.store.JdbcChannelMessageStore;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.integration.jdbc.store.channel.H2ChannelMessageStoreQueryProvider;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.messaging.Message;

/**
 * Collects the documents of each parcel, whichever nodes receive them.
 */
@Configuration(proxyBeanMethods = false)
public class ParcelFlow {

	private static final Set<String> COMPLETE = Set.of("invoice", "label");

	@Bean
	IntegrationFlow parcels(DynamoDbLockRegistry lockRegistry, @Qualifier("groups") MessageGroupStore groups,
			JdbcChannelMessageStore completeParcels, Warehouse warehouse) {
		return IntegrationFlow.from("documents")
			.aggregate((aggregator) -> aggregator.correlationStrategy((message) -> document(message).parcel())
				.releaseStrategy(ParcelFlow::isComplete)
				.expireGroupsUponCompletion(true)
				.messageStore(groups)
				.lockRegistry(lockRegistry))
			// The aggregator forgets a parcel even if the next step fails: the queue
			// keeps it.
			.channel((channels) -> channels.queue(completeParcels, "complete-parcels"))
			.handle(warehouse, "ship",
					(endpoint) -> endpoint
						.poller(Pollers.fixedDelay(Duration.ofSeconds(1)).receiveTimeout(0).transactional()))
			.get();
	}

	/**
	 * Keeps incomplete parcels where all nodes find them.
	 */
	@Bean
	JdbcMessageStore groups(DataSource dataSource) {
		return new JdbcMessageStore(dataSource);
	}

	/**
	 * Keeps complete parcels until they are shipped, by any node.
	 */
	@Bean
	JdbcChannelMessageStore completeParcels(DataSource dataSource) {
		JdbcChannelMessageStore store = new JdbcChannelMessageStore(dataSource);
		// Each database has its own, such as PostgresChannelMessageStoreQueryProvider.
		store.setChannelMessageStoreQueryProvider(new H2ChannelMessageStoreQueryProvider());
		return store;
	}

	// By kind, not by number: a document may arrive twice.
	private static boolean isComplete(MessageGroup group) {
		return group.streamMessages()
			.map((message) -> document(message).kind())
			.collect(Collectors.toSet())
			.containsAll(COMPLETE);
	}

	private static Document document(Message<?> message) {
		return (Document) message.getPayload();
	}

}
