/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock: {@link DistributedLock} without an annotation. The lock is
 * acquired before the body begins and released when it has ended. Immutable and
 * thread-safe; every method that sets something returns a new template.
 *
 * <pre class="code">
 * Receipt receipt = lockTemplate.execute("orders:" + order.id(), (lock) -&gt; fulfil(order));
 *
 * lockTemplate.waitTime(Duration.ofSeconds(5))
 *     .executeWithoutResult("accounts:" + id, (lock) -&gt; write(id, lock.fencingToken()));
 *
 * boolean ran = lockTemplate.holdAtLeast(Duration.ofMinutes(1))
 *     .executeIfFreeWithoutResult("nightly-report", (lock) -&gt; report());
 * </pre>
 *
 * <p>
 * <b>The lock.</b> A text is the key as annotated methods have it: {@link #keyPrefix} and
 * {@link #sortKey}, which the auto-configured template takes from the properties, are
 * added. {@code "orders:42"} is the lock of a method with {@code name = "orders"} and a
 * key that gives 42. What the template leaves open is the client's.
 *
 * <p>
 * <b>Nested calls.</b> Where the thread runs under the lock already, because of a
 * template or an annotation with the same client and key, the body runs at once under the
 * lock as it is: nothing is sent, waited for or released. {@link LockContext#current()}
 * is the lock inside the body.
 *
 * <p>
 * <b>Asynchronous results.</b> The lock ends when the body returns. A future, a publisher
 * or another asynchronous or lazy result, such as a stream or a {@code Callable}, is not
 * covered by it from then on; a WARN says so unless its work is done. Wait for it inside
 * the body, or annotate a method that declares it.
 *
 * <p>
 * <b>Exceptions.</b> What the body throws reaches the caller as it is; what the body
 * returns is returned. A body that throws a checked exception is run by
 * {@link #executeChecked} or {@link #executeIfFreeChecked}, which throw the same. A
 * release that fails, or finds that the lock was lost, is logged, and suppressed into the
 * body's exception if there is one. If the thread is interrupted while it waits,
 * {@link LockWaitInterruptedException} is thrown, with the interrupt flag set.
 */
public class LockTemplate {

	private final LockClient lockClient;

	private final String keyPrefix;

	private final @Nullable String sortKey;

	private final UnaryOperator<LockRequest> options;

	/**
	 * Creates a template that leaves everything to the client.
	 * @param lockClient what grants the locks; stays the caller's
	 */
	public LockTemplate(LockClient lockClient) {
		this(Objects.requireNonNull(lockClient, "lockClient"), "", null, UnaryOperator.identity());
	}

	private LockTemplate(LockClient lockClient, String keyPrefix, @Nullable String sortKey,
			UnaryOperator<LockRequest> options) {
		this.lockClient = lockClient;
		this.keyPrefix = keyPrefix;
		this.sortKey = sortKey;
		this.options = options;
	}

	/**
	 * Sets what is put before every key that is given as a text.
	 * @param keyPrefix the prefix; empty unless set
	 * @return a template with this prefix
	 */
	public LockTemplate keyPrefix(String keyPrefix) {
		Objects.requireNonNull(keyPrefix, "keyPrefix");
		return new LockTemplate(this.lockClient, keyPrefix, this.sortKey, this.options);
	}

	/**
	 * Sets the sort key of every lock whose key is given as a text.
	 * @param sortKey the sort key, or {@code null}, which is the default, for a table
	 * without one
	 * @return a template with this sort key
	 */
	public LockTemplate sortKey(@Nullable String sortKey) {
		return new LockTemplate(this.lockClient, this.keyPrefix, sortKey, this.options);
	}

	/**
	 * Sets what metrics, events and logs call the locks of this template. Never part of a
	 * lock's key.
	 * @param name the name, not blank; a few for the whole application, since metrics are
	 * tagged by it
	 * @return a template with this name
	 * @throws IllegalArgumentException if the name is blank
	 */
	public LockTemplate name(String name) {
		return options((request) -> request.name(name));
	}

	/**
	 * Sets how long {@code execute} waits while others hold the lock.
	 * @param waitTime the time, not negative; the client's unless set
	 * @return a template with this wait time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LockTemplate waitTime(Duration waitTime) {
		return options((request) -> request.waitTime(waitTime));
	}

	/**
	 * Sets how long a lock outlives its last heartbeat. It does not limit how long the
	 * body may run.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days; the
	 * client's unless set
	 * @return a template with this lease
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public LockTemplate leaseDuration(Duration leaseDuration) {
		return options((request) -> request.leaseDuration(leaseDuration));
	}

	/**
	 * Sets how long, from the acquisition on, a lock stays held even if the body ends
	 * earlier. The caller does not wait for it.
	 * @param holdAtLeast the time, from zero, which is the default, to 365 days
	 * @return a template with this time
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockTemplate holdAtLeast(Duration holdAtLeast) {
		return options((request) -> request.holdAtLeast(holdAtLeast));
	}

	/**
	 * Sets how long a lock is held at most; see {@link LockRequest#holdAtMost}.
	 * @param holdAtMost the time, at least 100 ms
	 * @return a template with this limit
	 */
	public LockTemplate holdAtMost(Duration holdAtMost) {
		return options((request) -> request.holdAtMost(holdAtMost));
	}

	/**
	 * Sets options that have no method of the template, such as a lock's data.
	 * @param options applied to every request, after those set before
	 * @return a template with these options
	 * @throws IllegalArgumentException if an option is refused
	 */
	public LockTemplate options(UnaryOperator<LockRequest> options) {
		UnaryOperator<LockRequest> all = (request) -> options.apply(this.options.apply(request));
		// What is refused is refused here, whatever the key.
		Objects.requireNonNull(all.apply(LockRequest.of("any")), "options returned null");
		return new LockTemplate(this.lockClient, this.keyPrefix, this.sortKey, all);
	}

	/**
	 * Runs code under a lock, waiting for the lock as long as the template, or else the
	 * client, says.
	 * @param <T> the result
	 * @param key the lock, without the prefix
	 * @param body what to run
	 * @return what the body returned
	 * @throws LockNotGrantedException if others held the lock all that time; it says who
	 * @throws LockWaitInterruptedException if the thread is interrupted while it waits
	 * @throws LockLostException if the thread ran under the lock already, and lost it
	 * @throws IllegalArgumentException if no lock can have this key
	 * @see LockClient#acquire(LockRequest) what else goes wrong
	 */
	public <T extends @Nullable Object> T execute(String key, Function<HeldLock, T> body) {
		return executeChecked(key, body::apply);
	}

	/**
	 * Like {@link #execute(String, Function)}, for a body that throws a checked
	 * exception.
	 * @param <T> the result
	 * @param <E> the checked exception of the body
	 * @param key the lock, without the prefix
	 * @param body what to run
	 * @return what the body returned
	 * @throws E what the body threw
	 */
	public <T extends @Nullable Object, E extends Throwable> T executeChecked(String key, LockedFunction<T, E> body)
			throws E {
		LockedExecution execution = execution(request(key));
		execution.acquire();
		return execution.execute((locks) -> body.apply(locks.get(0)));
	}

	/**
	 * Like {@link #execute(String, Function)}, for a body without a result.
	 * @param key the lock, without the prefix
	 * @param body what to run
	 */
	public void executeWithoutResult(String key, Consumer<HeldLock> body) {
		execute(key, withoutResult(body));
	}

	/**
	 * Runs code under a lock if no other client holds it: one attempt, whatever the wait
	 * time of the template.
	 * @param <T> the result
	 * @param key the lock, without the prefix
	 * @param body what to run
	 * @return what the body returned; empty if that is {@code null} or the body did not
	 * run
	 * @throws LockWaitInterruptedException if the thread is interrupted meanwhile
	 * @throws LockLostException if the thread ran under the lock already, and lost it
	 * @throws IllegalArgumentException if no lock can have this key
	 * @see LockClient#acquire(LockRequest) what else goes wrong
	 */
	public <T> Optional<T> executeIfFree(String key, Function<HeldLock, @Nullable T> body) {
		return executeIfFreeChecked(key, body::apply);
	}

	/**
	 * Like {@link #executeIfFree(String, Function)}, for a body that throws a checked
	 * exception.
	 * @param <T> the result
	 * @param <E> the checked exception of the body
	 * @param key the lock, without the prefix
	 * @param body what to run
	 * @return what the body returned; empty if that is {@code null} or the body did not
	 * run
	 * @throws E what the body threw
	 */
	public <T, E extends Throwable> Optional<T> executeIfFreeChecked(String key, LockedFunction<@Nullable T, E> body)
			throws E {
		LockedExecution execution = execution(request(key).waitTime(Duration.ZERO));
		try {
			execution.acquire();
		}
		catch (LockNotGrantedException ex) {
			return Optional.empty();
		}
		return Optional.ofNullable(execution.<@Nullable T, E>execute((locks) -> body.apply(locks.get(0))));
	}

	/**
	 * Like {@link #executeIfFree(String, Function)}, for a body without a result.
	 * @param key the lock, without the prefix
	 * @param body what to run
	 * @return whether the body ran
	 */
	public boolean executeIfFreeWithoutResult(String key, Consumer<HeldLock> body) {
		return executeIfFree(key, withoutResult(body)).isPresent();
	}

	private static Function<HeldLock, Boolean> withoutResult(Consumer<HeldLock> body) {
		return (lock) -> {
			body.accept(lock);
			return true;
		};
	}

	private LockedExecution execution(LockRequest request) {
		return new LockedExecution(this.lockClient, "the body of a LockTemplate", List.of(request), false);
	}

	private LockRequest request(String key) {
		if (key.isBlank()) {
			throw new IllegalArgumentException("key is \"" + LogText.of(key) + "\"; a lock's key must not be blank");
		}
		return this.options.apply(LockRequest.of(new LockKey(this.keyPrefix + key, this.sortKey)));
	}

}
