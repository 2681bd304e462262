/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.nio.file.Path;

import io.github.dynamodblock.spring.support.DocumentedExamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every example of the page about the lock registry compiles.
 */
class LockRegistryExamplesTests {

	private static final String IMPORTS = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.spring.LockNaming;
			import io.github.dynamodblock.spring.integration.*;
			import java.time.Duration;
			import java.util.concurrent.TimeUnit;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.context.annotation.Bean;
			import org.springframework.integration.dsl.IntegrationFlow;
			import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
			import org.springframework.integration.leader.*;
			import org.springframework.integration.store.MessageGroupStore;
			import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
			import org.springframework.integration.support.locks.*;
			import org.springframework.scheduling.annotation.Scheduled;
			""";

	private static final String GIVEN = """
			abstract class Given {
				record Order(long id) { }
				DynamoDbLockRegistry lockRegistry;
				Order order;
				abstract void fulfil(Order order);
				abstract void write(Order order, long token);
				abstract void report();
			}
			""";

	@Test
	void everyExampleCompiles(@TempDir Path directory) {
		DocumentedExamples examples = DocumentedExamples.of("lock-registry.md");
		assertThat(examples.count()).isGreaterThan(4);
		assertThat(examples.problems(IMPORTS, GIVEN, directory)).isEmpty();
	}

}
