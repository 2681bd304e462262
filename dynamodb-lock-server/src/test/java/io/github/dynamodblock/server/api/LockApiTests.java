/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

@RunningLockServer
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the lock API")
class LockApiTests {

	private static final String NAMESPACE = "lock-api";

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@Test
	void aLockThatWasNeverHeldIsShownWithoutOwnerAndExpiry() {
		Answer answer = this.calls.get(NAMESPACE, "never-held");

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).isEqualTo("{\"namespace\":\"lock-api\",\"lockName\":\"never-held\"}");
	}

	@Test
	void aHeldLockIsShownWithOwnerAndExpiryAndNothingThatOnlyItsHolderMayKnow() {
		long expiry = granted(acquire("held", "one", 60)).number("expiry");

		Answer answer = this.calls.get(NAMESPACE, "held");

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).isEqualTo(
				"{\"namespace\":\"lock-api\",\"lockName\":\"held\",\"owner\":\"anonymous\",\"expiry\":" + expiry + "}");
	}

	@Test
	void aReleasedLockIsShownWithoutOwnerAndExpiry() {
		acquire("shown-released", "one", 60);
		release("shown-released", "one");

		assertThat(this.calls.get(NAMESPACE, "shown-released").text())
			.isEqualTo("{\"namespace\":\"lock-api\",\"lockName\":\"shown-released\"}");
	}

	@Test
	void aFreeLockIsGranted() {
		long now = Instant.now().getEpochSecond();

		Answer answer = acquire("free", "one", 60);

		long expiry = answer.number("expiry");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text())
			.isEqualTo("{\"success\":true,\"namespace\":\"lock-api\",\"lockName\":\"free\",\"owner\":\"anonymous\","
					+ "\"instanceId\":\"one\",\"leaseDuration\":60,\"expiry\":" + expiry + ",\"fencingToken\":"
					+ answer.number("fencingToken") + "}");
		assertThat(expiry).isCloseTo(now + 60, within(5L));
	}

	@Test
	void aLockThatSomebodyElseHasIsNotGranted() {
		long expiry = acquire("taken", "one", 60).number("expiry");

		Answer answer = acquire("taken", "two", 60);

		assertThat(answer.status()).isEqualTo(423);
		assertThat(answer.text()).isEqualTo("{\"success\":false,\"namespace\":\"lock-api\",\"lockName\":\"taken\"}");
		assertThat(this.calls.get(NAMESPACE, "taken").number("expiry")).isEqualTo(expiry);
	}

	@Test
	void aHolderThatAcquiresItsLockAgainLengthensItsLeaseAndKeepsItsFencingToken() {
		Answer first = acquire("again", "one", 30);

		Answer second = granted(acquire("again", "one", 600));

		assertThat(second.number("leaseDuration")).isEqualTo(600);
		assertThat(second.number("expiry")).isCloseTo(Instant.now().getEpochSecond() + 600, within(5L));
		assertThat(second.number("fencingToken")).isEqualTo(first.number("fencingToken"));
		assertThat(this.calls.get(NAMESPACE, "again").number("expiry")).isEqualTo(second.number("expiry"));
	}

	@Test
	void aRenewalAddsItsDurationToLeaseAndExpiry() {
		Answer acquired = acquire("renewed", "one", 60);

		Answer renewed = granted(renew("renewed", "one", 30));
		Answer twice = granted(renew("renewed", "one", 5));

		long expiry = acquired.number("expiry") + 30;
		assertThat(renewed.text())
			.isEqualTo("{\"success\":true,\"namespace\":\"lock-api\",\"lockName\":\"renewed\",\"owner\":\"anonymous\","
					+ "\"instanceId\":\"one\",\"leaseDuration\":90,\"expiry\":" + expiry + ",\"fencingToken\":"
					+ acquired.number("fencingToken") + "}");
		assertThat(twice.number("leaseDuration")).isEqualTo(95);
		assertThat(twice.number("expiry")).isEqualTo(expiry + 5);
		assertThat(this.calls.get(NAMESPACE, "renewed").number("expiry")).isEqualTo(expiry + 5);
	}

	@Test
	void onlyAHeldLockIsRenewedAndOnlyByTheInstanceThatHasIt() {
		long expiry = acquire("not-renewed", "one", 60).number("expiry");
		acquire("released", "one", 60);
		release("released", "one");

		Answer foreign = renew("not-renewed", "two", 30);

		assertThat(foreign.status()).isEqualTo(423);
		assertThat(foreign.text())
			.isEqualTo("{\"success\":false,\"namespace\":\"lock-api\",\"lockName\":\"not-renewed\"}");
		assertThat(this.calls.get(NAMESPACE, "not-renewed").number("expiry")).isEqualTo(expiry);
		assertThat(renew("missing", "one", 30).status()).isEqualTo(423);
		assertThat(renew("released", "one", 30).status()).isEqualTo(423);
		assertThat(this.calls.get(NAMESPACE, "released").body().has("owner")).isFalse();
	}

	@Test
	void aReleaseFreesTheLockForOthers() {
		acquire("freed", "one", 60);

		Answer answer = release("freed", "one");

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text()).isEqualTo("{\"success\":true,\"namespace\":\"lock-api\",\"lockName\":\"freed\"}");
		assertThat(acquire("freed", "two", 60).status()).isEqualTo(200);
	}

	@Test
	void aReleaseOfALockThatNobodyHasSucceeds() {
		acquire("released-twice", "one", 60);
		release("released-twice", "one");

		assertThat(release("released-twice", "one").status()).isEqualTo(200);
		assertThat(release("released-twice", "two").status()).isEqualTo(200);
		assertThat(release("never-there", "one").text())
			.isEqualTo("{\"success\":true,\"namespace\":\"lock-api\",\"lockName\":\"never-there\"}");
	}

	@Test
	void aReleaseOfALockThatSomebodyElseHasIsRefusedAndFreesNothing() {
		long expiry = acquire("not-freed", "one", 60).number("expiry");

		Answer answer = release("not-freed", "two");

		assertThat(answer.status()).isEqualTo(423);
		assertThat(answer.text())
			.isEqualTo("{\"success\":false,\"namespace\":\"lock-api\",\"lockName\":\"not-freed\"}");
		assertThat(this.calls.get(NAMESPACE, "not-freed").number("expiry")).isEqualTo(expiry);
	}

	@Test
	void fencingTokensGrowWithEveryGrantAfterARelease() {
		long token = 0;
		for (int grant = 0; grant < 5; grant++) {
			long next = granted(acquire("growing", "instance-" + grant, 60)).number("fencingToken");
			assertThat(next).isGreaterThan(token);
			token = next;
			release("growing", "instance-" + grant);
		}
	}

	@Test
	void fencingTokensAreToldInAnswersToAcquireAndRenewAlone() {
		assertThat(acquire("tokens", "one", 60).body().has("fencingToken")).isTrue();
		assertThat(renew("tokens", "one", 60).body().has("fencingToken")).isTrue();
		assertThat(this.calls.get(NAMESPACE, "tokens").body().has("fencingToken")).isFalse();
		assertThat(acquire("tokens", "two", 60).body().has("fencingToken")).isFalse();
		assertThat(release("tokens", "one").body().has("fencingToken")).isFalse();
	}

	@Test
	void anExpiredLockIsTakenOverAfterTheSecondOfItsExpiryWithAGreaterToken() {
		Answer first = granted(acquire("expired", "one", 2));

		Answer second = await().atMost(Duration.ofSeconds(20))
			.pollInterval(Duration.ofMillis(100))
			.until(() -> acquire("expired", "two", 2), (answer) -> answer.status() == 200);

		assertThat(second.number("expiry") - 2).isGreaterThan(first.number("expiry"));
		assertThat(second.number("fencingToken")).isGreaterThan(first.number("fencingToken"));
		assertThat(renew("expired", "one", 2).status()).isEqualTo(423);
		assertThat(release("expired", "one").status()).isEqualTo(423);
	}

	@Test
	void aLateCopyOfAnAcquisitionLetsNoOtherClientInBeforeTheEndThatTheHolderWasPromised() {
		granted(acquire("promised", "one", 2));
		long promised = granted(renew("promised", "one", 5)).number("expiry");
		granted(acquire("promised", "one", 2));

		Answer next = await().atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(100))
			.until(() -> acquire("promised", "two", 2), (answer) -> answer.status() == 200);

		assertThat(next.number("expiry") - 2).isGreaterThan(promised);
	}

	@Test
	void locksOfOneNameInTwoNamespacesAreTwoLocks() {
		granted(acquire("shared-name", "one", 60));

		assertThat(this.calls.acquire("lock-api-other", "shared-name", "two", 60).status()).isEqualTo(200);
	}

	@Test
	void theLongestAndShortestNamesAndDurationsAreTaken() {
		String longest = "Az09_-".repeat(11).substring(0, 64);

		assertThat(this.calls.acquire(longest, longest, longest, 86400).status()).isEqualTo(200);
		assertThat(this.calls.acquire("a-_", "0Z9", "___", 1).status()).isEqualTo(200);
	}

	private Answer acquire(String lockName, String instanceId, long seconds) {
		return this.calls.acquire(NAMESPACE, lockName, instanceId, seconds);
	}

	private Answer renew(String lockName, String instanceId, long seconds) {
		return this.calls.renew(NAMESPACE, lockName, instanceId, seconds);
	}

	private Answer release(String lockName, String instanceId) {
		return this.calls.release(NAMESPACE, lockName, instanceId);
	}

	private static Answer granted(Answer answer) {
		assertThat(answer.status()).as(answer.text()).isEqualTo(200);
		return answer;
	}

}
