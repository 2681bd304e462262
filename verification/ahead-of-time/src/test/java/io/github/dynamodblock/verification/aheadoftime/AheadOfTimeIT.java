/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the executable jar, with and without what was made of it ahead of time.
 */
class AheadOfTimeIT {

	/** Another one than when the application is built. */
	private static final String KEY_PREFIX = "--dynamodb-lock.key-prefix=other-";

	private static EmbeddedDynamoDb dynamoDb;

	@BeforeAll
	static void startDynamoDb() {
		dynamoDb = EmbeddedDynamoDb.start();
	}

	@AfterAll
	static void stopDynamoDb() {
		dynamoDb.close();
	}

	@Test
	void locksDoTheSameAheadOfTimeAndWithout() throws Exception {
		Run without = run(false, KEY_PREFIX);
		assertThat(without.outcomes()).containsExactly("fulfil = other-orders:42",
				"whichMethod = other-calls:Orders.whichMethod", "audit = other-audit", "ship = other-orders:42",
				"nightly = other-nightly", "report = other-monthly", "reported = true", "free = true",
				"template = other-orders:42", "nested = other-orders:42", "busy = false", "refused = [not granted]",
				"fallback = 42 is busy", "shown = true", "metered = true", "event = true",
				"registry = other-registry:orders", "elected = true", "leader = other-registry:reporter");
		assertThat(without.status()).isZero();
		Run aheadOfTime = run(true, KEY_PREFIX);
		assertThat(aheadOfTime.outcomes()).isEqualTo(without.outcomes());
		assertThat(aheadOfTime.status()).isZero();
		assertThat(aheadOfTime.output()).contains("AOT-processed").doesNotContain("ERROR");
	}

	@Test
	void whatIsWrongIsFoundAtTheStartAheadOfTimeToo() throws Exception {
		Run run = run(true, "--orders.lock-name=a:b");
		assertThat(run.status()).as("exit status").isNotZero();
		assertThat(run.outcomes()).isEmpty();
		assertThat(run.output()).contains("InvalidDistributedLockException").contains("\"a:b\" contains a colon");
	}

	private static Run run(boolean aheadOfTime, String... properties) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-Daws.accessKeyId=local",
				"-Daws.secretAccessKey=local", "-Dspring.aot.enabled=" + aheadOfTime, "-jar",
				System.getProperty("application.jar"), "--dynamodb-lock.dynamodb.region=local",
				"--dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint()));
		command.addAll(List.of(properties));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().keySet().removeIf((name) -> name.startsWith("AWS_"));
		Process process = builder.start();
		try {
			process.getOutputStream().close();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("the application ended").isTrue();
			return new Run(process.exitValue(), output);
		}
		finally {
			process.destroyForcibly();
		}
	}

	private record Run(int status, String output) {

		List<String> outcomes() {
			return this.output.lines()
				.filter((line) -> line.startsWith("OUTCOME "))
				.map((line) -> line.substring("OUTCOME ".length()))
				.toList();
		}

	}

}
