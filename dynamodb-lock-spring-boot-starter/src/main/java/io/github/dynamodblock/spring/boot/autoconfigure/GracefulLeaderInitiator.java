/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * An initiator that has stopped only when its thread has: the candidate's work has ended,
 * the lock is released and the candidate was notified, while the beans that it works with
 * are still there.
 */
class GracefulLeaderInitiator extends LockRegistryLeaderInitiator {

	/** Completed when what the initiator runs has ended. */
	private final AtomicReference<CompletableFuture<?>> ended = new AtomicReference<>(CompletableFuture.allOf());

	/** Those in which it runs. */
	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	GracefulLeaderInitiator(LockRegistry<?> locks, Candidate candidate) {
		super(locks, candidate);
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("lock-leadership-");
		executor.setTaskDecorator(this::tracked);
		setTaskExecutor(executor);
	}

	private Runnable tracked(Runnable task) {
		CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
		// A task may begin the next one before it ends.
		this.ended.updateAndGet((before) -> CompletableFuture.allOf(before, end));
		return () -> {
			this.threads.add(Thread.currentThread());
			try {
				task.run();
			}
			finally {
				this.threads.remove(Thread.currentThread());
				end.complete(null);
			}
		};
	}

	/**
	 * The context waits for the callback, as long as a phase of its shutdown may take. It
	 * does not wait for a thread that waits for the context itself.
	 */
	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	public void stop(Runnable callback) {
		if (this.threads.contains(Thread.currentThread())) {
			stopFromWithin();
			callback.run();
			return;
		}
		stop();
		if (this.threads.stream().anyMatch(GracefulLeaderInitiator::endsTheProcess)) {
			callback.run();
			return;
		}
		Objects.requireNonNull(this.ended.get()).thenRun(callback);
	}

	/** The leader's work closes the context, and must go on to do so undisturbed. */
	private void stopFromWithin() {
		boolean interrupted = Thread.interrupted();
		stop();
		// Takes the interrupt back that stopping has sent to this thread.
		Thread.interrupted();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** A thread that calls {@code System.exit} waits for the shutdown to end. */
	private static boolean endsTheProcess(Thread thread) {
		return Arrays.stream(thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals(Runtime.class.getName())
					&& frame.getMethodName().equals("exit"));
	}

}
