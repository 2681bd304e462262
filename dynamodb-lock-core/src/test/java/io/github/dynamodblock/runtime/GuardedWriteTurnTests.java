/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.SimulatedTransaction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Guarded writes and heartbeats of one handle, and who waits for whom.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what it gives is not looked at
class GuardedWriteTurnTests extends VirtualTimeTest {

	private final List<String> committed = new ArrayList<>();

	GuardedWriteTurnTests() {
		super(new SimulatedTable());
	}

	@Test
	void aWriteBehindAHeartbeatThatIsNotAnsweredEndsWithTheLease() {
		LeaseHandle lock = one().acquire("k");
		Fault[] slow = new Fault[20];
		Arrays.fill(slow, Fault.ANSWER_SLOW);
		one().environment().next(slow);
		lock.demand(RenewRequest.create());
		CompletableFuture<Step.End> write = commit(lock, "write", Runnable::run);
		time().pass(VirtualClient.LEASE.minusSeconds(1));
		assertThat(write).isNotDone();
		time().pass(Duration.ofSeconds(1));
		assertThat(write).isCompletedWithValue(new Step.NotHeld());
		assertThat(this.committed).isEmpty();
	}

	@Test
	void aWriteWithoutASlotEndsWithTheLease() {
		VirtualClient full = clientWithSlots("full", 1);
		LeaseHandle lock = full.acquire("k");
		full.environment().let((call) -> (call instanceof Step.Transact) ? Course.HANGING : Course.USUAL);
		commit(full.acquire("another"), "hung", Runnable::run);
		CompletableFuture<Step.End> write = commit(lock, "write", Runnable::run);
		lock.discard();
		assertThat(write).isCompletedWithValue(new Step.NotHeld());
	}

	@Test
	void theNextWriteIsSentOnceTheOneBeforeIsAnswered() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<Step.End> first = commit(lock, "first", Runnable::run);
		CompletableFuture<Step.End> second = commit(lock, "second", Runnable::run);
		time().pass(VirtualEnvironment.CALL);
		assertThat(first).isCompletedWithValueMatching((end) -> end instanceof Step.Committed);
		assertThat(second).isNotDone();
		time().pass(VirtualEnvironment.CALL);
		assertThat(second).isCompletedWithValueMatching((end) -> end instanceof Step.Committed);
		assertThat(this.committed).containsExactly("first", "second");
	}

	@Test
	void aWriteThatNoThreadMakesLetsTheNextOnePass() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<Step.End> first = commit(lock, "first", Runnable::run);
		int[] refusals = { 0 };
		CompletableFuture<Step.End> second = commit(lock, "second", (call) -> {
			if (refusals[0]++ > 0) {
				throw new OutOfMemoryError("thrown by the test");
			}
			call.run();
		});
		CompletableFuture<Step.End> third = commit(lock, "third", Runnable::run);
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		assertThat(first).isDone();
		assertThat(second).isNotDone();
		assertThat(third).isCompletedWithValueMatching((end) -> end instanceof Step.Committed);
	}

	private CompletableFuture<Step.End> commit(LeaseHandle lock, String name, Executor thread) {
		return lock.runner().commit(new SimulatedTransaction(name, () -> true, () -> this.committed.add(name)), thread);
	}

}
