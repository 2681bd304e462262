/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock client that is a prototype is made once for all annotated methods.
 */
class PrototypeClientTests {

	@Test
	void theCheckAndTheCallsUseOneInstance() {
		AtomicInteger made = new AtomicInteger();
		node().withBean("locks", LockClient.class, () -> {
			made.incrementAndGet();
			return LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build();
		}, (definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)).withBean(Job.class).run((context) -> {
			context.getBean(Job.class).work();
			assertThat(made).hasValue(1);
		});
	}

	/** Without a LockTemplate, which would have a client of its own. */
	private static ApplicationContextRunner node() {
		return new ApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(AopAutoConfiguration.class, DistributedLockAutoConfiguration.class));
	}

	static class Job {

		@DistributedLock("job")
		public void work() {
		}

	}

}
