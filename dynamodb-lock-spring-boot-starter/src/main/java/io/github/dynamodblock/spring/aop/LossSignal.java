/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * Tells one call that a lock which it took was lost, if its annotation wants that.
 * Thread-safe.
 */
final class LossSignal implements LockListener {

	private final boolean wanted;

	private final CompletableFuture<LockLostException> loss = new CompletableFuture<>();

	LossSignal(LockDefinition definition) {
		this(definition.onLost() == OnLost.INTERRUPT);
	}

	LossSignal(boolean wanted) {
		this.wanted = wanted;
	}

	/** Whether a loss ends the call. */
	boolean isWanted() {
		return this.wanted;
	}

	LockRequest watch(LockRequest request) {
		return this.wanted ? request.listener(this) : request;
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		this.loss.complete(new LockLostException(lock.key(), reason, lock.fencingToken()));
	}

	/** Completed with the first loss; never if none is wanted. */
	CompletableFuture<LockLostException> loss() {
		return this.loss;
	}

	/**
	 * To be asked before the body begins.
	 * @throws LockLostException if a lock is lost already
	 */
	void ensureNotLost() {
		LockLostException lost = this.loss.getNow(null);
		if (lost != null) {
			throw lost;
		}
	}

	/**
	 * What the caller is told in place of a result.
	 * @param locks the locks of the call, released
	 * @param failure what the body threw, which goes with it, or {@code null}
	 * @return the first loss, whoever noticed it; {@code null} if there is none, or none
	 * is wanted
	 */
	@Nullable LockLostException found(CallLocks locks, @Nullable Throwable failure) {
		if (!this.wanted) {
			return null;
		}
		// The listener is told in its own time, and the handle knows already.
		locks.taken().forEach((lock) -> lock.lossReason().ifPresent((reason) -> onLost(lock, reason)));
		LockLostException found = this.loss.getNow(null);
		if (found != null && failure != null && failure != found) {
			found.addSuppressed(failure);
		}
		return found;
	}

}
