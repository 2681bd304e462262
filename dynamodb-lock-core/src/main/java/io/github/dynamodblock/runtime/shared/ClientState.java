/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.acquire.Observations;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Environment;
import org.jspecify.annotations.Nullable;

/** The state that the acquisitions and leases of one client share. Thread-safe. */
public final class ClientState {

	/** In an outage, each acquisition may need a cleanup. */
	private static final int MOST_CLEANUPS = 100;

	private final LockLog log;

	private final ClientSettings settings;

	private final Environment environment;

	private final Observations observations;

	private final WaitQueue queue = new WaitQueue();

	private final ListenerDispatcher listeners;

	/** Nearly always one for each key, or two while the older one becomes lost. */
	private final ConcurrentMap<LockKey, List<Holding>> holdings = new ConcurrentHashMap<>();

	/**
	 * In the order in which they began, which is the order in which a closing client ends
	 * them.
	 */
	private final Set<Acquiring> acquiring = Collections.synchronizedSet(new LinkedHashSet<>());

	private final Semaphore cleanups = new Semaphore(MOST_CLEANUPS);

	/** In the order in which they were created. */
	private final Set<CompletableFuture<?>> pending = Collections.synchronizedSet(new LinkedHashSet<>());

	private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();

	private final CompletableFuture<Void> closed = new CompletableFuture<>();

	/** Whether calls and timers have ended. */
	private volatile boolean ended;

	public ClientState(ClientSettings settings, Environment environment) {
		this(settings, environment, LockLog.NONE);
	}

	public ClientState(ClientSettings settings, Environment environment, LockLog log) {
		this.log = log;
		this.settings = settings;
		this.environment = environment;
		this.observations = new Observations(settings.observationCapacity());
		this.listeners = new ListenerDispatcher(settings.listeners(), environment, log);
	}

	public LockLog log() {
		return this.log;
	}

	public ClientSettings settings() {
		return this.settings;
	}

	public Environment environment() {
		return this.environment;
	}

	public Observations observations() {
		return this.observations;
	}

	public WaitQueue queue() {
		return this.queue;
	}

	public ListenerDispatcher listeners() {
		return this.listeners;
	}

	/**
	 * Marks the client as closing, by this thread.
	 * @return {@code false} if it was closing before
	 */
	public boolean beginClosing() {
		return this.closer.compareAndSet(null, Thread.currentThread());
	}

	/** Returns whether the client is closing or closed. */
	public boolean isClosing() {
		return this.closer.get() != null;
	}

	/** Notes that all acquisitions, leases and threads have ended. */
	public void closed() {
		this.closed.complete(null);
	}

	public void awaitClosed() {
		// A callback would wait for itself, because the closing client waits for its
		// threads.
		if (this.closer.get() != Thread.currentThread() && !this.environment.runsThisThread()) {
			this.closed.join();
		}
	}

	/**
	 * Adds a future that a caller waits for and that a call or a timer completes. If the
	 * client closes first, the future fails.
	 */
	// The dependent throws nothing, and each future equals only itself.
	@SuppressWarnings({ "FutureReturnValueIgnored", "CollectionUndefinedEquality" })
	public void pending(CompletableFuture<?> future) {
		this.pending.add(future);
		future.whenComplete((value, problem) -> this.pending.remove(future));
		// In this order, either this thread sees the end or failPending() sees the
		// future.
		if (this.ended) {
			fail(future);
		}
	}

	/** Fails all pending futures, and each one that is added from now on. */
	public void failPending() {
		this.ended = true;
		List.copyOf(this.pending).forEach(this::fail);
	}

	private void fail(CompletableFuture<?> future) {
		future.completeExceptionally(new LockClientClosedException(this.settings.ownerName()));
	}

	public void forEachHolding(Consumer<Holding> action) {
		this.holdings.values().forEach((ofKey) -> ofKey.forEach(action));
	}

	public List<Holding> holdings() {
		List<Holding> all = new ArrayList<>();
		forEachHolding(all::add);
		return all;
	}

	public List<Acquiring> acquiring() {
		return List.copyOf(this.acquiring);
	}

	public void add(Acquiring acquisition) {
		this.acquiring.add(acquisition);
	}

	public void remove(Acquiring acquisition) {
		this.acquiring.remove(acquisition);
	}

	/**
	 * Adds a granted lock. Of two leases of one lock, the older one is lost. The times of
	 * the claims show which one is older, because each claim is sent after the previous
	 * grant. Fencing tokens cannot decide, because they restart after the item is
	 * deleted.
	 */
	public void add(Holding granted) {
		List<Holding> all = this.holdings.merge(granted.last().renewals().key(), List.of(granted), ClientState::both);
		if (all.size() == 1) {
			return;
		}
		all.stream().filter((each) -> isOlder(each, granted)).forEach(Holding::superseded);
		if (all.stream().anyMatch((each) -> isOlder(granted, each))) {
			granted.superseded();
		}
	}

	private static boolean isOlder(Holding one, Holding other) {
		return one.last().claimedAt() - other.last().claimedAt() < 0;
	}

	private static List<Holding> both(List<Holding> some, List<Holding> others) {
		return Stream.concat(some.stream(), others.stream()).toList();
	}

	public void remove(LockKey key, Holding ended) {
		this.holdings.computeIfPresent(key, (same, all) -> {
			List<Holding> rest = new ArrayList<>(all);
			rest.remove(ended);
			return rest.isEmpty() ? null : rest;
		});
	}

	/** Returns whether a handle of this client holds a lock now. */
	public boolean isHeld(LockKey key) {
		return this.holdings.getOrDefault(key, List.of())
			.stream()
			.anyMatch((each) -> each.at(this.environment.now()).isHeld());
	}

	/** Returns the lock that this client holds, even if its handle is closed. */
	public @Nullable LockRecord holder(LockKey key) {
		List<Holding> held = this.holdings.get(key);
		return (held == null) ? null : held.get(0).last().renewals().record();
	}

	/**
	 * Returns whether the cleanup of an acquisition may begin. If too many are in
	 * progress, the lock that it may have taken expires with its lease.
	 */
	public boolean beginCleanup() {
		return this.cleanups.tryAcquire();
	}

	public void endCleanup() {
		this.cleanups.release();
	}

	/** Starts the background read of another owner's lock, if it is enabled. */
	public void completeObservation(LockKey key) {
		Operation completion = this.settings.backgroundReads() ? this.observations.complete(key) : null;
		if (completion != null) {
			new OperationRunner(completion, this.environment, CallKind.ACQUIRE, null, (settled) -> {
			}).begin();
		}
	}

	/**
	 * Returns the result for an acquisition whose wait in the queue is over, or
	 * {@code null} if it is not known yet. It is known if a handle of this client holds
	 * the lock, or if the acquisition with the turn knows the holder.
	 */
	public Step.@Nullable End busy(LockKey key) {
		LockRecord holder = holder(key);
		if (holder != null) {
			return new Step.Denied(holder, null);
		}
		WaitQueue.Waiter ahead = this.queue.current(key);
		return (ahead == null) ? null : ahead.evidence(key);
	}

	public interface Acquiring {

		/** Returns a snapshot if its caller waits, otherwise empty. */
		Optional<WaitingAcquisition> waiting();

		/** Ends it because the client closes. */
		void close();

		/**
		 * Returns a future that is completed when it has no call or cleanup in progress.
		 */
		CompletableFuture<Void> settled();

	}

	/** A lock that this client holds, or is releasing. */
	public interface Holding {

		HeldLock handle();

		/** Returns the lease without reading the clock. */
		Lease last();

		/** Returns the lease at a time, and ends it if it is over by then. */
		Lease at(ClockReading now);

		/** Makes the lock lost, because a later grant to this client replaced it. */
		void superseded();

		/**
		 * Ends the lease because the client closes.
		 * @param releases whether to release the lock, or to let it expire
		 * @return completed when nothing more is sent for it
		 */
		CompletableFuture<ReleaseOutcome> close(boolean releases);

	}

}
