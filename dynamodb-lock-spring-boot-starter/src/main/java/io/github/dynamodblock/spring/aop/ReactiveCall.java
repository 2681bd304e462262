/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ReactiveLockContext;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What one subscriber has asked for: its locks from the first request to the last
 * release. Whatever ends it, each acquisition that was begun is either given up or its
 * lock released; no lock goes through an operator that might drop it.
 */
final class ReactiveCall {

	private final LockedCall call;

	private final LockContext.Snapshot outer;

	private final Scheduler releases;

	private final Scheduler bodies;

	private final LossSignal signal;

	private final WaitLimit limit;

	private final Deque<CompletableFuture<HeldLock>> acquisitions = new ConcurrentLinkedDeque<>();

	private volatile @Nullable CallLocks locks;

	private volatile @Nullable LockNotGrantedException refusal;

	private volatile @Nullable LockLostException lost;

	private volatile boolean over;

	/** Set by the body's beginning or the call's end, whichever is first. */
	private final AtomicBoolean decided = new AtomicBoolean();

	/**
	 * Nothing is asked for yet.
	 * @param call the call
	 * @param outer the locks under which the subscriber runs
	 * @param releases where grants are received and locks given back; no code of the
	 * application runs there
	 * @param bodies where that code runs
	 */
	ReactiveCall(LockedCall call, LockContext.Snapshot outer, Scheduler releases, Scheduler bodies) {
		this.call = call;
		this.outer = outer;
		this.releases = releases;
		this.bodies = bodies;
		this.signal = new LossSignal(call.definition());
		this.limit = new WaitLimit(call);
	}

	/**
	 * Takes all locks, but for those that the subscriber has, without a thread waiting.
	 */
	Mono<CallLocks> acquire() {
		return Flux.fromIterable(this.call.keys())
			.concatMap(this::lock)
			.collectList()
			.flatMap(this::toBodies)
			.map(this::granted)
			.doOnError(LockNotGrantedException.class, (ex) -> this.refusal = ex);
	}

	/** A call that joined all of its locks goes on where its subscriber is. */
	private Mono<List<HeldLock>> toBodies(List<HeldLock> all) {
		Mono<List<HeldLock>> same = Mono.just(all);
		return this.acquisitions.isEmpty() ? same : same.publishOn(this.bodies);
	}

	private Mono<HeldLock> lock(LockKey key) {
		Optional<HeldLock> held = this.outer.find(this.call.client(), key);
		if (held.isPresent()) {
			held.get().ensureHeld();
			return Mono.just(held.get());
		}
		// With context propagation, Reactor restores the thread locals of the
		// subscriber's context in this operator, also where it does not in all of them:
		// the acquisition is then observed within what the subscriber does.
		return Mono.just(key)
			.<CompletableFuture<HeldLock>>handle((each, sink) -> sink.next(begin(each)))
			.flatMap((acquisition) -> Mono.fromFuture(acquisition, true));
	}

	private CompletableFuture<HeldLock> begin(LockKey key) {
		LockClient client = this.call.client();
		CompletableFuture<HeldLock> acquisition = MissingResults.requireFuture(
				client.acquireAsync(this.signal.watch(this.limit.request(key)), this.releases::schedule), client);
		this.acquisitions.add(acquisition);
		if (this.over) {
			// Whatever ended the call may not have seen this one.
			giveUp(acquisition);
		}
		return acquisition;
	}

	private CallLocks granted(List<HeldLock> all) {
		BlockingCalls.ensureAllHeld(all);
		List<HeldLock> taken = this.acquisitions.stream().map(CompletableFuture::join).toList();
		CallLocks granted = new CallLocks(this.call.definition(), all, taken);
		this.locks = granted;
		return granted;
	}

	/** Runs a body that gives one value or none. */
	Mono<Object> mono(CallLocks granted) {
		LockContext.Snapshot inner = this.outer.with(this.call.client(), granted.all());
		Mono<Object> body = Mono.defer(() -> asMono(invoke(granted, inner)));
		Mono<Object> guarded = this.signal.isWanted() ? body.takeUntilOther(loss()) : body;
		return guarded.contextWrite((context) -> ReactiveLockContext.put(context, inner));
	}

	/** Runs a body that gives any number of values. */
	Flux<Object> flux(CallLocks granted) {
		LockContext.Snapshot inner = this.outer.with(this.call.client(), granted.all());
		Flux<Object> body = Flux.defer(() -> asPublisher(invoke(granted, inner)));
		Flux<Object> guarded = this.signal.isWanted() ? body.takeUntilOther(loss()) : body;
		return guarded.contextWrite((context) -> ReactiveLockContext.put(context, inner));
	}

	private @Nullable Object invoke(CallLocks granted, LockContext.Snapshot inner) {
		if (!this.decided.compareAndSet(false, true)) {
			// Cancelled before it began: its locks are being given back unused.
			return Mono.empty();
		}
		try (LockContext.Scope scope = inner.open()) {
			this.signal.ensureNotLost();
			Object result = this.call.proceedAnew(granted.all());
			return (result != null || isSuspending()) ? result : Mono.error(new IllegalStateException(
					this.call.definition().location() + " returned null; return an empty publisher for no value"));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/**
	 * Ends the body, for {@link #completed} to say why: an error here would leave the
	 * body running. On another thread, since whoever tells of a loss has others to tell.
	 */
	private Mono<LockLostException> loss() {
		return Mono.fromFuture(this.signal.loss(), true).publishOn(this.bodies);
	}

	boolean isRefusal(Throwable failure) {
		return failure == this.refusal;
	}

	Mono<Object> monoInstead() {
		return asMono(instead());
	}

	Flux<Object> fluxInstead() {
		return Flux.from(asPublisher(instead()));
	}

	private @Nullable Object instead() {
		try {
			return this.call.notGranted(Objects.requireNonNull(this.refusal, "refusal"));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private boolean isSuspending() {
		return this.call.definition().returnKind() == ReturnKind.SUSPEND;
	}

	/** A suspend function's advice may answer with a plain value. */
	@SuppressWarnings("unchecked")
	private static Mono<Object> asMono(@Nullable Object result) {
		return (result instanceof Mono<?> mono) ? (Mono<Object>) mono : Mono.justOrEmpty(result);
	}

	@SuppressWarnings("unchecked")
	private static Publisher<Object> asPublisher(@Nullable Object result) {
		return (result != null) ? (Publisher<Object>) result : Flux.empty();
	}

	Mono<Void> completed() {
		return end(null, true);
	}

	Mono<Void> failed(Throwable failure) {
		return end(failure, true);
	}

	Mono<Void> cancelled() {
		return end(null, false);
	}

	private Mono<Void> end(@Nullable Throwable failure, boolean listened) {
		this.over = true;
		CallLocks granted = this.locks;
		if (granted != null && granted.taken().isEmpty()) {
			granted.reportOutlived();
			return Mono.empty();
		}
		Mono<Void> release = Mono.defer(() -> release(failure, listened));
		// A release may wait for DynamoDB, and whoever ended the call must not.
		return release.subscribeOn(this.releases).publishOn(this.bodies);
	}

	private Mono<Void> release(@Nullable Throwable failure, boolean listened) {
		boolean unused = this.decided.compareAndSet(false, true);
		// Read after that: a body that has begun has its locks here.
		CallLocks granted = this.locks;
		if (unused || granted == null) {
			new ArrayList<>(this.acquisitions).forEach(this::giveUp);
		}
		else {
			granted.release(failure);
		}
		if (granted == null || (unused && !listened)) {
			return Mono.empty();
		}
		LockLostException found = this.signal.found(granted, failure);
		this.lost = found;
		return (found != null && found != failure) ? Mono.error(found) : Mono.empty();
	}

	/** Reactor wraps what {@link #completed} and {@link #failed} say. */
	Throwable unwrapped(Throwable failure) {
		LockLostException found = this.lost;
		return (found != null && failure.getCause() == found) ? found : failure;
	}

	/** Gives up an acquisition, or the lock that it has brought. */
	@SuppressWarnings("CollectionUndefinedEquality") // this very one
	private void giveUp(CompletableFuture<HeldLock> acquisition) {
		boolean mine = this.acquisitions.remove(acquisition);
		if (mine && !acquisition.cancel(false) && !acquisition.isCompletedExceptionally()) {
			UnusedLocks.release(this.call.client(), this.call.definition(), acquisition.join());
		}
	}

}
