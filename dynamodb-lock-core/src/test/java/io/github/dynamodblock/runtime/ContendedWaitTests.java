/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waiting behind another client costs, and how it ends, in virtual time on a real
 * table.
 */
class ContendedWaitTests extends VirtualTimeTest {

	private static final Duration LEADERS_LEASE = Duration.ofSeconds(20);

	private static final Duration TRY = Duration.ofMillis(500);

	ContendedWaitTests() {
		super(new SimulatedTable());
	}

	@Test
	void aFollowerWritesNothingWhileTheLeaderLives() {
		one().acquire("k");
		two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofMinutes(1));
		assertThat(two().environment().written()).isEqualTo(1);
		// Half a read unit each: below twelve units a second.
		assertThat(two().environment().sent() / 2).isLessThan(60 * 12);
		// One claim, and a heartbeat every two and a half seconds.
		assertThat(one().environment().written()).isLessThan(30);
	}

	@Test
	void aLockThatIsHeldForLongIsLookedAtAsSeldomAsItsLeaseAllows() {
		one().start(leader());
		two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofMinutes(1));
		// About 70 in the nine seconds until a look in 400 ms is enough.
		assertThat(two().environment().reads()).isBetween(150, 205);
		int before = two().environment().reads();
		time().pass(Duration.ofMinutes(1));
		assertThat(two().environment().reads() - before).isBetween(135, 155);
	}

	@Test
	void triesOneAfterTheOtherShareOneScheduleAndNeverWrite() {
		one().start(leader());
		tryFor(two(), Duration.ofSeconds(10));
		assertThat(two().environment().written()).as("the first try").isEqualTo(1);
		int before = two().environment().sent();
		tryFor(two(), Duration.ofMinutes(1));
		assertThat(two().environment().written()).isEqualTo(1);
		assertThat(two().environment().sent() - before).as("half a read unit each").isLessThanOrEqualTo(60 * 3);
	}

	@Test
	void everyTryLooksOnceEvenIfTheNextLookWouldComeAfterIt() {
		one().start(leader());
		tryFor(two(), Duration.ofSeconds(10));
		int before = two().environment().reads();
		for (int i = 0; i < 100; i++) {
			AcquisitionTask shorter = two().start(LockRequest.of("k").waitTime(Duration.ofMillis(100)));
			time().pass(Duration.ofMillis(100));
			refused(shorter);
		}
		assertThat(two().environment().reads() - before).isGreaterThanOrEqualTo(100);
	}

	@Test
	void aLeaderThatGoesCostsAFollowerOneWriteAtMost() {
		VirtualClient three = client("three", (settings) -> settings);
		LeaseHandle leads = one().acquire(leader());
		tryFor(two(), Duration.ofSeconds(10));
		tryFor(three, Duration.ofSeconds(10));
		one().release(leads);
		AcquisitionTask second = two().start(leader().waitTime(Duration.ofSeconds(1)));
		AcquisitionTask third = three.start(leader().waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(1));
		VirtualClient follower = (second.outcome().join().handle() != null) ? three : two();
		assertThat(isOver(third)).isTrue();
		assertThat(follower.environment().written()).isBetween(1, 2);
		int before = follower.environment().written();
		tryFor(follower, Duration.ofMinutes(1));
		assertThat(follower.environment().written()).isEqualTo(before);
	}

	@Test
	void locksThatAreSeenBesidesDoNotDriveTheLeaderOutOfAFullMemory() {
		VirtualClient forgetful = client("forgetful",
				(settings) -> new ClientSettings(settings.ownerName(), settings.lease(), settings.waitTime(), null,
						false, null, 2, true, settings.listeners(), settings.rules()));
		one().start(leader());
		tryFor(forgetful, Duration.ofSeconds(1));
		for (int i = 0; i < 100; i++) {
			one().start(LockRequest.of("other-" + i));
			forgetful.start(LockRequest.of("other-" + i));
			tryFor(forgetful, Duration.ofMillis(500));
		}
		assertThat(forgetful.environment().written()).as("one for each lock").isEqualTo(101);
	}

	@Test
	void aLeaderThatDiedAfterLongIsFollowedOneLeaseAndOneLookLater() {
		one().start(leader());
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofMinutes(1));
		int written = one().environment().written();
		while (one().environment().written() == written) {
			time().pass(Duration.ofMillis(1));
		}
		silence(one());
		time().pass(LEADERS_LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(LEADERS_LEASE.dividedBy(50).multipliedBy(6).dividedBy(5).plus(Duration.ofMillis(50)));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void afterALongHoldingBriefOnesAreFollowedAsQuicklyAsEver() {
		LeaseHandle held = one().acquire(leader());
		AcquisitionTask next = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofMinutes(1));
		one().release(held);
		time().pass(Duration.ofMillis(520));
		for (VirtualClient client : List.of(one(), two(), one(), two())) {
			VirtualClient holder = (client == one()) ? two() : one();
			LeaseHandle brief = granted(next);
			next = client.start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
			time().pass(Duration.ofMillis(700));
			assertThat(isOver(next)).isFalse();
			holder.release(brief);
			// At most an interval of 54 ms, the look and the claim.
			time().pass(Duration.ofMillis(75));
		}
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aSecondWaitGoesOnWhereTheFirstOneLeftOff() {
		crash(one(), "k");
		AcquisitionTask first = two().start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		time().pass(Duration.ofSeconds(6));
		refused(first);
		AcquisitionTask second = two().start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		time().pass(Duration.ofSeconds(5));
		assertThat(granted(second).isHeld()).isTrue();
	}

	/** Tries for half a second, again and again, as a candidate for leadership does. */
	private void tryFor(VirtualClient client, Duration duration) {
		for (Duration spent = Duration.ZERO; spent.compareTo(duration) < 0; spent = spent.plus(TRY)) {
			AcquisitionTask attempt = client.start(leader().waitTime(TRY));
			time().pass(TRY);
			refused(attempt);
		}
	}

	private static LockRequest leader() {
		return LockRequest.of("k").leaseDuration(LEADERS_LEASE).heartbeatPeriod(LEADERS_LEASE.dividedBy(4));
	}

}
