/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * What may happen to a lock that is held.
 */
public class LeaseRaces {

	private final RacingClient client = new RacingClient();

	private final LeaseHandle lock;

	public LeaseRaces() {
		this(LockRequest.of(RacingClient.KEY));
	}

	LeaseRaces(LockRequest request) {
		this.lock = this.client.acquire(request);
	}

	@Operation
	public String release() {
		return this.lock.beginRelease(ReleaseRequest.create()).join().name();
	}

	@Operation
	public String releaseWithData() {
		return this.lock.beginRelease(ReleaseRequest.create().change(ItemChange.none().data(new byte[] { 1 })))
			.join()
			.name();
	}

	@Operation
	public boolean detach() throws InterruptedException {
		return this.lock.detach().fencingToken() > 0;
	}

	@Operation
	public void close() {
		this.client.endEverything(true).join();
	}

	@Operation
	public void closeWithoutReleasing() {
		this.client.endEverything(false).join();
	}

	/**
	 * Whether the lock was renewed. Why it was not is known only when a release that is
	 * under way has ended, which may find the lock lost.
	 */
	@Operation
	public boolean renew() throws InterruptedException {
		try {
			this.lock.renew(RenewRequest.create());
			return true;
		}
		catch (LockLostException ex) {
			return false;
		}
		catch (IllegalStateException ex) {
			if (String.valueOf(ex.getMessage()).contains("released by this handle")) {
				return false;
			}
			throw ex;
		}
	}

	@Operation
	public void deleteRow() {
		this.client.deleteRow();
	}

	@Operation
	public void expire() {
		this.client.environment().pass(VirtualClient.LEASE);
		this.client.environment().runWhatIsDue();
	}

	@Operation
	public boolean isHeld() {
		return this.lock.isHeld();
	}

	/** What is left when all is over: nothing of it depends on who was slower. */
	@Operation
	public String outcome() {
		LossReason loss = this.lock.lossReason().orElse(null);
		// Whether what is left of an expired lease is freed is a matter of luck.
		return this.client.ends() + ", " + ((loss == LossReason.EXPIRED) ? "expired" : this.client.row()) + ", held "
				+ this.lock.isHeld() + ", loss " + loss + ", token " + this.lock.fencingToken() + ", "
				+ this.client.environment().pending() + " timers";
	}

}
