/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.lease.TokenOperations;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;

/**
 * A real client in a simulated process.
 */
final class SimulatedClient {

	private static final TableSchema SCHEMA = TableSchema.of("simulated-locks");

	private static final ItemRules RULES = new ItemRules(SCHEMA);

	/** What {@link DefaultLockClient#close()} waits for its calls. */
	private static final long CLOSING_TIME = Duration.ofSeconds(10).toNanos();

	/** Too short for any lock, so that each write has to say something longer. */
	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(1);

	private final SimulatedProcess process;

	private final ClientState state;

	private final List<AcquisitionTask> begun = new ArrayList<>();

	private int starting;

	private final List<SimulatedCaller> callers = new ArrayList<>();

	/** The locks that listeners have seen acquired and not ended. */
	private int reported;

	private boolean cutShort;

	SimulatedClient(SimulatedProcess process, Duration lease, Scenario scenario) {
		this.process = process;
		LeaseTerms terms = new LeaseTerms(lease, lease.dividedBy(4), null, scenario.clockRateTolerance(), TIME_TO_LIVE,
				scenario.clockSkewBound());
		ClientSettings settings = new ClientSettings(process.toString(), terms, Duration.ofSeconds(2), null, false,
				null, 100, scenario.backgroundReads(), List.of(), RULES);
		this.state = new ClientState(settings, process);
	}

	SimulatedProcess process() {
		return this.process;
	}

	ClientState state() {
		return this.state;
	}

	TokenOperations detached() {
		return detached(this.process.background());
	}

	TokenOperations detached(Executor thread) {
		return new TokenOperations(this.state, thread);
	}

	/** What this client may hold; nothing once its process is gone. */
	List<LeaseHandle> handles() {
		return this.process.isDead() ? List.of()
				: this.state.holdings().stream().map((holding) -> (LeaseHandle) holding.handle()).toList();
	}

	/** Every acquisition that was begun. */
	List<AcquisitionTask> begun() {
		return this.begun;
	}

	/** Listeners saw a lock acquired, or ended. */
	void reported(int change) {
		this.reported += change;
	}

	int reported() {
		return this.reported;
	}

	/** The threads of the application. */
	List<SimulatedCaller> callers() {
		return this.callers;
	}

	boolean isClosing() {
		return this.process.isEnding();
	}

	AcquisitionTerms terms(LockRequest request) {
		return this.state.settings().terms(request, Duration.ZERO, this.process.now());
	}

	AcquisitionTask start(AcquisitionTerms terms, Executor thread) {
		this.starting++;
		AcquisitionTask task = DefaultLockClient.start(this.state, terms, thread);
		this.starting--;
		this.begun.add(task);
		return task;
	}

	/** Whether a thread stalls while it begins an acquisition, but for this one's. */
	boolean startsAnother(@Nullable AcquisitionTask task) {
		boolean isStarted = task == null || this.begun.contains(task);
		return this.starting > (isStarted ? 0 : 1);
	}

	/** What {@link DefaultLockClient#close()} does, without a thread that waits. */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	void close(boolean releases) {
		this.process.ending();
		DefaultLockClient.endEverything(this.state, releases)
			.whenComplete((nothing, problem) -> this.process.later(this.process.threadStart(), this::closed));
		this.process.later(CLOSING_TIME, () -> {
			this.cutShort |= !this.process.isClosed();
			closed();
		});
	}

	/** Whether it closed before all was answered, as it does after a while. */
	boolean isCutShort() {
		return this.cutShort;
	}

	private void closed() {
		if (!this.process.isClosed()) {
			this.process.close(Duration.ZERO, () -> {
			});
			this.state.failPending();
		}
	}

	@Override
	public String toString() {
		return this.process.toString();
	}

}
