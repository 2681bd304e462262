/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.trial;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.samples.lockservice.LockServiceApplication;
import io.github.dynamodblock.samples.lockservice.RunningLockService;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockService
@Execution(ExecutionMode.CONCURRENT)
class TwoInstancesTests {

	@Autowired
	private EmbeddedDynamoDb dynamoDb;

	@LocalServerPort
	private int port;

	@Test
	void noLockIsHeldTwiceOrLostWhenAnInstanceEnds() throws InterruptedException {
		History history = new History();
		try (ConfigurableApplicationContext second = startInstance()) {
			int secondPort = second.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
			List<Instance> instances = List.of(new Instance("first", address(this.port)),
					Instance.thatIsStopped("second", address(secondPort)));
			Options options = new Options(12, 4, Duration.ofSeconds(3), false, Path.of("unused"));
			Load load = new Load(instances, options, history, new Kill("second"));

			load.run(second::close);
			load.judge();
		}

		Verdict verdict = Verdict.of(history.calls(), history.failures(), null);
		assertThat(verdict.line()).startsWith("OK two clients with one lock: 0, lost: 0; ");
		assertThat(history.calls()).extracting(Call::instance).contains("first", "second");
		assertThat(history.unanswered()).contains("second").doesNotContain("first");
	}

	/** On the first one's table. */
	private ConfigurableApplicationContext startInstance() {
		return new SpringApplicationBuilder(LockServiceApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run("--server.address=127.0.0.1", "--server.port=0", "--server.shutdown=immediate",
					"--authentication.disabled=true");
	}

	private static String address(int port) {
		return "http://127.0.0.1:" + port;
	}

}
