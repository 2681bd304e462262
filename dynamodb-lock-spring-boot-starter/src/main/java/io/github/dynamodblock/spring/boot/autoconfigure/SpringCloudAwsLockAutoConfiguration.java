/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import io.awspring.cloud.autoconfigure.AwsSyncClientCustomizer;
import io.awspring.cloud.autoconfigure.core.AwsClientBuilderConfigurer;
import io.awspring.cloud.autoconfigure.core.AwsConnectionDetails;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbClientCustomizer;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbProperties;
import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for applications with Spring Cloud AWS. If it defines a
 * DynamoDbClient bean, that is used like any other. Otherwise, the client that is created
 * for locks gets the same region, credentials, endpoint and customizers as the clients of
 * Spring Cloud AWS.
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration",
		before = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, AwsClientBuilderConfigurer.class, DynamoDbClientCustomizer.class })
@ConditionalOnEnabled
public final class SpringCloudAwsLockAutoConfiguration {

	@Bean
	@ConditionalOnBean(AwsClientBuilderConfigurer.class)
	DynamoDbClientFactory springCloudAwsDynamoDbClientFactory(AwsClientBuilderConfigurer configurer,
			ObjectProvider<AwsConnectionDetails> connectionDetails,
			ObjectProvider<DynamoDbClientCustomizer> dynamoDbCustomizers,
			ObjectProvider<AwsSyncClientCustomizer> customizers, Environment environment) {
		return new DynamoDbClientFactory() {

			@Override
			Region region() {
				return configurer.resolveRegion(properties(environment), connectionDetails.getIfAvailable());
			}

			@Override
			void configure(DynamoDbClientBuilder builder, Region region) {
				DynamoDbProperties properties = properties(environment);
				properties.setRegion(region.id());
				configurer.configureSyncClient(builder, properties, connectionDetails.getIfAvailable(),
						dynamoDbCustomizers.orderedStream(), customizers.orderedStream());
			}

		};
	}

	/**
	 * Binds the properties, because their bean only exists if Spring Cloud AWS itself
	 * uses DynamoDB.
	 */
	private static DynamoDbProperties properties(Environment environment) {
		Binder binder = Binder.get(environment);
		DynamoDbProperties properties = new DynamoDbProperties();
		binder.bind(DynamoDbProperties.PREFIX + ".endpoint", URI.class).ifBound(properties::setEndpoint);
		binder.bind(DynamoDbProperties.PREFIX + ".region", String.class).ifBound(properties::setRegion);
		binder.bind(DynamoDbProperties.PREFIX + ".dualstack-enabled", Boolean.class)
			.ifBound(properties::setDualstackEnabled);
		return properties;
	}

}
