/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * Auto-configuration of the {@link DynamoDbClient} of an application without one, from
 * {@code dynamodb-lock.dynamodb.*}, Spring Cloud AWS and the SDK's default chains. It
 * comes after other auto-configurations that define a client. If one of those still comes
 * later, its client is preferred.
 */
@AutoConfiguration(after = DynamoDbLockEmbeddedAutoConfiguration.class,
		afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass({ LockClient.class, DynamoDbClient.class })
@ConditionalOnEnabled
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockFallbackClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(DynamoDbConnectionDetails.class)
	PropertiesDynamoDbConnectionDetails dynamoDbLockConnectionDetails(DynamoDbLockProperties properties) {
		return new PropertiesDynamoDbConnectionDetails(properties.dynamodb());
	}

	/** Created only if locks or other beans use it. */
	@Lazy
	@Fallback
	@Bean(SelectedDynamoDbClient.OWN)
	@ConditionalOnMissingBean
	DynamoDbClient dynamoDbLockDynamoDbClient(DynamoDbConnectionDetails connection, DynamoDbLockProperties properties,
			ObjectProvider<DynamoDbClientFactory> factory) {
		if (properties.embedded().enabled()) {
			throw new LockSetupException(
					"dynamodb-lock.embedded.enabled is true, but dynamodb-lock-test is not on the class path.",
					"In production, remove the property. On your machine, add dynamodb-lock-spring-boot-starter-test as "
							+ "an optional dependency (Gradle: developmentOnly), and start the application with "
							+ "spring-boot:run, because the jar that Spring Boot builds does not contain it.",
					null);
		}
		return factory.getIfAvailable(DynamoDbClientFactory::new).create(connection);
	}

}
