/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

import io.github.dynamodblock.interop.Contender.Grant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A lock whose owner died goes from one kind of client to the other, and only then.
 */
@Tag("interop")
class AwsClientTakeoverTests {

	/** So long that a machine which is busy with other things hardly ever loses it. */
	private static final Duration KEPT_LEASE = Duration.ofSeconds(10);

	/** As many as take longer than the lease, even if each comes a little early. */
	private static final long HEARTBEATS = Math.max(24, InteropCase.duration().dividedBy(ClientKind.HEARTBEAT_PERIOD));

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.github.dynamodblock.interop.InteropCase#all")
	void eachTakesOverFromTheOtherAfterACrash(InteropCase layout) throws Exception {
		SharedLock lock = SharedLock.in(layout);
		long begin = System.nanoTime();
		do {
			theOtherKindTakesOverFrom(ClientKind.AWS, lock);
			theOtherKindTakesOverFrom(ClientKind.OURS, lock);
		}
		while (System.nanoTime() - begin < InteropCase.duration().toNanos());
	}

	private static void theOtherKindTakesOverFrom(ClientKind dyingKind, SharedLock lock) throws Exception {
		CriticalSection section = new CriticalSection(lock);
		try (Contender dying = dyingKind.open(lock, Duration.ofSeconds(2));
				Contender survivor = dyingKind.other().open(lock, ClientKind.LONG_LEASE);
				Crew waiters = new Crew()) {
			Grant lost = dying.acquire();
			dying.connection().cut();
			assertThat(survivor.tryAcquire()).isEmpty();
			waiters.start(() -> {
				Grant grant = survivor.acquire();
				section.check(!lost.isHeld(), "the survivor was granted what the dead client still holds");
				section.pass(survivor);
				return grant.release();
			});
			waiters.join();
			assertThat(section.faults()).isEmpty();
			assertThat(section.passages(survivor.kind())).hasValue(Crew.THREADS_OF_A_CLIENT);
			Grant successors = survivor.acquire();
			dying.connection().mend();
			assertThat(lost.release()).isFalse();
			assertThat(lock.holder()).isEqualTo(survivor.ownerName());
			assertThat(successors.release()).isTrue();
		}
	}

	/** A heartbeat has nothing to do with what a release leaves behind. */
	static Stream<Arguments> holders() {
		return InteropCase.keepingWithEachKindFirst();
	}

	@ParameterizedTest(name = "{0}, held by {1}")
	@MethodSource("holders")
	void anOwnerWhoseHeartbeatsComeIsLeftAlone(InteropCase layout, ClientKind holding) throws Exception {
		// A machine that stands still for longer than a lease rightly loses the lock.
		long begin = System.nanoTime();
		boolean keptIt = false;
		while (!keptIt && System.nanoTime() - begin < Contender.PATIENCE.toNanos()) {
			keptIt = isLeftAlone(holding, SharedLock.in(layout));
		}
		assertThat(keptIt).as("whether the owner kept the lock by its heartbeats").isTrue();
	}

	private static boolean isLeftAlone(ClientKind holding, SharedLock lock) throws Exception {
		CriticalSection section = new CriticalSection(lock);
		try (Contender holder = holding.open(lock, KEPT_LEASE);
				Contender waiting = holding.other().open(lock, KEPT_LEASE);
				Crew waiters = new Crew()) {
			Grant held = holder.acquire();
			waiters.start(() -> {
				Grant grant = waiting.acquire();
				section.check(!held.isHeld(), "a waiter was granted what its owner still holds");
				return grant.release();
			});
			Set<String> versions = new HashSet<>();
			await().atMost(Contender.PATIENCE).until(() -> {
				versions.add(lock.version());
				return versions.size() > HEARTBEATS || waiters.hasEnded();
			});
			assertThat(section.faults()).isEmpty();
			return !waiters.hasEnded();
		}
	}

}
