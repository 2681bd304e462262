/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.nio.file.Path;

import io.github.dynamodblock.spring.support.DocumentedExamples;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every example of the README and of the guides compiles. Code to migrate from is marked
 * {@code before}, and is not compiled.
 */
class GuideExamplesTests {

	private static final String IMPORTS = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.spring.*;
			import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
			import io.github.dynamodblock.table.*;
			import io.github.dynamodblock.test.*;
			import java.lang.annotation.*;
			import java.math.BigDecimal;
			import java.time.Duration;
			import java.util.*;
			import java.util.stream.Stream;
			import org.junit.jupiter.api.Test;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.context.annotation.Bean;
			import org.springframework.core.annotation.AliasFor;
			import org.springframework.integration.leader.DefaultCandidate;
			import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
			import org.springframework.scheduling.annotation.Scheduled;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			import software.amazon.awssdk.services.dynamodb.model.*;
			""";

	private static final String GIVEN = """
			abstract class Given {
				record Order(String id) { }
				record Quote(String symbol) { }
				DynamoDbClient dynamoDb;
				LockClient lockClient;
				LockTemplate lockTemplate;
				DynamoDbLockRegistry lockRegistry;
				HeldLock lock;
				LockClient client;
				Order order;
				Object stock;
				String from;
				String to;
				BigDecimal amount;
				abstract void write(Object what, long fencingToken);
				abstract void ship(Order order);
				abstract void ship(Order order, long fencingToken);
				abstract void stopShipping(Order order);
				abstract void report();
				abstract void transfer(String from, String to, BigDecimal amount);
			}
			""";

	@ParameterizedTest
	@CsvSource({ "../README.md, 2", "migration-shedlock.md, 2", "migration-aws-lock-client.md, 1", "migration.md, 4",
			"keys.md, 2", "annotation.md, 3", "getting-started.md, 1", "operations.md, 1" })
	void everyExampleCompiles(String page, int atLeast, @TempDir Path directory) {
		DocumentedExamples examples = DocumentedExamples.of(page);
		assertThat(examples.count()).isGreaterThanOrEqualTo(atLeast);
		assertThat(examples.problems(IMPORTS, GIVEN, directory)).isEmpty();
	}

}
