/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.shedlock.application.BeansAfter;
import io.github.dynamodblock.shedlock.application.BeansBefore;
import io.github.dynamodblock.shedlock.application.ReportApplication;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.DynamoDbLocalServer;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two nodes of an application with ShedLock's annotations, each in a process, and
 * DynamoDB Local in another. Between its releases, the application changes its dependency
 * and its lock provider, and nothing else.
 */
@Timeout(300)
class MovedApplicationIT {

	/** Runs before the nodes are stopped or one is killed. */
	private static final int RUNS = 2;

	private final List<ChildJvm> processes = new ArrayList<>();

	private final Map<String, String> environment = new HashMap<>(
			Map.of("AWS_REGION", "us-east-1", "AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local"));

	@BeforeEach
	void startDynamoDb() throws IOException {
		ChildJvm server = start(Set.of(), DynamoDbLocalServer.class);
		String ready = "DynamoDB Local is ready at ";
		await(List.of(server), () -> !server.printed(ready).isEmpty());
		String endpoint = server.printed(ready).get(0);
		this.environment.put("AWS_ENDPOINT_URL_DYNAMODB", endpoint);
		try (DynamoDbClient dynamoDb = DynamoDbClient.builder()
			.endpointOverride(URI.create(endpoint))
			.region(Region.US_EAST_1)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.build()) {
			// ShedLock's table.
			LockTable.of(dynamoDb, "shedlock").partitionKeyName("_id").createIfMissing();
		}
	}

	@AfterEach
	void endProcesses() throws InterruptedException {
		for (int i = this.processes.size() - 1; i >= 0; i--) {
			this.processes.get(i).close();
		}
	}

	@Test
	void theApplicationMovesByItsDependencyAndLockProviderAlone() throws Exception {
		List<ChildJvm> before = startNodes(BeansBefore.class, Set.of(LockClient.class, DynamoDbLockProvider.class));
		awaitRuns(before);
		assertThat(ticks(before)).doesNotHaveDuplicates();
		for (ChildJvm each : before) {
			each.close();
		}

		List<ChildJvm> after = startNodes(BeansAfter.class, Set.of(DynamoDBLockProvider.class));
		awaitRuns(after);
		await(after, () -> after.stream().anyMatch(MovedApplicationIT::isRunning));
		ChildJvm killed = isRunning(after.get(0)) ? after.get(0) : after.get(1);
		ChildJvm survivor = (killed == after.get(0)) ? after.get(1) : after.get(0);
		killed.kill();
		await(List.of(killed), () -> !killed.isAlive());
		assertThat(isRunning(killed)).as("killed during a run").isTrue();
		long lastTick = Collections.max(ticks(after));
		// Long before lockAtMostFor, which is ten minutes.
		await(List.of(survivor), () -> ended(survivor).stream().anyMatch((tick) -> tick > lastTick));
		assertThat(ticks(after)).doesNotHaveDuplicates();
	}

	private List<ChildJvm> startNodes(Class<?> beans, Set<Class<?>> missing) throws IOException {
		String sources = "--spring.main.sources=" + beans.getName();
		List<ChildJvm> nodes = List.of(start(missing, ReportApplication.class, sources),
				start(missing, ReportApplication.class, sources));
		await(nodes, () -> nodes.stream().noneMatch((each) -> each.printed("ticks").isEmpty()));
		return nodes;
	}

	private ChildJvm start(Set<Class<?>> missing, Class<?> mainClass, String... arguments) throws IOException {
		ChildJvm process = ChildJvm.start(this.environment, missing, mainClass, arguments);
		this.processes.add(process);
		return process;
	}

	/** Waits for further runs that end; both nodes are up. */
	private static void awaitRuns(List<ChildJvm> nodes) {
		long known = nodes.stream().mapToLong((each) -> ended(each).size()).sum();
		await(nodes, () -> nodes.stream().mapToLong((each) -> ended(each).size()).sum() >= known + RUNS);
	}

	private static boolean isRunning(ChildJvm node) {
		return node.printed("begins ").size() > ended(node).size();
	}

	private static List<Long> ended(ChildJvm node) {
		return node.printed("ends ").stream().map(Long::valueOf).toList();
	}

	/** Returns the ticks of all runs, sorted. */
	private static List<Long> ticks(List<ChildJvm> nodes) {
		return nodes.stream().flatMap((each) -> each.printed("begins ").stream()).map(Long::valueOf).sorted().toList();
	}

	private static void await(List<ChildJvm> processes, Callable<Boolean> condition) {
		try {
			Awaitility.await().atMost(Duration.ofSeconds(90)).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError(processes.stream().map(ChildJvm::output).toList().toString(), ex);
		}
	}

}
