/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Two listeners of one request, of which the second is told even if the first throws.
 */
final class BothListeners implements LockListener {

	private final LockListener first;

	private final LockListener second;

	BothListeners(LockListener first, LockListener second) {
		this.first = first;
		this.second = second;
	}

	private void tell(Consumer<LockListener> event) {
		try {
			event.accept(this.first);
		}
		finally {
			event.accept(this.second);
		}
	}

	@Override
	public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
		tell((listener) -> listener.onWaiting(request, holder));
	}

	@Override
	public void onAcquired(HeldLock lock) {
		tell((listener) -> listener.onAcquired(lock));
	}

	@Override
	public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
		tell((listener) -> listener.onTakenOver(lock, previous, silent));
	}

	@Override
	public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
		tell((listener) -> listener.onAcquireFailed(request, waited, reason));
	}

	@Override
	public void onRenewed(HeldLock lock) {
		tell((listener) -> listener.onRenewed(lock));
	}

	@Override
	public void onRenewalFailed(HeldLock lock, Throwable cause) {
		tell((listener) -> listener.onRenewalFailed(lock, cause));
	}

	@Override
	public void onExpiring(HeldLock lock) {
		tell((listener) -> listener.onExpiring(lock));
	}

	@Override
	public void onRecovered(HeldLock lock) {
		tell((listener) -> listener.onRecovered(lock));
	}

	@Override
	public void onReleased(HeldLock lock) {
		tell((listener) -> listener.onReleased(lock));
	}

	@Override
	public void onReleaseFailed(HeldLock lock, LockException cause) {
		tell((listener) -> listener.onReleaseFailed(lock, cause));
	}

	@Override
	public void onDetached(HeldLock lock) {
		tell((listener) -> listener.onDetached(lock));
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		tell((listener) -> listener.onLost(lock, reason));
	}

}
