/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration of the {@link LockClient} and of those under
 * {@code dynamodb-lock.clients}. It uses the application's {@link DynamoDbClient} bean,
 * or makes one from what Spring Cloud AWS, {@code dynamodb-lock.dynamodb.*} and the SDK's
 * default chains say. Before a lock client is made, its table is created or checked.
 * Backs off from the application's own {@link LockClient}.
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnClass({ LockClient.class, DynamoDbClient.class })
@Conditional(OnLocksEnabledCondition.class)
@EnableConfigurationProperties(DynamoDbLockProperties.class)
@Import(LockClientsRegistrar.class)
public final class DynamoDbLockClientAutoConfiguration {

	/** The bean that makes lock clients. */
	static final String FACTORY = "dynamoDbLockClientFactory";

	@Bean(LockClientProperties.DEFAULT)
	@ConditionalOnMissingBean(LockClient.class)
	LockClient dynamoDbLockClient(LockClientFactory factory) {
		return factory.create(LockClientProperties.DEFAULT);
	}

	@Bean(FACTORY)
	LockClientFactory dynamoDbLockClientFactory(ConfigurableListableBeanFactory beanFactory,
			DynamoDbLockProperties properties, Environment environment, ObjectProvider<LockListener> listeners,
			ObjectProvider<LockClientBuilderCustomizer> customizers) {
		return new LockClientFactory(beanFactory, properties, environment, listeners, customizers,
				Threading.VIRTUAL.isActive(environment)
						? new VirtualThreadTaskExecutor("dynamodb-lock-").getVirtualThreadFactory() : null);
	}

	/**
	 * The client of an application that has none. Not a candidate for other injection
	 * points, which did not ask for the locks' client, and only made where locks use it.
	 */
	@Lazy
	@Bean(name = SelectedDynamoDbClient.OWN, defaultCandidate = false)
	@Conditional(OnLockClientToMake.class)
	@ConditionalOnMissingBean(DynamoDbClient.class)
	DynamoDbClient dynamoDbLockDynamoDbClient(LockClientFactory factory) {
		return factory.createDynamoDbClient(LockClientProperties.DEFAULT);
	}

	/** The application has no lock client, or properties describe additional ones. */
	static class OnLockClientToMake extends AnyNestedCondition {

		OnLockClientToMake() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(name = LockClientProperties.DEFAULT)
		static class DefaultLockClient {

		}

		@Conditional(OnAdditionalLockClients.class)
		static class AdditionalLockClients {

		}

	}

	static class OnAdditionalLockClients implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return !LockClientsRegistrar.configured(context.getEnvironment()).isEmpty();
		}

	}

}
