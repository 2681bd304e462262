/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * An initiator that has stopped only when its thread has: the candidate's work has ended,
 * the lock is given back and the candidate was told, while the beans that it works with
 * are still there.
 */
final class GracefulLeaderInitiator extends LockRegistryLeaderInitiator {

	/** The ends of what the initiator runs now. */
	private final Set<CompletableFuture<Void>> running = ConcurrentHashMap.newKeySet();

	GracefulLeaderInitiator(LockRegistry<?> locks, Candidate candidate) {
		super(locks, candidate);
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("lock-leadership-");
		executor.setTaskDecorator(this::tracked);
		setTaskExecutor(executor);
	}

	private Runnable tracked(Runnable task) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		this.running.add(end);
		return () -> {
			try {
				task.run();
			}
			finally {
				this.running.remove(end);
				end.complete(null);
			}
		};
	}

	/**
	 * The context waits for the callback, as long as a phase of its shutdown may take.
	 */
	@Override
	public void stop(Runnable callback) {
		stop();
		CompletableFuture.allOf(this.running.toArray(CompletableFuture<?>[]::new)).thenRun(callback);
	}

}
