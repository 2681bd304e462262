/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.spring.CallersContext;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.event.LockEventPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnCheckpointRestore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration of the {@link LockClient}, of the {@link LockClientBuilder} for
 * further clients, and of the features that need no other library, {@link LockTemplate}
 * and application events. It uses the {@link DynamoDbClient} bean of the application or
 * of {@link DynamoDbLockFallbackClientAutoConfiguration}.
 */
@AutoConfiguration
@ConditionalOnClass({ LockClient.class, DynamoDbClient.class })
@ConditionalOnEnabled
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockClientAutoConfiguration {

	/** The bean name of the default lock client. */
	static final String LOCK_CLIENT = "dynamoDbLockClient";

	private static final String BUILDER = "dynamoDbLockClientBuilder";

	@Bean(LOCK_CLIENT)
	@ConditionalOnMissingBean
	LockClient dynamoDbLockClient(LockClientBuilder builder, LockTableInitializer table) {
		table.initialize();
		return builder.build();
	}

	/**
	 * Creates a new builder for each injection, with properties, listeners and
	 * customizers applied.
	 */
	@Bean(BUILDER)
	@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean
	LockClientBuilder dynamoDbLockClientBuilder(ConfigurableListableBeanFactory beanFactory,
			DynamoDbLockProperties properties, Environment environment, ObjectProvider<LockListener> listeners,
			ObjectProvider<LockClientBuilderCustomizer> customizers) {
		SelectedDynamoDbClient selected = SelectedDynamoDbClient.in(beanFactory, properties);
		// Lock clients are closed before the DynamoDbClient, while their table can still
		// be reached.
		beanFactory.registerDependentBean(selected.beanName(), BUILDER);
		LockClientBuilder builder = LockClient.builder(selected.client()).callersContext(CallersContext::on);
		check(properties);
		PropertyRefusals.apply(environment, () -> configure(builder, properties));
		if (Threading.VIRTUAL.isActive(environment)) {
			builder.threadFactory(new VirtualThreadTaskExecutor("dynamodb-lock-").getVirtualThreadFactory());
		}
		listeners.orderedStream().forEach(builder::listener);
		customize(builder, customizers.orderedStream().toList());
		return builder;
	}

	@Bean
	@ConditionalOnCheckpointRestore
	LockClientLifecycle dynamoDbLockClientLifecycle(ConfigurableApplicationContext context) {
		return new LockClientLifecycle(context);
	}

	@Bean
	LockTableInitializer dynamoDbLockTableInitializer(ConfigurableListableBeanFactory beanFactory,
			DynamoDbLockProperties properties, Environment environment) {
		return new LockTableInitializer(beanFactory, properties, environment);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LockClient.class)
	LockTemplate dynamoDbLockTemplate(LockClient lockClient, DynamoDbLockProperties properties) {
		LockNaming naming = properties.naming();
		return new LockTemplate(lockClient).keyPrefix(naming.prefix()).sortKey(naming.sort());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnEnabled("events.enabled")
	@Order(Ordered.LOWEST_PRECEDENCE)
	LockEventPublisher dynamoDbLockEventPublisher(ApplicationEventPublisher publisher) {
		return new LockEventPublisher(publisher);
	}

	private static void configure(LockClientBuilder builder, DynamoDbLockProperties properties) {
		DynamoDbLockProperties.Table table = properties.table();
		builder.tableName(table.name())
			.partitionKeyName(table.partitionKeyName())
			.sortKeyName(table.sortKeyName())
			.fencingTokenAttributeName(table.fencingTokenAttributeName())
			.timeToLiveAttributeName(table.timeToLiveAttributeName())
			.timeToLive(table.timeToLive().isZero() ? null : table.timeToLive())
			.leaseDuration(properties.leaseDuration())
			.deleteOnRelease(properties.deleteOnRelease());
		PropertyMapper map = PropertyMapper.get();
		map.from(properties.ownerName()).to(builder::ownerName);
		map.from(properties.namespace()).to(builder::namespace);
		map.from(properties.heartbeatPeriod()).to(builder::heartbeatPeriod);
		map.from(properties.waitTime()).to(builder::waitTime);
		map.from(properties.holdAtMost()).to(builder::holdAtMost);
		map.from(properties.pollInterval()).to(builder::pollInterval);
		map.from(properties.clockSkewBound()).to(builder::clockSkewBound);
		map.from(properties.maxConcurrentCalls()).to(builder::maxConcurrentCalls);
		builder.validate();
	}

	/**
	 * Checks values that the core cannot check, because it does not know how names become
	 * keys.
	 */
	private static void check(DynamoDbLockProperties properties) {
		// Each key part from a property is checked with the shortest lock name.
		PropertyRefusals.check(DynamoDbLockProperties.PREFIX + ".key-prefix", properties.keyPrefix(),
				(prefix) -> LockKey.of(prefix + "a"));
		if (properties.table().sortKeyName() != null) {
			PropertyRefusals.check(DynamoDbLockProperties.PREFIX + ".table.sort-key-value",
					properties.table().sortKeyValue(), (sort) -> LockKey.of("a", sort));
		}
	}

	private static void customize(LockClientBuilder builder, List<LockClientBuilderCustomizer> customizers) {
		try {
			customizers.forEach((customizer) -> customizer.customize(builder));
			builder.validate();
		}
		catch (IllegalArgumentException ex) {
			// Without customizers, the options are valid.
			throw new IllegalStateException("No lock client can be built with the options that the customizers "
					+ customizers.stream().map((customizer) -> customizer.getClass().getName()).toList()
					+ " set. Correct these options: " + ex.getMessage(), ex);
		}
	}

}
