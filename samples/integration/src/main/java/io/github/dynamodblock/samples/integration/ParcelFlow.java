/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.util.Set;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.integration.store.MessageGroup;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.Message;

/**
 * Collects the documents of each parcel, whichever nodes receive them.
 */
@Configuration(proxyBeanMethods = false)
public class ParcelFlow {

	private static final Set<String> COMPLETE = Set.of("invoice", "label");

	@Bean
	IntegrationFlow parcels(LockRegistry<?> lockRegistry, MessageGroupStore groups, Warehouse warehouse) {
		return IntegrationFlow.from("documents")
			.aggregate((aggregator) -> aggregator.correlationStrategy((message) -> document(message).parcel())
				.releaseStrategy(ParcelFlow::isComplete)
				.expireGroupsUponCompletion(true)
				.messageStore(groups)
				.lockRegistry(lockRegistry))
			.handle(warehouse, "ship")
			.get();
	}

	/**
	 * Keeps incomplete parcels where all nodes find them.
	 */
	@Bean
	JdbcMessageStore groups(DataSource dataSource) {
		return new JdbcMessageStore(dataSource);
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
