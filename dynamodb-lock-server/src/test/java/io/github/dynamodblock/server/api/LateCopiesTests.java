/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;

import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.SettableClock;
import io.github.dynamodblock.server.StoreCalls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A copy of a request arrives late: the network delayed it, or the client repeated a
 * request whose answer was only slow.
 */
@InstrumentedLockServer
class LateCopiesTests {

	private static final String NAMESPACE = "late-copies";

	private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);

	@LocalServerPort
	private int port;

	@Autowired
	private SettableClock clock;

	@Autowired
	private StoreCalls store;

	private LockServerCalls calls;

	@BeforeEach
	void stopTheClock() {
		this.calls = LockServerCalls.on(this.port);
		this.clock.stopAt(this.start);
	}

	@AfterEach
	void letTheClockGoOn() {
		this.clock.goOn(Duration.ZERO);
	}

	@Test
	void anAcquisitionDoesNotEndTheLeaseEarlier() {
		acquire("acquired", 3, null);
		renew("acquired", 60, "renewal");
		this.clock.stopAt(this.start.plusMillis(1_500));

		Answer late = acquire("acquired", 3, null);

		assertThat(late.status()).isEqualTo(200);
		assertThat(late.number("expiry")).isEqualTo(seconds(63));
		assertThat(late.number("leaseDuration")).isEqualTo(62);
		assertThat(expiry("acquired")).isEqualTo(seconds(63));
		Answer renewed = renew("acquired", 10, "next");
		assertThat(renewed.number("expiry")).isEqualTo(seconds(73));
		assertThat(renewed.number("leaseDuration")).isEqualTo(72);
	}

	@Test
	void anAcquisitionIsCutToTheLongestLeaseWithoutShorteningIt() {
		acquire("cut", 100, null);
		this.clock.stopAt(this.start.plusSeconds(40));
		assertThat(acquire("cut", 86_400, null).number("expiry")).isEqualTo(seconds(140));

		this.clock.stopAt(this.start.plusSeconds(30));
		assertThat(acquire("cut", 86_400, null).number("expiry")).isEqualTo(seconds(140));
	}

	@Test
	void anAcquisitionWithItsKeyDoesNotLengthenTheLease() {
		Answer first = acquire("keyed", 20, "key");
		this.clock.stopAt(this.start.plusMillis(5_001));

		Answer late = acquire("keyed", 20, "key");

		assertThat(late.number("expiry")).isEqualTo(first.number("expiry")).isEqualTo(expiry("keyed"));
		assertThat(late.number("leaseDuration")).isEqualTo(15);
		assertThat(late.number("fencingToken")).isEqualTo(first.number("fencingToken"));
		assertThat(renew("keyed", 10, "renewal").number("leaseDuration")).isEqualTo(25);
	}

	@Test
	void anAcquisitionWithItsKeyIsKnownThroughTheLastSecondOfTheLease() {
		acquire("last-second", 20, "key");
		this.clock.stopAt(this.start.plusMillis(20_999));

		Answer late = acquire("last-second", 20, "key");

		assertThat(late.status()).isEqualTo(200);
		assertThat(late.number("expiry")).isEqualTo(seconds(20));
		assertThat(late.number("leaseDuration")).isZero();
	}

	@Test
	void anAcquisitionByTheHolderAfterItsLeaseBeginsANewOneThoughItsKeyWasUsed() {
		acquire("expired", 20, "key");
		this.clock.stopAt(this.start.plusSeconds(21));

		Answer again = acquire("expired", 30, "key");

		assertThat(again.status()).isEqualTo(200);
		assertThat(again.number("expiry")).isEqualTo(seconds(51));
		assertThat(again.number("leaseDuration")).isEqualTo(30);
	}

	@Test
	void aKeyThatComesWithAnotherCallIsRefusedAndChangesNothing() {
		acquire("other-call", 20, "acquisition");
		long expiry = renew("other-call", 10, "renewal").number("expiry");

		refused("acquire 20", "acquire 30", acquire("other-call", 30, "acquisition"));
		refused("acquire 20", "renew 20", renew("other-call", 20, "acquisition"));
		refused("renew 10", "acquire 10", acquire("other-call", 10, "renewal"));
		assertThat(expiry("other-call")).isEqualTo(expiry);
	}

	@Test
	void theKeysOfTheLastEightAcquisitionsAndRenewalsAreKnown() {
		acquire("eight", 20, "key-1");
		for (int call = 2; call <= 8; call++) {
			renew("eight", 1, "key-" + call);
		}
		assertThat(acquire("eight", 20, "key-1").number("expiry")).isEqualTo(seconds(27));
		this.clock.stopAt(this.start.plusSeconds(10));
		assertThat(acquire("eight", 20, "key-9").number("expiry")).isEqualTo(seconds(30));
		this.clock.stopAt(this.start.plusSeconds(15));

		assertThat(acquire("eight", 20, "key-9").number("expiry")).isEqualTo(seconds(30));
		assertThat(acquire("eight", 20, "key-1").number("expiry")).isEqualTo(seconds(35));
	}

	@Test
	void anAcquisitionWhoseAnswerIsLostLengthensTheLeaseOnce() {
		acquire("lost-answer", 20, null);
		this.clock.stopAt(this.start.plusSeconds(1));
		this.store.beforeNextWrite(() -> this.store.loseNextAnswer(() -> this.clock.stopAt(this.start.plusSeconds(5))));

		Answer again = acquire("lost-answer", 20, null);

		assertThat(again.status()).isEqualTo(200);
		assertThat(again.number("expiry")).isEqualTo(expiry("lost-answer"));
	}

	/**
	 * A client counts the seconds of an answer from before it sent the acquisition that
	 * was answered last, also those of renewals.
	 */
	@Test
	void theSecondsOfAnAnswerAreOverBeforeTheLockIs() {
		Random random = new Random(42);
		for (int hold = 0; hold < 20; hold++) {
			Instant sent = Instant.MAX;
			Instant now = this.start;
			for (int call = 0; call < 8; call++) {
				now = now.plusMillis(random.nextInt(3_000));
				this.clock.stopAt(now);
				boolean acquires = call == 0 || random.nextBoolean();
				String key = random.nextBoolean() ? (acquires ? "acquisition" : "renewal") : null;
				long seconds = (key != null) ? 20 : 1 + random.nextInt(40);
				Answer answer = acquires ? acquire("seconds-" + hold, seconds, key)
						: renew("seconds-" + hold, seconds, key);
				sent = acquires ? now : sent;

				assertThat(answer.status()).isIn(200, 423);
				assertThat(sent.plusSeconds(answer.number("leaseDuration")))
					.isBeforeOrEqualTo(Instant.ofEpochSecond(answer.number("expiry") + 1));
			}
		}
	}

	@Test
	void aReleaseWithTheTokenOfAnEarlierHoldDoesNotFreeTheNextOne() {
		long token = acquire("next-hold", 60, null).number("fencingToken");
		assertThat(release("next-hold", token).status()).isEqualTo(200);
		long next = acquire("next-hold", 60, null).number("fencingToken");

		Answer late = release("next-hold", token);

		assertThat(late.status()).isEqualTo(423);
		assertThat(late.text())
			.isEqualTo("{\"success\":false,\"namespace\":\"late-copies\",\"lockName\":\"next-hold\"}");
		assertThat(expiry("next-hold")).isEqualTo(seconds(60));
		assertThat(release("next-hold", next).status()).isEqualTo(200);
		assertThat(this.calls.get(NAMESPACE, "next-hold").body().has("owner")).isFalse();
	}

	@Test
	void aReleaseWithATokenSucceedsIfTheLockIsFreeOrItsLeaseOver() {
		long token = acquire("not-held", 20, null).number("fencingToken");
		release("not-held", token);
		assertThat(release("not-held", token).status()).isEqualTo(200);

		acquire("not-held", 20, null);
		this.clock.stopAt(this.start.plusSeconds(21));
		assertThat(release("not-held", token).status()).isEqualTo(200);
	}

	@Test
	void aRenewalWithTheTokenOfAnEarlierHoldDoesNotLengthenTheNextOne() {
		long token = acquire("not-renewed", 20, null).number("fencingToken");
		release("not-renewed", token);
		long next = acquire("not-renewed", 20, null).number("fencingToken");

		assertThat(renew("not-renewed", 10, "key", token).status()).isEqualTo(423);

		assertThat(expiry("not-renewed")).isEqualTo(seconds(20));
		assertThat(renew("not-renewed", 10, "key", next).number("expiry")).isEqualTo(seconds(30));
	}

	private static void refused(String before, String now, Answer answer) {
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.body().path("message").asString()).isEqualTo("The idempotency key was already used for '"
				+ before + "' of this lock, not for '" + now + "'; use a new key for each call");
	}

	private long seconds(long after) {
		return this.start.getEpochSecond() + after;
	}

	private long expiry(String lockName) {
		return this.calls.get(NAMESPACE, lockName).number("expiry");
	}

	private Answer acquire(String lockName, long seconds, @Nullable String key) {
		return this.calls.acquire(NAMESPACE, lockName, "one", seconds, key);
	}

	private Answer renew(String lockName, long seconds, @Nullable String key) {
		return renew(lockName, seconds, key, null);
	}

	private Answer renew(String lockName, long seconds, @Nullable String key, @Nullable Long token) {
		return this.calls.renew(NAMESPACE, lockName, "one", seconds, key, token);
	}

	private Answer release(String lockName, @Nullable Long token) {
		return this.calls.release(NAMESPACE, lockName, "one", token);
	}

}
