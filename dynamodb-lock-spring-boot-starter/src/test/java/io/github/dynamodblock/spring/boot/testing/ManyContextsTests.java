/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testing;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEmbeddedAutoConfiguration;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Many application contexts with an embedded DynamoDB in one JVM, as tests with different
 * properties have them.
 */
@Isolated("it counts the threads of the JVM")
class ManyContextsTests {

	private static final int CONTEXTS = 24;

	/** The others are closed, as Spring's TestContext Framework closes contexts. */
	private static final int OPEN = 8;

	@Test
	void manyContextsShareOneServerAndLeaveNothingBehind() throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		Set<URI> servers = new HashSet<>();
		List<LockClient> clients = new ArrayList<>();
		Deque<ConfigurableApplicationContext> open = new ArrayDeque<>();
		try (EmbeddedDynamoDb database = EmbeddedDynamoDb.shared()) {
			servers.add(database.endpoint());
			for (int i = 0; i < CONTEXTS; i++) {
				ConfigurableApplicationContext context = start(i);
				open.add(context);
				servers.add(context.getBean(EmbeddedDynamoDb.class).endpoint());
				clients.add(context.getBean(LockClient.class));
				assertThat(context.getBean(Job.class).run()).isTrue();
				if (open.size() > OPEN) {
					open.remove().close();
				}
			}
		}
		finally {
			open.forEach(ConfigurableApplicationContext::close);
		}
		assertThat(servers).as("servers").hasSize(1);
		for (LockClient client : clients) {
			assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> client.acquire("k"));
		}
		await().untilAsserted(() -> assertThat(startedSince(before, false)).noneMatch((name) -> name.contains("lock")));
		assertThat(startedSince(before, true)).as("threads of the server").hasSizeLessThan(10 * (OPEN + 2));
	}

	private static ConfigurableApplicationContext start(int number) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("dynamodb-lock.embedded.enabled=true", "dynamodb-lock.lease-duration=" + (60 + number) + "s")
			.run();
	}

	/** Other tests may keep the server running, in cached contexts. */
	private static List<String> startedSince(Set<Thread> before, boolean ofTheServer) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !before.contains(thread) && isOfTheServer(thread) == ofTheServer)
			.map(Thread::getName)
			.toList();
	}

	private static boolean isOfTheServer(Thread thread) {
		return thread.getThreadGroup() != null && thread.getThreadGroup().getName().equals("embedded-dynamodb");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DynamoDbLockEmbeddedAutoConfiguration.class,
			DynamoDbLockClientAutoConfiguration.class, DistributedLockAutoConfiguration.class })
	static class Application {

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		@DistributedLock("job")
		boolean run() {
			return LockContext.current().orElseThrow().isHeld();
		}

	}

}
