/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.TERMS;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client that only tries does after a refusal, in virtual time on a real table.
 */
class BackgroundReadTests extends VirtualTimeTest {

	private static final Duration LATER = LEASE.multipliedBy(5);

	@Test
	void theNextTryTakesOverFromAnOwnerThatCrashedWithinALeaseOfTheRefusal() {
		one().acquire("k");
		refusedTry(two());
		time().pass(LEASE.dividedBy(2));
		silence(one());
		time().pass(LATER);
		AcquisitionTask next = two().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void withoutBackgroundReadsTheNextTryIsRefusedToo() {
		VirtualClient frugal = client("frugal", (settings) -> new ClientSettings("frugal", TERMS, settings.waitTime(),
				null, false, null, 1000, false, settings.listeners(), settings.rules()));
		one().acquire("k");
		refusedTry(frugal);
		time().pass(LEASE.dividedBy(2));
		silence(one());
		time().pass(LATER);
		refusedTry(frugal);
		assertThat(frugal.environment().sent()).isEqualTo(2);
	}

	@Test
	void aRefusedTryIsFollowedByOneReadAndNoMore() {
		one().acquire("k");
		refusedTry(two());
		assertThat(two().environment().reads()).isZero();
		time().pass(LATER);
		assertThat(two().environment().reads()).isEqualTo(1);
		assertThat(two().environment().sent()).isEqualTo(2);
	}

	@Test
	void triesInOneLeaseShareOneRead() {
		one().acquire("k");
		refusedTry(two());
		time().pass(Duration.ofMillis(100));
		refusedTry(two());
		int sent = two().environment().sent();
		time().pass(LATER);
		assertThat(two().environment().sent()).isEqualTo(sent + 1);
	}

	@Test
	void aLockThatThisClientAcquiredSinceIsNotRead() {
		LeaseHandle held = one().acquire("k");
		refusedTry(two());
		one().release(held);
		AcquisitionTask attempt = two().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		LeaseHandle own = granted(attempt);
		int reads = two().environment().reads();
		time().pass(LATER);
		assertThat(two().environment().reads()).isEqualTo(reads);
		assertThat(own.isHeld()).isTrue();
	}

	@Test
	void aReadThatIsNotAnsweredIsNotRepeated() {
		one().acquire("k");
		refusedTry(two());
		silence(two());
		time().pass(LATER);
		assertThat(two().environment().sent()).isEqualTo(2);
		two().environment().forgetFaults();
		refusedTry(two());
		time().pass(LATER);
		assertThat(two().environment().sent()).as("a try and its read").isEqualTo(4);
	}

	@Test
	void thereAreNoMoreReadsThanTheClientRemembersLocks() {
		VirtualClient forgetful = client("forgetful", (settings) -> new ClientSettings("forgetful", TERMS,
				settings.waitTime(), null, false, null, 2, true, settings.listeners(), settings.rules()));
		for (String key : new String[] { "a", "b", "c", "d" }) {
			one().acquire(key);
			AcquisitionTask attempt = forgetful.start(LockRequest.of(key));
			time().pass(VirtualEnvironment.CALL);
			assertThat(refused(attempt)).isInstanceOf(Step.Denied.class);
		}
		time().pass(LATER);
		assertThat(forgetful.environment().reads()).isEqualTo(2);
	}

	private void refusedTry(VirtualClient client) {
		AcquisitionTask attempt = client.start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		assertThat(refused(attempt)).isInstanceOf(Step.Denied.class);
	}

}
