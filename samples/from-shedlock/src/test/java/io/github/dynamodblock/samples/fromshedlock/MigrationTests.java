/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/** Each test starts two nodes, which share their tables. */
class MigrationTests {

	private final DynamoDbClient dynamoDb = LocalDynamoDb.create();

	private final Report report = mock();

	@ParameterizedTest
	@CsvSource(useHeadersInDisplayName = true, textBlock = """
			NODE,   OTHER NODE, RUNS AT THE SAME TIME
			before, before,     1
			before, both,       1
			both,   before,     1
			both,   both,       1
			both,   after,      1
			after,  both,       1
			after,  after,      1
			before, after,      2
			after,  before,     2
			""")
	void jobIsDueOnTwoNodes(String release, String otherRelease, int runs) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		willAnswer((invocation) -> end.join()).willAnswer((invocation) -> null).given(this.report).write();
		try (ConfigurableApplicationContext node = start(release);
				ConfigurableApplicationContext otherNode = start(otherRelease)) {
			CompletableFuture<Void> run = CompletableFuture.runAsync(() -> runJob(node));
			await().untilAsserted(() -> verify(this.report).write());
			runJob(otherNode);
			verify(this.report, times(runs)).write();
			end.complete(null);
			assertThat(run).succeedsWithin(Duration.ofSeconds(10));
		}
		finally {
			end.complete(null);
		}
	}

	private static void runJob(ConfigurableApplicationContext node) {
		ReflectionTestUtils.invokeMethod(node.getBean("reportJob"), "run");
	}

	private ConfigurableApplicationContext start(String release) {
		String application = getClass().getPackageName() + "." + release + ".ReportApplication";
		return new SpringApplicationBuilder(ClassUtils.resolveClassName(application, null)).initializers((context) -> {
			GenericApplicationContext beans = (GenericApplicationContext) context;
			beans.registerBean(DynamoDbClient.class, () -> this.dynamoDb);
			beans.registerBean("report", Report.class, () -> this.report, (definition) -> definition.setPrimary(true));
		}).run("--report.cron=-");
	}

}
