/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that do not wait, on a node that never saw the owner of their lock, which crashed
 * an hour ago.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class SilentOwnerTests {

	/** What is left of a crashed owner's lease is waited for. */
	private static final Duration SHORT = Duration.ofSeconds(2);

	/** No call waits for it, and the machine may stall meanwhile. */
	private static final Duration LONG = Duration.ofSeconds(30);

	@Test
	void aCallOfAJobIsNotSkippedAfterACrash(EmbeddedDynamoDb dynamoDb) {
		afterACrash(dynamoDb, (node) -> assertThat(node.getBean(Jobs.class).scheduled()).isEqualTo("ran"));
	}

	@Test
	void aLockedMethodSkipsACallOtherwise(EmbeddedDynamoDb dynamoDb) {
		afterACrash(dynamoDb, (node) -> assertThat(node.getBean(Jobs.class).skippedAtOnce()).isNull());
	}

	@Test
	void anyLockedMethodMayAwaitTheOwner(EmbeddedDynamoDb dynamoDb) {
		afterACrash(dynamoDb, (node) -> assertThat(node.getBean(Jobs.class).awaiting()).isEqualTo("ran"));
	}

	@Test
	void aTemplateAwaitsTheOwnerIfAnOptionSaysSo(EmbeddedDynamoDb dynamoDb) {
		afterACrash(dynamoDb, (node) -> {
			LockTemplate locks = node.getBean(LockTemplate.class);
			assertThat(locks.executeIfFreeWithoutResult("report", (lock) -> {
			})).isFalse();
			assertThat(locks.options((request) -> request.awaitSilentOwner(true))
				.executeIfFreeWithoutResult("report", (lock) -> {
				})).isTrue();
		});
	}

	@Test
	void callsThatAreSkippedForACrashedOwnerAreLoggedAsOneWarning(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		afterACrash(dynamoDb, LONG, (node) -> {
			for (int call = 0; call < 3; call++) {
				assertThat(node.getBean(Jobs.class).skippedAtOnce()).isNull();
			}
			assertThat(log).containsOnlyOnce("has not renewed it since")
				.containsPattern(
						"WARN .*Jobs.skippedAtOnce.*has not renewed it since .*, although its lease is 30 s\\. .*crashed");
		});
	}

	@Test
	void theNextOwnerThatCrashesIsWarnedOfAgain(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((skipping) -> {
			Jobs jobs = skipping.getBean(Jobs.class);
			for (int owner = 1; owner <= 2; owner++) {
				node.run((crashed) -> crash(dynamoDb, crashed, SHORT));
				assertThat(jobs.skippedAtOnce()).isNull();
				assertThat(log.toString().split("has not renewed it since", -1)).hasSize(1 + owner);
				assertThat(jobs.awaiting()).isEqualTo("ran");
			}
		});
	}

	@Test
	void aCallThatIsSkippedForALivingOwnerIsNotWarnedOf(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			first.getBean(LockClient.class).acquire("report");
			assertThat(second.getBean(Jobs.class).scheduled()).isNull();
			assertThat(log).doesNotContain("has not renewed");
		}));
	}

	private static void afterACrash(EmbeddedDynamoDb dynamoDb, Consumer<ApplicationContext> check) {
		afterACrash(dynamoDb, SHORT, check);
	}

	private static void afterACrash(EmbeddedDynamoDb dynamoDb, Duration lease, Consumer<ApplicationContext> check) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((crashed) -> crash(dynamoDb, crashed, lease));
		node.run(check::accept);
	}

	/**
	 * The requests have a long lease, since they give up a call for less than half of it,
	 * and a busy machine may take seconds for one.
	 */
	private static void crash(EmbeddedDynamoDb dynamoDb, ApplicationContext node, Duration lease)
			throws InterruptedException {
		LockClient client = node.getBean(LockClient.class);
		client.acquire("report");
		client.closeWithoutReleasing();
		LockRow row = new LockRow(dynamoDb, node, "report");
		row.leaseDuration(lease);
		row.renewedAt(Instant.now().minus(Duration.ofHours(1)));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.lease-duration=" + LONG.toSeconds() + "s")
			.withBean(Jobs.class);
	}

	static class Jobs {

		@ScheduledLock(name = "report")
		public String scheduled() {
			return "ran";
		}

		@DistributedLock(name = "report", onBusy = OnBusy.SKIP)
		public String skippedAtOnce() {
			return "ran";
		}

		@DistributedLock(name = "report", onBusy = OnBusy.SKIP, awaitSilentOwner = true)
		public String awaiting() {
			return "ran";
		}

	}

}
