/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A handle stands for one grant: what is done to it concerns no other grant of the same
 * key, and all that it says agrees. In virtual time on a real table.
 */
class HandleIdentityTests extends VirtualTimeTest {

	@Test
	void releasingALostHandleLeavesTheSameClientsNextOneAlone() {
		LeaseHandle stale = one().acquire("k");
		one().environment().sleep(Duration.ofHours(1));
		assertThat(stale.isHeld()).isFalse();
		LeaseHandle next = granted(waitFor(one(), "k"));
		assertThat(one().release(stale)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().release(stale)).isEqualTo(ReleaseOutcome.LOST);
		assertIsKept(next);
	}

	@Test
	void renewingOrReleasingAReleasedHandleDoesNothingToTheNextOne() {
		LeaseHandle released = one().acquire("k");
		one().release(released);
		LeaseHandle next = one().acquire("k");
		String version = next.record().recordVersionNumber();
		assertThat(released.demand(RenewRequest.create())).isDone();
		assertThat(one().release(released)).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(one().row("k").recordVersionNumber()).isEqualTo(version);
		assertIsKept(next);
	}

	@Test
	void adoptingALockEndsTheOlderHandleOfTheSameClientAtOnceAndConcernsNoNewerOne() {
		LeaseHandle older = one().acquire("k");
		one().deleteRow("k");
		LeaseHandle newer = one().adopt(detached());
		assertThat(older.isHeld()).isFalse();
		assertThat(older.lossReason()).hasValue(LossReason.STOLEN);
		assertThat(one().client().holds(LockKey.of("k"))).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(newer.isHeld()).isTrue();
		assertThat(one().release(older)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().row("k").isReleased()).isFalse();
		assertThat(one().release(newer)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(events()).filteredOn("one lost STOLEN"::equals).hasSize(1);
		assertThat(one().client().holds(LockKey.of("k"))).isFalse();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aReleaseThatIsUnderWayDoesNotFreeWhatTheSameClientHasAdopted() {
		LeaseHandle older = one().acquire("k");
		one().deleteRow("k");
		AcquisitionTask adoption = one().startToAdopt(detached());
		CompletableFuture<ReleaseOutcome> release = older.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(1));
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		time().pass(Duration.ofMinutes(1));
		assertThat(granted(adoption).isHeld()).isTrue();
		assertThat(events()).filteredOn("one lost STOLEN"::equals).hasSize(1);
	}

	@Test
	void theListenerOfAReleasedHandleHearsNothingOfTheNextOne() {
		List<String> heard = new ArrayList<>();
		LeaseHandle released = one().acquire(LockRequest.of("k").listener(new LockListener() {
			@Override
			public void onExpiring(HeldLock lock) {
				heard.add("expiring");
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				heard.add("lost");
			}
		}));
		one().release(released);
		LeaseHandle next = one().acquire("k");
		silence(one());
		time().pass(Duration.ofMinutes(1));
		assertThat(next.lossReason()).hasValue(LossReason.EXPIRED);
		assertThat(events()).contains("one expiring", "one lost EXPIRED");
		assertThat(heard).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void allThatAHandleSaysAgreesOnceItHasEnded(End end) {
		LeaseHandle lock = one().acquire("k");
		long token = lock.fencingToken();
		bringAbout(end, lock);
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.remaining()).isZero();
		assertThat(lock.lossReason()).isEqualTo(Optional.ofNullable(end.reason));
		assertThat(lock.fencingToken()).isEqualTo(token);
		assertThat(lock.record().fencingToken()).hasValue(token);
		assertSaysHowItEnded(lock::ensureHeld, end);
		assertSaysHowItEnded(lock::renew, end);
		time().pass(Duration.ofMinutes(1));
		assertThat(events()).filteredOn((event) -> event.startsWith("one"))
			.containsExactly("one acquired", (end.reason == null) ? "one released" : "one lost " + end.reason);
		assertThat(one().release(lock))
			.isEqualTo((end.reason == null) ? ReleaseOutcome.ALREADY_RELEASED : ReleaseOutcome.LOST);
	}

	private static void assertSaysHowItEnded(ThrowingCallable call, End end) {
		if (end.reason == null) {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(call)
				.withMessageContaining("'k'")
				.withMessageContaining("released");
		}
		else {
			assertThatExceptionOfType(LockLostException.class).isThrownBy(call)
				.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(end.reason));
		}
	}

	private void bringAbout(End end, LeaseHandle lock) {
		switch (end) {
			case RELEASED -> one().release(lock);
			case EXPIRED -> one().environment().sleep(Duration.ofHours(1));
			case STOLEN -> {
				one().deleteRow("k");
				two().acquire("k");
			}
			case DELETED -> one().deleteRow("k");
			case FREED_BY_HAND -> one().freeRow("k");
			case CLIENT_CLOSED -> assertThat(one().endEverything(true)).isNotDone();
		}
		time().pass(Duration.ofSeconds(5));
	}

	/** The token of a lock that the other client has acquired and detached. */
	private LockToken detached() {
		return Objects.requireNonNull(two().acquire("k").detachIfConfirmed());
	}

	private void assertIsKept(LeaseHandle lock) {
		String version = lock.record().recordVersionNumber();
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().row("k").isReleased()).isFalse();
		assertThat(one().row("k").recordVersionNumber()).isNotEqualTo(version);
	}

	/**
	 * The ways in which a lock can end.
	 */
	enum End {

		RELEASED(null), EXPIRED(LossReason.EXPIRED), STOLEN(LossReason.STOLEN), DELETED(LossReason.ITEM_MISSING),
		FREED_BY_HAND(LossReason.RELEASED_BY_ADMINISTRATOR), CLIENT_CLOSED(LossReason.CLOSED);

		private final @Nullable LossReason reason;

		End(@Nullable LossReason reason) {
			this.reason = reason;
		}

	}

}
