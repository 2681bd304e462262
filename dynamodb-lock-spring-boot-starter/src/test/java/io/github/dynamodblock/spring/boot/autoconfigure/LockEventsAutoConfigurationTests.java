/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.event.LockEventPublisher;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class LockEventsAutoConfigurationTests {

	@Test
	void eventsArePublishedUnlessSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).run((context) -> assertThat(context).hasSingleBean(LockEventPublisher.class));
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.events.enabled=on")
			.run((context) -> assertThat(context).hasSingleBean(LockEventPublisher.class));
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.events.enabled=off")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LockEventPublisher.class)
				.hasSingleBean(LockClient.class));
	}

	@Test
	void thereIsNothingToPublishWhenLocksAreSwitchedOff() {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockEventPublisher.class));
	}

	@Test
	void backsOffFromTheApplicationsOwnPublisher(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean("own", LockEventPublisher.class, () -> new LockEventPublisher((event) -> {
		})).run((context) -> assertThat(context).getBeanNames(LockEventPublisher.class).containsExactly("own"));
	}

	@Test
	void isAbsentWithoutTheLockClient() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockClientAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(LockClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("dynamoDbLockEventPublisher"));
	}

}
