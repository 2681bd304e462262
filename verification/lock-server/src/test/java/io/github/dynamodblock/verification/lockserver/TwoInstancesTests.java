/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.server.LockServerApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class TwoInstancesTests {

	@Test
	void noLockIsHeldTwiceOrLostWhenAnInstanceEnds() throws InterruptedException {
		History history = new History();
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = startInstance(dynamoDb);
				ConfigurableApplicationContext second = startInstance(dynamoDb)) {
			List<Instance> instances = List.of(new Instance("first", address(first)),
					Instance.thatIsStopped("second", address(second)));
			Options options = new Options(12, 4, Duration.ofSeconds(3), false);
			Load load = new Load(instances, options, history, new Kill("second"));

			load.run(second::close);
			load.readLocks();
		}

		Verdict verdict = LockChecker.check(history.calls(), history.failures(), null);
		assertThat(verdict.line()).startsWith("OK two clients with one lock: 0, lost: 0; ");
		assertThat(history.calls()).extracting(Call::instance).contains("first", "second");
		assertThat(history.calls()).anyMatch(Call::isLate);
		assertThat(history.unanswered()).contains("second").doesNotContain("first");
	}

	@Test
	void noLateCopyEndsALeaseEarlyOrFreesTheNextHold() throws InterruptedException {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = startInstance(dynamoDb);
				ConfigurableApplicationContext second = startInstance(dynamoDb)) {
			List<Instance> instances = List.of(new Instance("first", address(first)),
					new Instance("second", address(second)));

			Verdict verdict = new RequestsWithCopies(instances, 1000).run();

			assertThat(verdict.line()).startsWith("OK ").contains("no lease ended early, no next hold was freed");
		}
	}

	private static ConfigurableApplicationContext startInstance(EmbeddedDynamoDb dynamoDb) {
		return new SpringApplicationBuilder(LockServerApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run("--server.address=127.0.0.1", "--server.port=0", "--management.server.port=0",
					"--server.shutdown=immediate", "--authentication.disabled=true");
	}

	private static String address(ConfigurableApplicationContext instance) {
		return "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port");
	}

}
