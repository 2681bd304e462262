/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The lock table of an application context that no other context uses.
 *
 * @param name its name
 * @param permit held by the test that uses the table. It is a semaphore, because a test
 * may end in another thread than it began in.
 */
record FreshTable(String name, Semaphore permit) {

	FreshTable(String name) {
		this(name, new Semaphore(1));
	}

	/**
	 * Returns the table's items, in the DynamoDB of each lock client that uses it and has
	 * been created.
	 */
	List<LockItems> items(ConfigurableListableBeanFactory beanFactory) {
		String[] lockClients = beanFactory.getBeanNamesForType(LockClient.class, false, false);
		if (lockClients.length == 0) {
			return itemsWithoutLockClient(beanFactory);
		}
		return Arrays.stream(lockClients)
			.filter(beanFactory::containsSingleton)
			// A test must not delete items of other tables.
			.filter((name) -> this.name.equals(beanFactory.getBean(name, LockClient.class).tableName()))
			.map((name) -> new LockItems(dynamoDb(beanFactory, name), this.name))
			.distinct()
			.toList();
	}

	/**
	 * Returns the clients on which a lock client or its builder depends; none for a mock.
	 */
	static List<String> dynamoDbsOf(ConfigurableListableBeanFactory beanFactory, String lockClient) {
		List<String> all = List.of(beanFactory.getBeanNamesForType(DynamoDbClient.class, true, false));
		return Stream.of(beanFactory.getDependenciesForBean(lockClient))
			.flatMap((each) -> Stream.concat(Stream.of(each), Stream.of(beanFactory.getDependenciesForBean(each))))
			.filter(all::contains)
			.distinct()
			.toList();
	}

	private List<LockItems> itemsWithoutLockClient(ConfigurableListableBeanFactory beanFactory) {
		DynamoDbClient only = beanFactory.getBeanProvider(DynamoDbClient.class).getIfUnique();
		return (only != null) ? List.of(new LockItems(only, this.name)) : List.of();
	}

	/** Returns the client with which a lock client was created. */
	private static DynamoDbClient dynamoDb(ConfigurableListableBeanFactory beanFactory, String lockClient) {
		List<String> all = List.of(beanFactory.getBeanNamesForType(DynamoDbClient.class, true, false));
		List<String> used = dynamoDbsOf(beanFactory, lockClient);
		List<String> candidates = used.isEmpty() ? all : used;
		if (candidates.size() != 1) {
			throw new IllegalStateException("@FreshLockTable cannot empty the table of lock client '" + lockClient
					+ "', because it is not clear which DynamoDbClient bean the lock client uses: it depends on "
					+ (used.isEmpty() ? "none of " + all : used)
					+ ". Pass one DynamoDbClient as a parameter to the @Bean method of the lock client");
		}
		return beanFactory.getBean(candidates.get(0), DynamoDbClient.class);
	}

}
