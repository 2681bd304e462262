/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers that leave at each point of an acquisition, in virtual time on a real table.
 */
class InterruptedAcquireTests extends VirtualTimeTest {

	/** The points of a call: before it arrives, when it has, when it is answered. */
	private static final int[] MILLIS = { 0, 4, 5, 6, 9, 10, 11 };

	private static final AttributeValue NOT_BEGUN = AttributeValue.fromN("0");

	private static final AttributeValue BEGUN = AttributeValue.fromN("1");

	InterruptedAcquireTests() {
		super(new SimulatedTable());
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void closingAtAnyPointOfAClaimUndoesWhatItChanged(Fault fault) {
		for (int millis : MILLIS) {
			String key = "closed " + millis;
			VirtualClient client = client("one", UnaryOperator.identity());
			client.environment().next(fault);
			AcquisitionTask task = client.start(undoable(LockRequest.of(key)));
			time().pass(Duration.ofMillis(millis));
			boolean delivered = task.outcome().isDone() && task.outcome().join().handle() != null;
			CompletableFuture<Void> closed = client.endEverything(true);
			time().pass(Duration.ofMinutes(1));
			assertThat(closed).isCompleted();
			assertThat(task.settled()).isDone();
			if (!delivered) {
				assertIsUndoneIfReleased(key);
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void leavingAtAnyPointOfAClaimLeavesNothingLockedForLongerThanALease(Fault fault) {
		for (LockRequest request : requests("free").toList()) {
			for (int millis : MILLIS) {
				leave(request, fault, Duration.ofMillis(millis));
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void leavingAtAnyPointOfAWaitLeavesNothingLockedForLongerThanALease(Fault fault) {
		for (int millis : IntStream.of(0, 10, 30, 50, 60, 70, 100).toArray()) {
			LeaseHandle other = two().acquire("held");
			AcquisitionTask task = one().start(undoable(LockRequest.of("held")).waitTime(Duration.ofMinutes(5)));
			time().pass(Duration.ofMillis(100));
			two().release(other);
			one().environment().next(fault);
			time().pass(Duration.ofMillis(millis));
			task.cancel();
			isFreeWithinALease(task, "held");
		}
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void leavingAtAnyPointOfATakeoverLeavesNothingLockedForLongerThanALease(Fault fault) {
		for (int millis : MILLIS) {
			LeaseHandle dead = two().acquire(LockRequest.of("dead").automaticRenewal(false));
			AcquisitionTask task = one().start(undoable(LockRequest.of("dead")).waitTime(Duration.ofMinutes(5)));
			// The claim begins one lease after the answer of the first call.
			time().pass(LEASE.plus(VirtualEnvironment.CALL));
			one().environment().next(fault);
			time().pass(Duration.ofMillis(millis));
			task.cancel();
			assertThat(dead.isHeld()).isFalse();
			isFreeWithinALease(task, "dead");
		}
	}

	private void leave(LockRequest request, Fault fault, Duration after) {
		one().environment().next(fault);
		AcquisitionTask task = one().start(request);
		time().pass(after);
		task.cancel();
		isFreeWithinALease(task, request.key().partition());
	}

	private void isFreeWithinALease(AcquisitionTask task, String key) {
		one().environment().forgetFaults();
		if (task.outcome().join().end() instanceof Step.Granted) {
			assertThat(granted(task).isHeld()).isFalse();
		}
		// Whatever was under way has been answered, or is not waited for any more.
		time().pass(Duration.ofSeconds(7));
		assertIsUndoneIfReleased(key);
		AcquisitionTask next = two().start(LockRequest.of(key).waitTime(Duration.ofMinutes(5)));
		time().pass(LEASE.plusSeconds(1));
		LeaseHandle lock = granted(next);
		time().pass(Duration.ofSeconds(30));
		assertThat(task.settled()).isDone();
		assertThat(lock.isHeld()).isTrue();
		two().release(lock);
		assertThat(time().pending()).isZero();
	}

	private void assertIsUndoneIfReleased(String key) {
		one().found(key).filter((found) -> !found.ownerName().equals("two")).ifPresent((found) -> {
			assertThat(found.attributes().get("attempt")).isEqualTo(found.isReleased() ? NOT_BEGUN : BEGUN);
			assertThat(found.attributes().containsKey("before")).isNotEqualTo(found.isReleased());
		});
	}

	private static LockRequest undoable(LockRequest request) {
		ItemChange undo = ItemChange.none().attribute("attempt", NOT_BEGUN).removeAttributes("before");
		return request.change(ItemChange.none().attribute("attempt", BEGUN).copy("attempt", "before", NOT_BEGUN))
			.keptItem(KeptItem.create().undo(undo));
	}

	private static Stream<LockRequest> requests(String key) {
		LockRequest request = undoable(LockRequest.of(key));
		return Stream.of(request, request.waitTime(Duration.ofMinutes(5)), request.holdAtLeast(Duration.ofDays(1)));
	}

}
