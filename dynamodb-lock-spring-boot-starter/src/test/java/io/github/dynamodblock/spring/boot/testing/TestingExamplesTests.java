/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import java.nio.file.Path;

import io.github.dynamodblock.spring.support.DocumentedExamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The examples of docs/testing.md. */
class TestingExamplesTests {

	private static final String IMPORTS = """
			import static org.assertj.core.api.Assertions.assertThat;
			import static org.awaitility.Awaitility.await;
			import static org.mockito.ArgumentMatchers.any;
			import static org.mockito.BDDMockito.given;
			import static org.mockito.Mockito.mock;
			import static org.mockito.Mockito.verify;
			import io.github.dynamodblock.*;
			import io.github.dynamodblock.spring.*;
			import io.github.dynamodblock.test.*;
			import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
			import org.junit.jupiter.api.RepeatedTest;
			import org.junit.jupiter.api.Test;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.boot.testcontainers.context.ImportTestcontainers;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.context.annotation.Configuration;
			import org.springframework.context.annotation.Import;
			import org.springframework.scheduling.annotation.EnableScheduling;
			import org.springframework.test.context.bean.override.mockito.MockitoBean;
			import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
			import org.springframework.test.web.servlet.assertj.MockMvcTester;
			import org.springframework.transaction.annotation.Propagation;
			import org.springframework.transaction.annotation.Transactional;
			import org.testcontainers.containers.GenericContainer;
			import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
			""";

	/** Slices are run for real by the sample orders-api. */
	private static final String GIVEN = """
			@interface WebMvcTest {
				Class<?> value();
			}
			@interface DataJpaTest {
			}
			abstract class Given {
				interface NightlyReport {
					String write();
					int count();
				}
				interface OrderController {
				}
				interface OrderService {
					void addItem(long id);
				}
				NightlyReport report;
			}
			""";

	@Test
	void everyExampleCompiles(@TempDir Path directory) {
		DocumentedExamples examples = DocumentedExamples.of("testing.md");
		assertThat(examples.count()).isGreaterThan(10);
		assertThat(examples.problems(IMPORTS, GIVEN, directory)).isEmpty();
	}

}
