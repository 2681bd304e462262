/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Observations;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.TurnTaking;

/**
 * What the acquisitions and leases of one client share. Thread-safe.
 */
final class ClientState {

	private static final int REMEMBERED_TURNS = 1_000;

	private final ClientSettings settings;

	private final Environment environment;

	private final Observations observations;

	private final TurnTaking turns = new TurnTaking(REMEMBERED_TURNS);

	private final WaitQueue queue = new WaitQueue();

	/** One for each key: whoever holds it has the key's turn. */
	private final ConcurrentMap<LockKey, LeaseHandle> handles = new ConcurrentHashMap<>();

	private final Set<AcquireLoop> acquiring = ConcurrentHashMap.newKeySet();

	ClientState(ClientSettings settings, Environment environment) {
		this.settings = settings;
		this.environment = environment;
		this.observations = new Observations(settings.observationCapacity());
	}

	ClientSettings settings() {
		return this.settings;
	}

	Environment environment() {
		return this.environment;
	}

	Observations observations() {
		return this.observations;
	}

	TurnTaking turns() {
		return this.turns;
	}

	WaitQueue queue() {
		return this.queue;
	}

	List<LeaseHandle> handles() {
		return List.copyOf(this.handles.values());
	}

	List<AcquireLoop> acquiring() {
		return List.copyOf(this.acquiring);
	}

	void add(AcquireLoop loop) {
		this.acquiring.add(loop);
	}

	void remove(AcquireLoop loop) {
		this.acquiring.remove(loop);
	}

	void add(LeaseHandle handle) {
		this.handles.put(handle.key(), handle);
	}

	void remove(LeaseHandle handle) {
		this.handles.remove(handle.key(), handle);
	}

	/**
	 * The refusal of a lock that this client itself holds, is acquiring, or has not
	 * settled yet.
	 */
	Step.End busy(LockKey key) {
		LeaseHandle handle = this.handles.get(key);
		if (handle == null && this.acquiring.stream().anyMatch((loop) -> loop.isUnsettled(key))) {
			return new Step.Failed(new LockStoreException("Lock '" + key + "' could not be acquired: DynamoDB has not "
					+ "answered an earlier call of this client for it, which may have taken the lock", null));
		}
		return new Step.Denied((handle == null) ? null : handle.record(), null);
	}

}
