/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.nio.file.Path;

import io.github.dynamodblock.spring.support.DocumentedExamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every example of the page about programmatic use compiles.
 */
class ProgrammaticExamplesTests {

	private static final String IMPORTS = """
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.spring.*;
			import io.github.dynamodblock.spring.event.*;
			import java.nio.charset.StandardCharsets;
			import java.time.Duration;
			import java.util.Optional;
			import org.slf4j.Logger;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.context.annotation.Bean;
			import org.springframework.context.event.EventListener;
			import org.springframework.transaction.support.TransactionTemplate;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			""";

	private static final String GIVEN = """
			abstract class Given {
				record Order(long id) { }
				record Receipt(Order order) { }
				LockTemplate lockTemplate;
				LockClient lockClient;
				TransactionTemplate transactionTemplate;
				Logger logger;
				Order order;
				long id;
				abstract Receipt fulfil(Order order);
				abstract void write(long id, long token);
				abstract void write(long id);
				abstract void report();
				abstract int deleteOldFiles();
				abstract void pick();
				abstract void importAll(HeldLock lock);
			}
			""";

	@Test
	void everyExampleCompiles(@TempDir Path directory) {
		DocumentedExamples examples = DocumentedExamples.of("programmatic.md");
		assertThat(examples.count()).isGreaterThan(5);
		assertThat(examples.problems(IMPORTS, GIVEN, directory)).isEmpty();
	}

}
