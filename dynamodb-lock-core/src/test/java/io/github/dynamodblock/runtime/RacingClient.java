/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * A real client of one lock, which any number of threads use at once.
 */
final class RacingClient implements LockListener {

	static final LockKey KEY = LockKey.of("k");

	private static final TableSchema SCHEMA = TableSchema.of("simulated-locks");

	private final SimulatedTable table = new SimulatedTable();

	private final RacingEnvironment environment = new RacingEnvironment(this.table);

	private final Queue<String> ends = new ConcurrentLinkedQueue<>();

	private final ClientSettings settings = new ClientSettings("one", VirtualClient.TERMS, Duration.ofSeconds(15), null,
			false, null, 10, false, List.of(this), new ItemRules(SCHEMA));

	private final ClientState state = new ClientState(this.settings, this.environment);

	RacingEnvironment environment() {
		return this.environment;
	}

	CompletableFuture<Void> endEverything(boolean releases) {
		return DefaultLockClient.endEverything(this.state, releases);
	}

	AcquisitionTask start(LockRequest request) {
		return DefaultLockClient.start(this.state, this.settings.terms(request, Duration.ZERO, this.environment.now()),
				this.environment.callersContext());
	}

	/** Acquires a lock that is known to be free. */
	LeaseHandle acquire(LockRequest request) {
		return Objects.requireNonNull(start(request).outcome().join().handle());
	}

	/** Somebody else deletes the lock's item. */
	void deleteRow() {
		synchronized (this.table) {
			this.table.delete(KEY);
		}
	}

	/** Whether a transaction with this condition would be committed now. */
	boolean holds(ConditionCheck check) {
		return this.table.guardedWrite(SimulatedTable.guard(KEY, check));
	}

	/** How leases ended, as the listener was told. */
	String ends() {
		return this.ends.toString();
	}

	/** What the table says of the lock. */
	String row() {
		LockRecord row = this.table.lock(KEY);
		if (row == null || row.isReleased()) {
			return (row != null && row.data().isPresent()) ? "free with data" : "free";
		}
		return "held";
	}

	@Override
	public void onReleased(HeldLock lock) {
		this.ends.add("released");
	}

	@Override
	public void onReleaseFailed(HeldLock lock, LockException cause) {
		this.ends.add("release failed");
	}

	@Override
	public void onDetached(HeldLock lock) {
		this.ends.add("detached");
	}

	@Override
	public void onLost(HeldLock lock, LossReason reason) {
		this.ends.add("lost " + reason);
	}

}
