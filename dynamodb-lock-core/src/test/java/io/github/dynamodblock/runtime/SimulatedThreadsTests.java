/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.runtime.SimulatedThreads.Task;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the simulation says of threads and locks, so that its findings can be trusted.
 */
class SimulatedThreadsTests {

	private final SimulatedThreads threads = new SimulatedThreads();

	private final List<String> violations = new ArrayList<>();

	private final List<String> order = new ArrayList<>();

	@AfterEach
	void endThreads() {
		this.threads.end();
	}

	@Test
	void aThreadThatStallsLetsTheOthersGoOnUntilItIsContinued() {
		Task stalled = stallBetween("first", "last");
		this.order.add("meanwhile");
		this.threads.continueIfStalled(stalled);
		assertThat(this.order).containsExactly("first", "meanwhile", "last");
	}

	@Test
	void aThreadThatStallsWhenTheRunIsOverEnds() {
		Task stalled = stallBetween("first", "never");
		this.threads.end();
		assertThat(this.threads.isStalled(stalled)).isFalse();
		assertThat(this.order).containsExactly("first");
	}

	@Test
	void whoNeedsALockLetsItsStalledHolderGoOnFirst() {
		SimulatedLock lock = lock();
		this.threads.begin(() -> {
			lock.lock();
			try {
				this.threads.stall();
				this.order.add("holder");
			}
			finally {
				lock.unlock();
			}
		}, 0);
		lock.lock();
		try {
			this.order.add("next");
			assertThat(this.threads.current().holdsLocks()).isTrue();
		}
		finally {
			lock.unlock();
		}
		assertThat(this.order).containsExactly("holder", "next");
		assertThat(this.violations).isEmpty();
	}

	@Test
	void aDeadlockIsAViolationAndDoesNotHang() {
		SimulatedLock one = lock();
		SimulatedLock other = lock();
		this.threads.begin(() -> {
			one.lock();
			this.threads.stall();
			other.lock();
		}, 0);
		other.lock();
		assertThatIllegalStateException().isThrownBy(one::lock).withMessage("deadlock");
		assertThat(this.violations).containsExactly("two threads of a client wait for each other's locks");
	}

	private Task stallBetween(String before, String after) {
		List<Task> task = new ArrayList<>();
		this.threads.begin(() -> {
			task.add(this.threads.current());
			this.order.add(before);
			this.threads.stall();
			this.order.add(after);
		}, 0);
		return task.get(0);
	}

	private SimulatedLock lock() {
		return new SimulatedLock(this.threads, this.violations::add);
	}

}
