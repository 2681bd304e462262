/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Lookup;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionFuture;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.call.CallerLane;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.lease.TokenOperations;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.runtime.shared.OutageLoggingStore;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock client. Starts operations in its environment, and waits for the results of
 * blocking calls.
 */
public class DefaultLockClient implements LockClient {

	private static final Logger logger = LoggerFactory.getLogger(DefaultLockClient.class);

	private static final Duration CLOSING_TIME = Duration.ofSeconds(10);

	private static final Duration CLOSING_TIME_OF_EACH = Duration.ofMillis(10);

	/** The longest time to wait until threads have ended. */
	private static final long ENDING_NANOS = 4_000_000_000L;

	/** The share of the closing time that is reserved for threads to end. */
	private static final int ENDING_SHARE = 5;

	/** Creates states, each with a new owner name. */
	private final Supplier<ClientState> states;

	/** Each call reads it once, because a restored client gets another one. */
	private volatile ClientState state;

	/** Held by the thread that opens the client again. */
	private final ReentrantLock restoring = new ReentrantLock();

	/** Whether the client is closed for good, not for a checkpoint. */
	private volatile boolean closed;

	/**
	 * Creates a client that stays closed after a checkpoint.
	 * @param environment is closed with the client
	 */
	public DefaultLockClient(ClientSettings settings, Environment environment) {
		this(new ClientState(settings, environment));
	}

	DefaultLockClient(ClientState state) {
		this(() -> state);
	}

	private DefaultLockClient(Supplier<ClientState> states) {
		this.states = states;
		this.state = states.get();
	}

	@Override
	public HeldLock acquire(LockRequest request) throws InterruptedException {
		ClientState state = open();
		AcquisitionTerms terms = terms(state, request, state.settings().waitTime());
		return granted(terms, await(state, terms));
	}

	@Override
	public HeldLock acquireUninterruptibly(LockRequest request) {
		ClientState state = open();
		AcquisitionTerms terms = terms(state, request, state.settings().waitTime());
		try (CallerLane lane = lane(state)) {
			return granted(terms, outcome(start(state, terms, lane), lane::awaitUninterruptibly));
		}
	}

	private static HeldLock granted(AcquisitionTerms terms, AcquisitionTask.Outcome outcome) {
		if (outcome.handle() == null) {
			throw Refusals.explain(terms, outcome.end());
		}
		return outcome.handle();
	}

	@Override
	public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
		ClientState state = open();
		AcquisitionTerms terms = terms(state, request, Duration.ZERO);
		AcquisitionTask.Outcome outcome = await(state, terms);
		if (outcome.end() instanceof Step.Failed) {
			throw Refusals.explain(terms, outcome.end());
		}
		return Optional.ofNullable(outcome.handle());
	}

	private static AcquisitionTerms terms(ClientState state, LockRequest request, Duration defaultWait) {
		return state.settings().terms(request, defaultWait, state.environment().now());
	}

	private static AcquisitionTask.Outcome await(ClientState state, AcquisitionTerms terms)
			throws InterruptedException {
		CallerLane.ensureNotInterrupted();
		try (CallerLane lane = lane(state)) {
			AcquisitionTask task = start(state, terms, lane);
			try {
				return outcome(task, lane::await);
			}
			catch (InterruptedException ex) {
				task.cancel();
				throw ex;
			}
		}
	}

	/** Makes the calls of an acquisition until it ends or its time is over. */
	private static <E extends Exception> AcquisitionTask.Outcome outcome(AcquisitionTask task, Wait<E> lane) throws E {
		CompletableFuture<AcquisitionTask.Outcome> announced = task.announced();
		// Nearly always, the first call ends it at once.
		boolean ended = lane.await(announced, 0);
		// Waiting for the outcome first would wake this thread twice.
		while (!ended && !task.outcome().isDone()) {
			ended = lane.await(announced, task.nanosLeft());
			if (!ended) {
				task.onTimeout();
			}
		}
		lane.await(announced, Long.MAX_VALUE);
		return announced.join();
	}

	private static CallerLane lane(ClientState state) {
		return new CallerLane(state.environment());
	}

	/** Starts an acquisition without waiting for it. */
	static AcquisitionTask start(ClientState state, AcquisitionTerms terms, Executor thread) {
		AcquisitionTask task = new AcquisitionTask(terms, state, thread);
		// In this order, either the closing client sees the task or this thread sees the
		// close.
		state.add(task);
		if (state.isClosing()) {
			task.close();
		}
		task.begin();
		return task;
	}

	@Override
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		Objects.requireNonNull(executor, "executor");
		ClientState state = open();
		AcquisitionTerms terms = terms(state, request, state.settings().waitTime());
		AcquisitionTask task = start(state, terms, state.environment().callersContext());
		task.endInTime();
		return AcquisitionFuture.of(task, executor);
	}

	@Override
	public HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException {
		if (!request.key().equals(token.key())) {
			throw new IllegalArgumentException(
					"The request is for lock '" + request.key() + "', but the token belongs to lock '" + token.key()
							+ "'; create the request with LockRequest.of(token.key())");
		}
		ClientState state = open();
		AcquisitionTerms terms = terms(state, request, Duration.ZERO).adopting(token, state.environment().now());
		return granted(terms, await(state, terms));
	}

	@Override
	public LockToken renew(LockToken token, RenewRequest request) {
		return call(open(), (operations) -> operations.renew(token, request));
	}

	@Override
	public ReleaseOutcome release(LockToken token) {
		ClientState state = open();
		try (CallerLane lane = lane(state)) {
			return LeaseHandle.awaitRelease(token.key(), lane, new TokenOperations(state, lane).release(token),
					ReleaseRequest.create().waitTime());
		}
	}

	@Override
	public ReleaseOutcome forceRelease(LockKey key, String expectedOwner) {
		if (Objects.requireNonNull(expectedOwner, "expectedOwner").isEmpty()) {
			throw new IllegalArgumentException(
					"expectedOwner is empty; pass the ownerName() of the record that find() returns");
		}
		return call(open(), (operations) -> operations.forceRelease(key, expectedOwner));
	}

	@Override
	public LockRecord change(LockKey key, ItemChange change) {
		return call(open(), (operations) -> operations.change(key, change));
	}

	private static <T> T call(ClientState state, Function<TokenOperations, CompletableFuture<T>> operation) {
		try (CallerLane lane = lane(state)) {
			return lane.awaitUninterruptibly(operation.apply(new TokenOperations(state, lane)));
		}
	}

	@Override
	public boolean holds(LockKey key) {
		return this.state.isHeld(key);
	}

	@Override
	public List<HeldLock> held() {
		ClientState state = this.state;
		// One clock reading for all locks, because they are held together, and readings
		// are expensive.
		ClockReading now = state.environment().now();
		List<HeldLock> held = new ArrayList<>();
		state.forEachHolding((holding) -> {
			if (holding.at(now).isHeld()) {
				held.add(holding.handle());
			}
		});
		return List.copyOf(held);
	}

	@Override
	public List<WaitingAcquisition> waiting() {
		return this.state.acquiring().stream().map(ClientState.Acquiring::waiting).flatMap(Optional::stream).toList();
	}

	@Override
	public Optional<LockRecord> find(LockKey key) {
		ClientState state = open();
		state.settings().rules().checkKey(key);
		CompletableFuture<Step.End> end = new CompletableFuture<>();
		state.pending(end);
		try (CallerLane lane = lane(state)) {
			new OperationRunner(new Lookup(key, state.environment().randomness()), state.environment(), CallKind.READ,
					lane, end::complete)
				.begin();
			return found(state, lane.awaitUninterruptibly(end));
		}
	}

	private Optional<LockRecord> found(ClientState state, Step.End end) {
		if (end instanceof Step.Found found) {
			return Optional.ofNullable(found.record());
		}
		ensureOpen(state);
		throw CallerLane.again(((Step.Failed) end).failure());
	}

	@Override
	public Stream<LockRecord> list(ListRequest request) {
		ClientState state = open();
		request.partition().ifPresent(state.settings().rules()::checkPartition);
		return StreamSupport
			.stream(state.environment().store().list(request, () -> ensureOpen(state), (page) -> read(state, page)),
					false)
			.flatMap(List::stream);
	}

	private void read(ClientState state, Runnable page) {
		CompletableFuture<Void> read = new CompletableFuture<>();
		state.pending(read);
		try (CallerLane lane = lane(state)) {
			state.environment().send(new PageCall(page, read), lane);
			lane.awaitUninterruptibly(read);
		}
		catch (LockException ex) {
			// It may have failed because the client was closed.
			ensureOpen(state);
			throw ex;
		}
	}

	@Override
	public Optional<ServiceTime> serviceTime() {
		return this.state.environment().store().serviceTime();
	}

	@Override
	public Duration waitTime() {
		return this.state.settings().waitTime();
	}

	@Override
	public Optional<Duration> holdAtMost() {
		return Optional.ofNullable(this.state.settings().holdAtMost());
	}

	@Override
	public String ownerName() {
		return this.state.settings().ownerName();
	}

	@Override
	public String tableName() {
		return this.state.settings().rules().tableName();
	}

	private ClientState open() {
		ClientState state = this.state;
		ensureOpen(state);
		return state;
	}

	private void ensureOpen(ClientState state) {
		if (state.isClosing()) {
			String owner = state.settings().ownerName();
			throw this.closed ? new LockClientClosedException(owner) : LockClientClosedException.forCheckpoint(owner);
		}
	}

	@Override
	public String toString() {
		return "LockClient[ownerName=" + ownerName() + "]";
	}

	/**
	 * Creates a client for users. The client logs what happens to it and to its locks.
	 * @param settings supplies the options, with a new owner name each time
	 */
	public static LockClient open(Supplier<ClientSettings> settings, Supplier<DynamoDbLockStore> store,
			Function<LockStore, Environment> environment) {
		return new DefaultLockClient(() -> state(settings.get(), store.get(), environment));
	}

	private static ClientState state(ClientSettings settings, DynamoDbLockStore store,
			Function<LockStore, Environment> environment) {
		Environment logged = environment
			.apply(new OutageLoggingStore(store, settings, System::nanoTime, InstantSource.system()));
		LockLog log = new LockLog(logged.listeners());
		log.started(settings, store.place());
		return new ClientState(settings, logged, log);
	}

	@Override
	public void close() {
		close(true);
	}

	@Override
	public void closeWithoutReleasing() {
		close(false);
	}

	private void close(boolean releases) {
		// In this order, either afterRestore() sees the close or this thread sees the new
		// state.
		this.closed = true;
		ClientState state = this.state;
		end(state, releases, closingTime(state));
	}

	@Override
	public void beforeCheckpoint() {
		ClientState state = this.state;
		end(state, true, closingTime(state));
	}

	@Override
	public void afterRestore() {
		this.restoring.lock();
		try {
			ClientState before = this.state;
			if (before.isClosing() && !this.closed) {
				before.awaitClosed();
				ClientState next = this.states.get();
				this.state = next;
				if (this.closed) {
					end(next, true, closingTime(next));
				}
			}
		}
		finally {
			this.restoring.unlock();
		}
	}

	/**
	 * Ends everything that a client does.
	 * @param releases whether to release held locks
	 * @param time the time limit, which includes the time for threads to end
	 */
	static void end(ClientState state, boolean releases, Duration time) {
		long end = System.nanoTime() + time.toNanos();
		if (!state.beginClosing()) {
			state.awaitClosed();
			return;
		}
		try (CallerLane lane = lane(state)) {
			if (!lane.awaitUninterruptibly(endEverything(state, releases), time.minus(time.dividedBy(ENDING_SHARE)))) {
				logger.warn("Lock client '{}' closed before all releases were confirmed; the remaining locks expire "
						+ "with their leases", state.settings().ownerName());
			}
			state.environment()
				.close(Duration.ofNanos(Math.max(0, Math.min(ENDING_NANOS, end - System.nanoTime()))),
						state.listeners()::abandon);
			state.failPending();
		}
		finally {
			state.closed();
			state.log().closed(state.settings());
		}
	}

	/**
	 * Ends all acquisitions and leases.
	 * @param releases whether to release held locks
	 * @return completed when nothing more is sent
	 */
	CompletableFuture<Void> endEverything(boolean releases) {
		return endEverything(this.state, releases);
	}

	static CompletableFuture<Void> endEverything(ClientState state, boolean releases) {
		state.beginClosing();
		List<ClientState.Acquiring> acquiring = state.acquiring();
		acquiring.forEach(ClientState.Acquiring::close);
		CompletableFuture<Void> settled = allOf(acquiring.stream().map(ClientState.Acquiring::settled));
		// Ends the leases twice, because locks may have been granted in the meantime.
		return allOf(
				Stream.of(endLeases(state, releases), settled.thenCompose((nothing) -> endLeases(state, releases))));
	}

	private static CompletableFuture<Void> endLeases(ClientState state, boolean releases) {
		return allOf(state.holdings().stream().map((holding) -> holding.close(releases)));
	}

	/**
	 * Many locks need more time, because the number of simultaneous releases is limited.
	 */
	private static Duration closingTime(ClientState state) {
		return CLOSING_TIME.plus(CLOSING_TIME_OF_EACH.multipliedBy(state.holdings().size()));
	}

	private static CompletableFuture<Void> allOf(Stream<? extends CompletableFuture<?>> parts) {
		return CompletableFuture
			.allOf(parts.map((part) -> part.handle((value, problem) -> value)).toArray(CompletableFuture<?>[]::new));
	}

	/** Makes calls until a future is complete or a time has passed. */
	@FunctionalInterface
	private interface Wait<E extends Exception> {

		boolean await(CompletableFuture<?> end, long nanos) throws E;

	}

	/** The reading of a page, which occupies a call slot meanwhile. */
	private record PageCall(Runnable page, CompletableFuture<Void> read) implements StoreCall {

		@Override
		public Priority priority() {
			return new Priority(CallKind.READ);
		}

		@Override
		public boolean isWithdrawn() {
			// The client was closed, and the caller has left.
			return this.read.isDone();
		}

		@Override
		public Step.@Nullable Call next() {
			if (isWithdrawn()) {
				return null;
			}
			try {
				this.page.run();
				this.read.complete(null);
			}
			catch (Throwable ex) {
				this.read.completeExceptionally(ex);
			}
			return null;
		}

		@Override
		public void answered(Answer answer) {
			// No thread could make the call.
			this.read.completeExceptionally(new LockStoreException(
					"No thread could read the next page of locks: " + answer.cause(), answer.cause()));
		}

	}

}
