/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Five hundred acquisitions a second that DynamoDB does not carry out, in virtual time:
 * how many calls they make, and how soon a table that is back has caught up.
 */
class StormTests extends VirtualTimeTest {

	private static final Duration TURNED_AWAY = Duration.ofMillis(5);

	private static final int A_SECOND = 500;

	/** What the table carries out each second. */
	private static final int CAPACITY = 1050;

	private final List<AcquisitionTask> acquisitions = new ArrayList<>();

	private int throttled;

	private long second;

	private int served;

	StormTests() {
		super(new SimulatedTable());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 200 })
	void anAcquisitionThatIsTurnedAwayMakesAtMostFourCallsAndNoneAfterItsEnd(int waitMillis) {
		one().environment().let((call) -> new Course(TURNED_AWAY, true));
		storm(2, waitMillis);
		time().pass(Duration.ofSeconds(1));
		assertThat(this.acquisitions).hasSize(2 * A_SECOND)
			.allSatisfy((each) -> assertThat(refused(each)).isInstanceOf(Step.Failed.class));
		int sent = one().environment().sent();
		assertThat(sent).isBetween(2 * 2 * A_SECOND, 4 * 2 * A_SECOND);
		time().pass(Duration.ofMinutes(1));
		assertThat(one().environment().sent()).isEqualTo(sent);
	}

	@Test
	void aPermitThatIsTurnedAwayIsNotTriedAtEachSlot() {
		one().environment().let((call) -> new Course(TURNED_AWAY, true));
		one().start(LockRequest.of("lock").waitTime(Duration.ofSeconds(20)));
		time().pass(Duration.ofSeconds(10));
		int ofALock = one().environment().sent();
		one().start(LockRequest.of("semaphore").permits(100).waitTime(Duration.ofSeconds(5)));
		time().pass(Duration.ofSeconds(4));
		assertThat(one().environment().sent() - ofALock).isBetween(4, 2 * ofALock);
	}

	@Test
	void aTableThatIsBackRefusesFewCallsMore() {
		one().environment().let((call) -> new Course(TURNED_AWAY, true));
		storm(10, 200);
		one().environment().let(this::withinCapacity);
		storm(15, 200);
		assertThat(this.throttled).isBetween(1, 200);
		int granted = (int) this.acquisitions.stream().filter((each) -> handle(each) != null).count();
		assertThat(granted).isGreaterThan(14 * A_SECOND);
	}

	@Test
	void aWaiterBehindAnAcquisitionThatIsTurnedAwayIsToldTheReason() {
		one().environment().let((call) -> new Course(TURNED_AWAY, true));
		one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(20)));
		AcquisitionTask behind = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(200)));
		time().pass(Duration.ofSeconds(1));
		assertThat(refused(behind)).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("throttled this call")
					.hasMessageNotContaining("may have acquired it"));
	}

	@Test
	void aReleaseThatIsThrottledThreeTimesTakesAThirdOfASecond() {
		LeaseHandle lock = one().acquire("k");
		int before = one().environment().sent();
		one().environment().let((call) -> new Course(TURNED_AWAY, one().environment().sent() <= before + 3));
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofMillis(400));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
	}

	@Test
	void theCleanupsOfAnOutageAreBoundedAndRare() {
		one().environment().let((call) -> Course.HANGING);
		for (int each = 0; each < 1000; each++) {
			start(0);
		}
		time().pass(Duration.ofSeconds(10));
		int sent = one().environment().sent();
		time().pass(Duration.ofMinutes(1));
		assertThat(one().environment().sent() - sent).isBetween(100, 100 * 5);
	}

	/** Acquires and releases a separate lock each time, evenly spread. */
	@SuppressWarnings("FutureReturnValueIgnored") // its outcome is in the table
	private void storm(int seconds, int waitMillis) {
		for (int each = 0; each < seconds * A_SECOND; each++) {
			AcquisitionTask task = start(waitMillis);
			task.outcome().thenAccept((outcome) -> {
				if (outcome.handle() != null) {
					outcome.handle().beginRelease(ReleaseRequest.create());
				}
			});
			time().pass(Duration.ofSeconds(1).dividedBy(A_SECOND));
		}
	}

	private AcquisitionTask start(int waitMillis) {
		AcquisitionTask task = one()
			.start(LockRequest.of("k" + this.acquisitions.size()).waitTime(Duration.ofMillis(waitMillis)));
		this.acquisitions.add(task);
		return task;
	}

	private static @Nullable Object handle(AcquisitionTask task) {
		return task.outcome().isDone() ? task.outcome().join().handle() : null;
	}

	private Course withinCapacity(Step.Call call) {
		long second = time().nanos() / 1_000_000_000;
		if (second != this.second) {
			this.second = second;
			this.served = 0;
		}
		if (this.served == CAPACITY) {
			this.throttled++;
			return new Course(TURNED_AWAY, true);
		}
		this.served++;
		return Course.USUAL;
	}

}
