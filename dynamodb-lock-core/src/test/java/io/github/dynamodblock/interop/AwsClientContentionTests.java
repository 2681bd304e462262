/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Threads of this client and of the AWS lock client, all after one lock. One case after
 * the other: these are busy all the time, and the more turns are taken, the better.
 */
@Tag("interop")
@Execution(ExecutionMode.SAME_THREAD)
class AwsClientContentionTests {

	private static final Logger logger = LoggerFactory.getLogger(AwsClientContentionTests.class);

	/** Longer than a case, so that nothing but releases makes it go on. */
	private static final Duration LEASE = ClientKind.LONG_LEASE;

	private static final int LONGEST_PAUSE_MILLIS = 20;

	private static final int A_HANDFUL = 5;

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.github.dynamodblock.interop.InteropCase#all")
	void onlyOneThreadIsInsideAtATimeAndBothClientsMakeProgress(InteropCase layout) throws Exception {
		SharedLock lock = SharedLock.in(layout);
		CriticalSection section = new CriticalSection(lock);
		CountDownLatch end = new CountDownLatch(1);
		try (Contender ours = ClientKind.OURS.open(lock, LEASE);
				Contender aws = ClientKind.AWS.open(lock, LEASE);
				Crew crew = new Crew()) {
			crew.start(() -> contend(ours, section, end));
			crew.start(() -> contend(aws, section, end));
			assertThat(end.await(InteropCase.duration().toMillis(), TimeUnit.MILLISECONDS)).isFalse();
			// More time for a machine that is busy, but not for a client that is starved.
			await().atMost(Contender.PATIENCE).until(() -> section.leastPassages() >= A_HANDFUL || crew.hasEnded());
			end.countDown();
			crew.join();
		}
		logger.info("{}: {} acquisitions by this client, {} by the AWS client in {}", layout,
				section.passages(ClientKind.OURS), section.passages(ClientKind.AWS), InteropCase.duration());
		assertThat(section.faults()).isEmpty();
		assertThat(lock.holder()).isNull();
		assertThat(lock.item().isEmpty()).isEqualTo(layout.deleteOnRelease());
	}

	/** Takes the lock again and again, with a little time between two turns. */
	private static Contender contend(Contender contender, CriticalSection section, CountDownLatch end)
			throws InterruptedException {
		do {
			Contender.Grant grant = contender.acquire();
			section.pass(contender);
			assertThat(grant.isHeld()).isTrue();
			assertThat(grant.release()).isTrue();
		}
		while (!end.await(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS), TimeUnit.MILLISECONDS));
		return contender;
	}

}
