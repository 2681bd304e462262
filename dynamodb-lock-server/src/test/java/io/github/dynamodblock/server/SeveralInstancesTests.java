/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances with one table, whose clocks are apart by nearly the bound.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("two instances")
class SeveralInstancesTests {

	private static final String NAMESPACE = "several";

	private static final Duration APART = Duration.ofMillis(450);

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private final SettableClock aheadClock = new SettableClock();

	private final SettableClock behindClock = new SettableClock();

	private ConfigurableApplicationContext ahead;

	private ConfigurableApplicationContext behind;

	private LockServerCalls onAhead;

	private LockServerCalls onBehind;

	@BeforeAll
	void start() {
		this.aheadClock.goOn(APART);
		this.behindClock.goOn(APART.negated());
		this.ahead = start(this.aheadClock);
		this.behind = start(this.behindClock);
		this.onAhead = calls(this.ahead);
		this.onBehind = calls(this.behind);
	}

	@AfterAll
	void stop() {
		this.ahead.close();
		this.behind.close();
		this.dynamoDb.close();
	}

	private ConfigurableApplicationContext start(Clock clock) {
		return new SpringApplicationBuilder(LockServerApplication.class).initializers((context) -> {
			GenericApplicationContext beans = (GenericApplicationContext) context;
			beans.registerBean(DynamoDbClient.class, this.dynamoDb::client, (bean) -> bean.setDestroyMethodName(""));
			beans.registerBean("clockOfTheTest", Clock.class, () -> clock, (bean) -> bean.setPrimary(true));
		})
			.run("--server.address=127.0.0.1", "--server.port=0", "--management.server.port=0",
					"--authentication.disabled=true");
	}

	private static LockServerCalls calls(ConfigurableApplicationContext instance) {
		return LockServerCalls.on(instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	@Test
	void anyInstanceServesAnyCall() {
		Answer granted = this.onAhead.acquire(NAMESPACE, "any", "one", 60);

		assertThat(this.onBehind.get(NAMESPACE, "any").number("expiry")).isEqualTo(granted.number("expiry"));
		assertThat(this.onBehind.acquire(NAMESPACE, "any", "two", 60).status()).isEqualTo(423);
		Answer renewed = this.onBehind.renew(NAMESPACE, "any", "one", 60);
		assertThat(renewed.status()).isEqualTo(200);
		assertThat(renewed.number("expiry")).isEqualTo(granted.number("expiry") + 60);
		assertThat(renewed.number("fencingToken")).isEqualTo(granted.number("fencingToken"));
		Answer again = this.onBehind.acquire(NAMESPACE, "any", "one", 60);
		assertThat(again.status()).isEqualTo(200);
		assertThat(again.number("fencingToken")).isEqualTo(granted.number("fencingToken"));
		assertThat(this.onAhead.release(NAMESPACE, "any", "one").status()).isEqualTo(200);
		assertThat(this.onBehind.get(NAMESPACE, "any").body().has("owner")).isFalse();
		assertThat(this.onBehind.acquire(NAMESPACE, "any", "two", 60).number("fencingToken"))
			.isGreaterThan(granted.number("fencingToken"));
	}

	@Test
	void aRepeatedRenewalAddsOnceWhereverItIsServed() {
		this.onAhead.acquire(NAMESPACE, "repeated", "one", 60);

		long expiry = this.onAhead.renew(NAMESPACE, "repeated", "one", 60, "key").number("expiry");

		assertThat(this.onBehind.renew(NAMESPACE, "repeated", "one", 60, "key").number("expiry")).isEqualTo(expiry);
	}

	@Test
	void whatOneInstanceGrantedIsTakenOverByTheOtherAfterItsEndByEitherClock() throws Exception {
		assertThat(Crowd.of(2, (number) -> {
			boolean grantedAhead = number == 0;
			takeOver("takeover-" + grantedAhead, grantedAhead ? this.onAhead : this.onBehind,
					grantedAhead ? this.onBehind : this.onAhead);
			return number;
		})).hasSize(2);
	}

	/**
	 * The lock clients go by the machine's clock in both instances; only the holds are
	 * counted by clocks that are apart. The one that is behind is the last to see the
	 * lease over.
	 */
	private void takeOver(String lock, LockServerCalls granting, LockServerCalls taking) {
		Answer first = granting.acquire(NAMESPACE, lock, "one", 2);

		Answer second = await().atMost(Duration.ofSeconds(20))
			.pollInterval(Duration.ofMillis(100))
			.until(() -> taking.acquire(NAMESPACE, lock, "two", 60), (answer) -> answer.status() == 200);

		assertThat(this.behindClock.instant()).isAfterOrEqualTo(Instant.ofEpochSecond(first.number("expiry") + 1));
		assertThat(second.number("fencingToken")).isGreaterThan(first.number("fencingToken"));
		assertThat(granting.renew(NAMESPACE, lock, "one", 2).status()).isEqualTo(423);
		assertThat(granting.release(NAMESPACE, lock, "one").status()).isEqualTo(423);
		assertThat(granting.get(NAMESPACE, lock).number("expiry")).isEqualTo(second.number("expiry"));
	}

	/** Without the bound it would first have to see the lock for as long as a lease. */
	@Test
	void anInstanceThatNeverSawALockAcquiresItAtTheFirstTryTwoBoundsAfterItsEnd() {
		Duration bound = this.ahead.getEnvironment()
			.getRequiredProperty("dynamodb-lock.clock-skew-bound", Duration.class);
		long expiry = Math.max(this.onAhead.acquire(NAMESPACE, "unseen-ahead", "one", 2).number("expiry"),
				this.onBehind.acquire(NAMESPACE, "unseen-behind", "one", 2).number("expiry"));
		Instant acquirable = Instant.ofEpochSecond(expiry + 1).plus(bound.multipliedBy(2));

		await().atMost(Duration.ofSeconds(20)).until(() -> this.behindClock.instant().isAfter(acquirable));

		assertThat(this.onBehind.acquire(NAMESPACE, "unseen-ahead", "two", 60).status()).isEqualTo(200);
		assertThat(this.onAhead.acquire(NAMESPACE, "unseen-behind", "two", 60).status()).isEqualTo(200);
	}

	@Test
	void ofManyHoldersOnBothInstancesNeverTwoHaveTheLock() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		List<Integer> grants = Crowd.of(8, (number) -> {
			LockServerCalls calls = (number % 2 == 0) ? this.onAhead : this.onBehind;
			int granted = 0;
			for (int round = 0; round < 20; round++) {
				if (calls.acquire(NAMESPACE, "contended", "holder-" + number, 60).status() == 200) {
					granted++;
					assertThat(inside.incrementAndGet()).isEqualTo(1);
					inside.decrementAndGet();
					assertThat(calls.release(NAMESPACE, "contended", "holder-" + number).status()).isEqualTo(200);
				}
			}
			return granted;
		});

		assertThat(grants.stream().mapToInt(Integer::intValue).sum()).isPositive();
	}

}
