/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.spring.aop.check.HoldLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Makes the lock clients that are configured, each after its table was created or
 * checked.
 */
class LockClientFactory {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ConfiguredLockClients configured;

	private final ObjectProvider<LockListener> listeners;

	private final ObjectProvider<LockClientBuilderCustomizer> customizers;

	private final @Nullable ThreadFactory threads;

	private final Set<String> made = ConcurrentHashMap.newKeySet();

	LockClientFactory(ConfigurableListableBeanFactory beanFactory, ConfiguredLockClients configured,
			ObjectProvider<LockListener> listeners, ObjectProvider<LockClientBuilderCustomizer> customizers,
			@Nullable ThreadFactory threads) {
		this.beanFactory = beanFactory;
		this.configured = configured;
		this.listeners = listeners;
		this.customizers = customizers;
		this.threads = threads;
	}

	/**
	 * Makes a lock client.
	 * @param name the name of its bean
	 * @return the lock client
	 */
	LockClient create(String name) {
		DynamoDbLockProperties properties = this.configured.properties(name);
		PropertyValues values = this.configured.values(name);
		SelectedDynamoDbClient selected = new DynamoDbClientSelector(this.beanFactory, this.configured).select(name);
		// The lock client is closed first, while its table can still be reached.
		this.beanFactory.registerDependentBean(selected.beanName(), name);
		LockClientBuilder builder = new LockClientConfigurer(properties, values).builder(selected.client());
		new LockTableInitializer(properties, values, selected).initialize();
		LockClient client = build(name, builder);
		this.made.add(name);
		return client;
	}

	/** The lease of a client that was made here; that of any other is not known. */
	Optional<Duration> leaseDuration(String name) {
		return this.made.contains(name) ? Optional.of(this.configured.properties(name).leaseDuration())
				: Optional.empty();
	}

	/**
	 * How long a client holds its locks at most, by its properties; empty if they do not
	 * say, or if it was not made here.
	 */
	Optional<HoldLimit> holdLimit(String name) {
		return this.made.contains(name)
				? Optional.ofNullable(this.configured.properties(name).holdAtMost())
					.map((longest) -> new HoldLimit(longest, this.configured.values(name).property("hold-at-most")))
				: Optional.empty();
	}

	private LockClient build(String name, LockClientBuilder builder) {
		if (this.threads != null) {
			builder.threadFactory(this.threads);
		}
		this.listeners.orderedStream().forEach(builder::listener);
		List<LockClientBuilderCustomizer> applied = this.customizers.orderedStream().toList();
		try {
			applied.forEach((customizer) -> customizer.customize(builder));
			return builder.build();
		}
		catch (IllegalArgumentException ex) {
			// Without customizers the options were good.
			throw new IllegalStateException("Lock client '" + name + "' cannot be built as its customizers "
					+ applied.stream().map((customizer) -> customizer.getClass().getName()).toList()
					+ " leave it. Correct what they set: " + ex.getMessage(), ex);
		}
	}

}
