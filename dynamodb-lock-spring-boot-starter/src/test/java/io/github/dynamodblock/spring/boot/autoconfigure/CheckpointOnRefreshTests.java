/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.SpringProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with {@code spring.context.checkpoint=onRefresh}. No checkpoint is
 * taken: the lifecycle processor read the property before the tests set it.
 */
@Isolated("the property is the JVM's")
@ExtendWith(DynamoDbExtension.class)
class CheckpointOnRefreshTests {

	@BeforeEach
	void setProperty() {
		assertThat(new DefaultLifecycleProcessor().isRunning()).isFalse();
		SpringProperties.setProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME, "onRefresh");
	}

	@AfterEach
	void removeProperty() {
		SpringProperties.setProperty(DefaultLifecycleProcessor.CHECKPOINT_PROPERTY_NAME, null);
	}

	@Test
	void whatBeansLockedWhileTheyWereCreatedIsNotHeldAcrossTheCheckpoint(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Early.class).run((context) -> {
			Early early = context.getBean(Early.class);
			LockClient client = context.getBean(LockClient.class);
			assertThat(early.lock.lossReason()).hasValue(LossReason.CLOSED);
			assertThat(client.ownerName()).isNotEqualTo(early.ownerName);
			try (HeldLock lock = client.acquire("k")) {
				assertThat(lock.isHeld()).isTrue();
			}
		});
	}

	static class Early {

		private final HeldLock lock;

		private final String ownerName;

		Early(LockClient client) throws InterruptedException {
			this.lock = client.acquire("k");
			this.ownerName = client.ownerName();
		}

	}

}
