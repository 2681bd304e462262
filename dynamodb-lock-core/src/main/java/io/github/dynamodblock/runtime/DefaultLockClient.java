/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock client: turns blocking calls into conversations that run in its environment.
 */
public final class DefaultLockClient implements LockClient {

	private static final Logger logger = LoggerFactory.getLogger(DefaultLockClient.class);

	private static final Duration CLOSING_TIME = Duration.ofSeconds(10);

	private static final Duration ENDING_TIME = Duration.ofSeconds(2);

	private final ClientState state;

	private final CompletableFuture<Void> closed = new CompletableFuture<>();

	private final AtomicBoolean closing = new AtomicBoolean();

	/**
	 * A client that has sent nothing yet.
	 * @param settings its settings
	 * @param environment what it runs on; it belongs to the client, which closes it
	 */
	public DefaultLockClient(ClientSettings settings, Environment environment) {
		this.state = new ClientState(settings, environment);
	}

	@Override
	public HeldLock acquire(LockRequest request) throws InterruptedException {
		AcquisitionTerms terms = terms(request, this.state.settings().waitTime());
		AcquireLoop.Told told = await(terms);
		if (told.handle() == null) {
			throw refusal(terms, told.end());
		}
		return told.handle();
	}

	@Override
	public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
		AcquisitionTerms terms = terms(request, Duration.ZERO);
		AcquireLoop.Told told = await(terms);
		if (told.end() instanceof Step.Failed) {
			throw refusal(terms, told.end());
		}
		return Optional.ofNullable(told.handle());
	}

	private AcquisitionTerms terms(LockRequest request, Duration defaultWait) {
		ensureOpen();
		return this.state.settings().terms(request, defaultWait, this.state.environment().now());
	}

	private AcquireLoop.Told await(AcquisitionTerms terms) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		AcquireLoop loop = start(terms);
		try {
			return Waiting.interruptibly(loop.told());
		}
		catch (InterruptedException ex) {
			loop.cancel();
			throw ex;
		}
	}

	/**
	 * Begins an acquisition without waiting for it.
	 * @param terms what to acquire
	 * @return the acquisition
	 */
	AcquireLoop start(AcquisitionTerms terms) {
		AcquireLoop loop = new AcquireLoop(terms, this.state);
		// In this order: either the closing client sees the loop, or the loop the
		// closing.
		this.state.add(loop);
		if (this.closing.get()) {
			loop.close();
		}
		loop.begin();
		return loop;
	}

	private static LockException refusal(AcquisitionTerms terms, Step.End end) {
		if (end instanceof Step.Failed failed) {
			// The caller wants to see its own stack; the SDK's stays in the cause.
			failed.failure().fillInStackTrace();
			return failed.failure();
		}
		Step.Denied denied = (Step.Denied) end;
		Long takeableIn = denied.takeableInNanos();
		return new LockNotGrantedException(terms.key(), Duration.ofNanos(terms.waitNanos()), denied.holder(),
				(takeableIn == null) ? null : Duration.ofNanos(takeableIn));
	}

	@Override
	public Optional<LockRecord> find(LockKey key) {
		ensureOpen();
		this.state.settings().keyCheck().accept(key);
		CompletableFuture<Answer> answer = new CompletableFuture<>();
		Step.Read read = new Step.Read(key, true, this.state.settings().lease().callLimitNanos());
		this.state.environment().calls().send(() -> read, answer::complete);
		return found(key, Waiting.uninterruptibly(answer));
	}

	private Optional<LockRecord> found(LockKey key, Answer answer) {
		if (answer instanceof Answer.Found found) {
			return Optional.ofNullable(found.record());
		}
		if (answer instanceof Answer.Failed failed) {
			failed.failure().fillInStackTrace();
			throw failed.failure();
		}
		ensureOpen();
		Answer.Unknown unknown = (Answer.Unknown) answer;
		throw new LockStoreException("Lock '" + key + "' could not be read: " + unknown.story(), unknown.origin());
	}

	@Override
	public String ownerName() {
		return this.state.settings().ownerName();
	}

	private void ensureOpen() {
		if (this.closing.get()) {
			throw new LockClientClosedException(ownerName());
		}
	}

	@Override
	public String toString() {
		return "LockClient[ownerName=" + ownerName() + "]";
	}

	@Override
	public void close() {
		if (!this.closing.compareAndSet(false, true)) {
			Waiting.uninterruptibly(this.closed);
			return;
		}
		try {
			if (!Waiting.uninterruptibly(endEverything(), CLOSING_TIME)) {
				logger.warn("Lock client '{}' closes without an answer for some of its locks; they free themselves "
						+ "when their leases end", ownerName());
			}
			this.state.environment().close(ENDING_TIME);
			this.state.handles().forEach(LeaseHandle::environmentClosed);
		}
		finally {
			this.closed.complete(null);
		}
	}

	/**
	 * Tells all callers and holders that the client closes, and frees what they hold.
	 * @return completed when nothing more is sent
	 */
	CompletableFuture<Void> endEverything() {
		this.closing.set(true);
		List<AcquireLoop> loops = this.state.acquiring();
		loops.forEach(AcquireLoop::close);
		CompletableFuture<Void> settled = allOf(loops.stream().map(AcquireLoop::settled));
		// What is granted while the client closes is held only now.
		return allOf(Stream.of(endLeases(), settled.thenCompose((nothing) -> endLeases())));
	}

	private CompletableFuture<Void> endLeases() {
		return allOf(this.state.handles().stream().map(LeaseHandle::clientClosed));
	}

	private static CompletableFuture<Void> allOf(Stream<? extends CompletableFuture<?>> parts) {
		return CompletableFuture
			.allOf(parts.map((part) -> part.handle((value, problem) -> value)).toArray(CompletableFuture<?>[]::new));
	}

}
