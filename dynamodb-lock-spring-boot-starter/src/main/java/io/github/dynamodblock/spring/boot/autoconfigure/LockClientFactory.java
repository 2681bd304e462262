/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.Printable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Makes the lock clients that properties describe, each after its table was created or
 * checked. What cannot work is refused by the name of the property, before anything is
 * sent.
 */
class LockClientFactory {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DynamoDbLockProperties properties;

	private final Environment environment;

	private final ObjectProvider<LockListener> listeners;

	private final ObjectProvider<LockClientBuilderCustomizer> customizers;

	private final @Nullable ThreadFactory threads;

	LockClientFactory(ConfigurableListableBeanFactory beanFactory, DynamoDbLockProperties properties,
			Environment environment, ObjectProvider<LockListener> listeners,
			ObjectProvider<LockClientBuilderCustomizer> customizers, @Nullable ThreadFactory threads) {
		this.beanFactory = beanFactory;
		this.properties = properties;
		this.environment = environment;
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
		LockClientProperties properties = new LockClientProperties(name, this.properties, this.environment);
		refuseToSwitchOff(properties);
		SelectedDynamoDbClient selected = new DynamoDbClientSelector(this.beanFactory, properties).select();
		// The lock client is closed first, while its table can still be reached.
		this.beanFactory.registerDependentBean(selected.beanName(), name);
		check(properties);
		LockClientBuilder builder = LockClient.builder(selected.client());
		properties.apply(() -> configure(builder, properties.values()));
		new LockTableInitializer(properties, selected).initialize();
		return customized(name, builder);
	}

	private void refuseToSwitchOff(LockClientProperties properties) {
		DynamoDbLockProperties.Client own = this.properties.clients().get(properties.name());
		if (own != null && Boolean.FALSE.equals(own.enabled())) {
			throw properties.refusal("enabled", false,
					"A single lock client cannot be switched off: its methods would run unlocked. Remove all "
							+ "properties under " + DynamoDbLockProperties.PREFIX + ".clients." + properties.name()
							+ ", so that there is no such client, or set " + DynamoDbLockProperties.PREFIX
							+ ".enabled=false, which switches all locks off.");
		}
	}

	private static void configure(LockClientBuilder builder, DynamoDbLockProperties values) {
		DynamoDbLockProperties.Table table = values.table();
		builder.tableName(table.name())
			.partitionKeyName(table.partitionKeyName())
			.sortKeyName(table.sortKeyName())
			.fencingTokenAttributeName(table.fencingTokenAttributeName())
			.timeToLiveAttributeName(table.timeToLiveAttributeName())
			.timeToLive(table.timeToLive().isZero() ? null : table.timeToLive())
			.leaseDuration(values.leaseDuration())
			.maxConcurrentHeartbeats(values.maxConcurrentHeartbeats())
			.maxConcurrentCalls(values.maxConcurrentCalls())
			.clockRateTolerance(values.clockRateTolerance())
			.deleteOnRelease(values.deleteOnRelease())
			.observationCapacity(values.observationCapacity())
			.backgroundReads(values.backgroundReads());
		set(values.ownerName(), builder::ownerName);
		set(values.namespace(), builder::namespace);
		set(values.heartbeatPeriod(), builder::heartbeatPeriod);
		set(values.heartbeatsPerSecond(), builder::heartbeatsPerSecond);
		set(values.expiryWarning(), builder::expiryWarning);
		set(values.waitTime(), builder::waitTime);
		set(values.holdAtMost(), builder::holdAtMost);
		set(values.pollInterval(), builder::pollInterval);
		set(values.clockSkewBound(), builder::clockSkewBound);
		builder.validate();
	}

	private static <T> void set(@Nullable T value, Consumer<T> option) {
		if (value != null) {
			option.accept(value);
		}
	}

	/**
	 * What the core cannot check: it knows neither these properties nor the template's
	 * keys.
	 */
	private static void check(LockClientProperties properties) {
		DynamoDbLockProperties values = properties.values();
		DynamoDbLockProperties.Table table = values.table();
		Duration timeToLive = table.timeToLive();
		if (!timeToLive.isZero() && timeToLive.compareTo(values.leaseDuration()) <= 0) {
			throw properties.refusal("table.time-to-live", timeToLive, "It is not longer than "
					+ properties.property("lease-duration") + ", which is " + Printable.of(values.leaseDuration())
					+ ": DynamoDB could delete the item of a lock that is held. Give a longer time, or 0 for never.");
		}
		// The parts of keys that properties give, beside the shortest name of a lock.
		LockClientProperties.check(properties.property("key-prefix"), values.keyPrefix(),
				(prefix) -> LockKey.of(prefix + "a"));
		if (table.sortKeyName() != null) {
			LockClientProperties.check(properties.property("table.sort-key-value"), table.sortKeyValue(),
					(sort) -> LockKey.of("a", sort));
		}
	}

	private LockClient customized(String name, LockClientBuilder builder) {
		set(this.threads, builder::threadFactory);
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

	/** Makes the DynamoDbClient of a lock client with separate properties for it. */
	DynamoDbClient createDynamoDbClient(String name) {
		return new DynamoDbClientFactory(new LockClientProperties(name, this.properties, this.environment),
				this.beanFactory.getBeanProvider(DynamoDbClientDefaults.class),
				this.beanFactory.getBeanProvider(LockDynamoDbClientBuilderCustomizer.class))
			.create();
	}

}
