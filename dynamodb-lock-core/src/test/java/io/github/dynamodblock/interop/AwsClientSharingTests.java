/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.github.dynamodblock.interop.Contender.Grant;
import io.github.dynamodblock.interop.Contender.Seen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What one kind of client writes, the other reads. All leases are so long that nothing
 * here comes of a lease that ended.
 */
@Tag("interop")
class AwsClientSharingTests {

	private static final String CASES = "io.github.dynamodblock.interop.InteropCase#withEachKindFirst";

	@ParameterizedTest(name = "{0}, held by {1}")
	@MethodSource(CASES)
	void eachReadsTheOthersLockAndItsData(InteropCase layout, ClientKind holding) throws Exception {
		SharedLock lock = SharedLock.in(layout);
		try (Contender holder = holding.open(lock, ClientKind.LONG_LEASE);
				Contender reader = holding.other().open(lock, ClientKind.LONG_LEASE)) {
			Grant held = holder.acquire("page 7".getBytes(StandardCharsets.UTF_8));
			assertThat(reader.find())
				.isEqualTo(new Seen(holder.ownerName(), ClientKind.LONG_LEASE, Optional.of("page 7")));
			assertThat(held.release()).isTrue();
			Grant next = reader.acquire();
			assertThat(holder.find()).isEqualTo(new Seen(reader.ownerName(), ClientKind.LONG_LEASE, Optional.empty()));
			assertThat(next.release()).isTrue();
		}
	}

	@ParameterizedTest(name = "{0}, held by {1}")
	@MethodSource(CASES)
	void aTryIsRefusedWhileTheOtherHoldsTheLockAndGrantedAfterItsRelease(InteropCase layout, ClientKind holding)
			throws Exception {
		SharedLock lock = SharedLock.in(layout);
		try (Contender holder = holding.open(lock, ClientKind.LONG_LEASE);
				Contender trying = holding.other().open(lock, ClientKind.LONG_LEASE)) {
			Grant held = holder.acquire();
			assertThat(trying.tryAcquire()).isEmpty();
			assertThat(held.release()).isTrue();
			assertThat(lock.item().isEmpty()).isEqualTo(layout.deleteOnRelease());
			assertThat(trying.tryAcquire()).isPresent();
			assertThat(lock.holder()).isEqualTo(trying.ownerName());
			assertThat(holder.tryAcquire()).isEmpty();
		}
		// Closing a client released what it held.
		assertThat(lock.holder()).isNull();
	}

	@ParameterizedTest(name = "{0}, held by {1}")
	@MethodSource(CASES)
	void waitersGetTheLockWhenTheOtherReleasesIt(InteropCase layout, ClientKind holding) throws Exception {
		SharedLock lock = SharedLock.in(layout);
		CriticalSection section = new CriticalSection(lock);
		try (Contender holder = holding.open(lock, ClientKind.LONG_LEASE);
				Contender waiting = holding.other().open(lock, ClientKind.LONG_LEASE);
				Crew waiters = new Crew()) {
			Grant held = holder.acquire();
			section.enter(holder);
			waiters.start(() -> {
				Grant grant = waiting.acquire();
				section.pass(waiting);
				return grant.release();
			});
			await().atMost(Contender.PATIENCE).until(() -> waiting.connection().calls() > 10);
			section.leave(holder);
			assertThat(held.release()).isTrue();
			waiters.join();
			assertThat(section.faults()).isEmpty();
			assertThat(section.passages(waiting.kind())).hasValue(Crew.THREADS_OF_A_CLIENT);
		}
	}

	@ParameterizedTest(name = "{0}, held by {1}")
	@MethodSource(CASES)
	void eachTakesAnotherLockOfTheTableBesideTheOthers(InteropCase layout, ClientKind holding) throws Exception {
		SharedLock lock = SharedLock.in(layout);
		SharedLock sibling = lock.sibling();
		try (Contender holder = holding.open(lock, ClientKind.LONG_LEASE);
				Contender other = holding.other().open(sibling, ClientKind.LONG_LEASE)) {
			Grant held = holder.acquire();
			assertThat(other.tryAcquire()).isPresent();
			assertThat(held.release()).isTrue();
			assertThat(lock.holder()).isNull();
			assertThat(sibling.holder()).isEqualTo(other.ownerName());
		}
	}

}
