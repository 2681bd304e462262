/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.CallersContext;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.ReactiveLockContext;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.CoroutinesUtils;
import org.springframework.scheduling.support.DefaultScheduledTaskObservationConvention;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import org.springframework.scheduling.support.ScheduledTaskObservationDocumentation;
import org.springframework.util.ReflectionUtils;

/**
 * Runs calls that return a {@code Mono} or {@code Flux}, and calls of suspend functions,
 * which return one to the advice. Nothing happens before a subscription, and each
 * subscription has separate locks. Use it only if Reactor is on the class path.
 */
final class ReactiveCalls {

	private final Executor bodies;

	/**
	 * Creates an instance.
	 * @param bodies the executor on which bodies start, and on which subscribers are
	 * notified of their end. It must start every task at once. If it had few threads, as
	 * Reactor does, bodies could block all of them while they wait for each other's
	 * locks.
	 */
	ReactiveCalls(Executor bodies) {
		this.bodies = bodies;
	}

	/** Emits the value after the release, because a loss can replace the result. */
	Mono<?> mono(Supplier<LockedCall> calls) {
		return flux(calls).singleOrEmpty();
	}

	Flux<?> flux(Supplier<LockedCall> calls) {
		return Flux.<Object>deferContextual((context) -> {
			LockedCall locked = calls.get();
			ReactiveCall call = new ReactiveCall(locked, ReactiveLockContext.capture(context),
					CallersContext.on(locked.releasing(this.bodies), context), this.bodies);
			// The resource is available at once, so no cancellation can miss it.
			return Flux
				.<Object, ReactiveCall>usingWhen(Mono.just(call), (same) -> same.acquire().flatMapMany(same::run),
						ReactiveCall::completed, ReactiveCall::failed, ReactiveCall::cancelled)
				.onErrorMap(call::unwrapped)
				.onErrorResume(call::isRefusal, (refusal) -> call.instead());
		}).onErrorResume(LockedCall.SkippedException.class, (skipped) -> Mono.empty());
	}

	/**
	 * Runs a job like Spring's scheduler, whose class for this is not public: calls the
	 * method and subscribes to the result in this thread, in an observation.
	 * @param observations receives the observation, unless it is {@code null}
	 * @param ended receives the publisher's failure, or {@code null}
	 */
	static void subscribe(ReturnKind kind, Object proxy, Method method, @Nullable ObservationRegistry observations,
			Consumer<@Nullable Throwable> ended) {
		Publisher<?> result = (kind == ReturnKind.SUSPEND) ? CoroutinesUtils.invokeSuspendingFunction(method, proxy)
				: (Publisher<?>) ReflectionUtils.invokeMethod(method, proxy);
		ScheduledTaskObservationContext context = new ScheduledTaskObservationContext(proxy, method);
		Observation observation = ScheduledTaskObservationDocumentation.TASKS_SCHEDULED_EXECUTION.start(null,
				new DefaultScheduledTaskObservationConvention(), () -> context,
				(observations != null) ? observations : ObservationRegistry.NOOP);
		Flux.from((result != null) ? result : Flux.empty())
			.doOnComplete(() -> context.setComplete(true))
			.doOnError(observation::error)
			.doFinally((signal) -> observation.stop())
			.contextWrite((subscriber) -> subscriber.put(ObservationThreadLocalAccessor.KEY, observation))
			.subscribe((value) -> {
			}, ended, () -> ended.accept(null));
	}

	/**
	 * One subscriber's call, with its locks from the first request to the last release.
	 * However the call ends, each acquisition is given up or its lock is released. No
	 * lock is passed through an operator that might drop it.
	 */
	private static final class ReactiveCall {

		private final LockedCall call;

		private final LockContext.Snapshot outer;

		private final Executor callersContext;

		private final Executor bodies;

		private final Scheduler scheduler;

		private final LockedExecution execution;

		private final Deque<CompletableFuture<HeldLock>> acquisitions = new ConcurrentLinkedDeque<>();

		private volatile @Nullable LockNotGrantedException refusal;

		private volatile @Nullable LockLostException lost;

		private volatile boolean over;

		/** Set by the body's start or the call's end, whichever is first. */
		private final AtomicBoolean decided = new AtomicBoolean();

		/**
		 * Creates a call. Nothing is requested yet.
		 * @param call the call
		 * @param outer the locks under which the subscriber runs
		 * @param callersContext begins the releases, in the subscriber's context
		 * @param bodies the executor on which application code runs
		 */
		ReactiveCall(LockedCall call, LockContext.Snapshot outer, Executor callersContext, Executor bodies) {
			this.call = call;
			this.outer = outer;
			this.callersContext = callersContext;
			this.bodies = bodies;
			this.scheduler = Schedulers.fromExecutor(bodies);
			this.execution = call.execution();
		}

		/**
		 * Acquires all locks, except those that the subscriber has, without a waiting
		 * thread.
		 */
		Mono<LockedExecution> acquire() {
			return Flux.fromIterable(this.execution.requests())
				.concatMap(this::lock)
				.collectList()
				.flatMap(this::toBodies)
				.map(this::granted)
				.doOnError(LockNotGrantedException.class, (ex) -> this.refusal = ex)
				.onErrorMap(LockException.class, this.call::refused);
		}

		/** Moves to the body threads, unless the call has joined all of its locks. */
		private Mono<List<HeldLock>> toBodies(List<HeldLock> all) {
			Mono<List<HeldLock>> same = Mono.just(all);
			return this.acquisitions.isEmpty() ? same : same.publishOn(this.scheduler);
		}

		private Mono<HeldLock> lock(LockRequest request) {
			Optional<HeldLock> joined = this.execution.join(this.outer, request);
			if (joined.isPresent()) {
				return Mono.just(joined.get());
			}
			// With context propagation, Reactor restores the thread locals of the
			// subscriber's context in this operator, even if it does not restore them in
			// all operators. The acquisition is then observed as part of the subscriber's
			// work.
			return Mono.just(request)
				.<CompletableFuture<HeldLock>>handle((each, sink) -> sink.next(begin(each)))
				.flatMap((acquisition) -> Mono.fromFuture(acquisition, true));
		}

		@SuppressWarnings("FutureReturnValueIgnored") // giving up throws nothing
		private CompletableFuture<HeldLock> begin(LockRequest request) {
			CompletableFuture<HeldLock> acquisition = this.execution.acquireAsync(request, this.bodies);
			this.acquisitions.add(acquisition);
			if (this.over) {
				// The end of the call may have missed this acquisition.
				giveUp(acquisition);
			}
			return acquisition;
		}

		private LockedExecution granted(List<HeldLock> all) {
			this.execution.granted(all, this.acquisitions.stream().map(CompletableFuture::join).toList());
			return this.execution;
		}

		Flux<Object> run(LockedExecution granted) {
			LockContext.Snapshot inner = granted.within(this.outer);
			Flux<Object> body = Flux.defer(() -> asPublisher(invoke(inner)));
			Flux<Object> guarded = granted.isInterruptedOnLoss() ? body.takeUntilOther(loss()) : body;
			return guarded.contextWrite((context) -> ReactiveLockContext.put(context, inner));
		}

		@SuppressWarnings("NullAway") // does not see that the result's type is nullable
		private @Nullable Object invoke(LockContext.Snapshot inner) {
			if (!this.decided.compareAndSet(false, true)) {
				// The call was cancelled before its body began. Its locks are being
				// released unused.
				return Mono.empty();
			}
			try {
				Object result = this.execution.<@Nullable Object, Throwable>begin(inner,
						(locks) -> this.call.proceedAnew(locks, inner));
				return (result != null || isSuspending()) ? result : Mono.error(new IllegalStateException(
						this.call.definition().location() + " returned null; return an empty publisher instead"));
			}
			catch (Throwable ex) {
				return Mono.error(ex);
			}
		}

		/**
		 * Ends the body when a lock is lost. {@link #completed} then reports the loss,
		 * because an error here would leave the body running. Runs on another thread,
		 * because the thread that reports a loss must notify other listeners.
		 */
		private Mono<LockLostException> loss() {
			return Mono.fromFuture(this.execution.loss(), true).publishOn(this.scheduler);
		}

		boolean isRefusal(Throwable failure) {
			return failure == this.refusal;
		}

		Publisher<Object> instead() {
			try {
				return asPublisher(this.call.notGranted(Objects.requireNonNull(this.refusal, "refusal")));
			}
			catch (Throwable ex) {
				return Mono.error(ex);
			}
		}

		private boolean isSuspending() {
			return this.call.definition().returnKind() == ReturnKind.SUSPEND;
		}

		/** Wraps a plain value, which a suspend function's advice may return. */
		@SuppressWarnings("unchecked")
		private static Publisher<Object> asPublisher(@Nullable Object result) {
			return (result instanceof Publisher<?> publisher) ? (Publisher<Object>) publisher
					: Mono.justOrEmpty(result);
		}

		Mono<Void> completed() {
			return end(null, true);
		}

		Mono<Void> failed(Throwable failure) {
			return end(failure, true);
		}

		Mono<Void> cancelled() {
			boolean cut = this.call.job() != null && this.execution.isGranted();
			return end(cut ? new CancellationException("The run was cancelled") : null, false);
		}

		private Mono<Void> end(@Nullable Throwable failure, boolean listened) {
			this.over = true;
			if (this.execution.isGranted() && this.execution.isJoined()) {
				this.execution.reportOutlived();
				return Mono.empty();
			}
			return Mono.defer(() -> release(failure, listened));
		}

		/** Starts the releases. The thread that ended the call does not wait for them. */
		private Mono<Void> release(@Nullable Throwable failure, boolean listened) {
			boolean unused = this.decided.compareAndSet(false, true);
			// Read only now, because the locks of a body that has started are known here.
			boolean granted = this.execution.isGranted();
			CompletableFuture<Void> released = (unused || !granted) ? giveUp() : releaseAsync(failure);
			boolean reported = granted && (!unused || listened);
			return Mono.fromFuture(released, true)
				.publishOn(this.scheduler)
				.then(Mono.defer(() -> reported ? loss(failure) : Mono.empty()));
		}

		@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
		private CompletableFuture<Void> releaseAsync(@Nullable Throwable failure) {
			CompletableFuture<Void> released = new CompletableFuture<>();
			this.callersContext
				.execute(() -> this.execution.releaseAsync(failure).thenRun(() -> released.complete(null)));
			return released;
		}

		private Mono<Void> loss(@Nullable Throwable failure) {
			LockLostException found = this.execution.findLoss(failure);
			this.lost = found;
			return (found != null && found != failure) ? Mono.error(found) : Mono.empty();
		}

		/** Unwraps a loss that Reactor has wrapped in another exception. */
		Throwable unwrapped(Throwable failure) {
			LockLostException found = this.lost;
			return (found != null && failure.getCause() == found) ? found : failure;
		}

		private CompletableFuture<Void> giveUp() {
			return CompletableFuture
				.allOf(this.acquisitions.stream().map(this::giveUp).toArray(CompletableFuture<?>[]::new));
		}

		/** Gives up an acquisition, or releases its lock. */
		@SuppressWarnings("CollectionUndefinedEquality") // this very one
		private CompletableFuture<Void> giveUp(CompletableFuture<HeldLock> acquisition) {
			boolean mine = this.acquisitions.remove(acquisition);
			if (!mine || acquisition.cancel(false) || acquisition.isCompletedExceptionally()) {
				return CompletableFuture.completedFuture(null);
			}
			HeldLock lock = acquisition.join();
			// May wait for a heartbeat and for DynamoDB.
			return CompletableFuture.runAsync(() -> this.execution.releaseUnused(lock), this.bodies);
		}

	}

}
