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
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock, as {@link DistributedLock} runs methods. The lock is acquired
 * before the body starts and released when it ends. Immutable and thread-safe; every
 * method that sets an option returns a new template.
 *
 * <pre class="code"> Receipt receipt = lockTemplate.execute("orders:" + order.id(),
 * (lock) -&gt; fulfil(order));
 *
 * lockTemplate.waitTime(Duration.ofSeconds(5)) .executeWithoutResult("accounts:" + id,
 * (lock) -&gt; write(id, lock.fencingToken()));
 *
 * boolean ran = lockTemplate.holdAtLeast(Duration.ofMinutes(1))
 * .executeIfFreeWithoutResult("nightly-report", (lock) -&gt; report()); </pre>
 *
 * <p>
 * <b>The lock.</b> As for annotated methods, {@link #keyPrefix} and {@link #sortKey} are
 * added to the key. The auto-configured template takes both from the properties.
 * {@code "orders:42"} is the lock of a method with {@code name = "orders"} and a key with
 * the value 42. Unset options fall back to the client's.
 *
 * <p>
 * <b>Nested calls.</b> If the thread already runs under the lock, because of a template
 * or an annotation with the same client and key, the body joins that lock. Nothing is
 * sent, awaited or released. Inside the body, {@link LockContext#current()} returns the
 * lock.
 *
 * <p>
 * <b>Asynchronous results.</b> The lock is released when the body returns. If the body
 * returns an asynchronous or lazy result, such as a future, a publisher, a stream or a
 * {@code Callable}, the rest of the work runs without the lock. A WARN reports that. Wait
 * for the result inside the body, or annotate a method that declares the asynchronous
 * type.
 *
 * <p>
 * <b>Exceptions.</b> The caller gets the body's result or exception unchanged. For a body
 * with a checked exception, use {@link #executeChecked} or {@link #executeIfFreeChecked}.
 * A failed release is logged, and added to the body's exception as suppressed. A loss is
 * logged. If the thread is interrupted while it waits,
 * {@link LockWaitInterruptedException} is thrown, with the interrupt flag set.
 */
public class LockTemplate {

	private final LockClient lockClient;

	private final LockNaming naming;

	private final UnaryOperator<LockRequest> options;

	/**
	 * Creates a template with the client's options.
	 * @param lockClient the client that grants the locks; it is not closed
	 */
	public LockTemplate(LockClient lockClient) {
		this(Objects.requireNonNull(lockClient, "lockClient"), new LockNaming("", null), UnaryOperator.identity());
	}

	private LockTemplate(LockClient lockClient, LockNaming naming, UnaryOperator<LockRequest> options) {
		this.lockClient = lockClient;
		this.naming = naming;
		this.options = options;
	}

	/**
	 * Sets the prefix of every key.
	 * @param keyPrefix the prefix; empty unless set
	 * @return a template with this prefix
	 */
	public LockTemplate keyPrefix(String keyPrefix) {
		Objects.requireNonNull(keyPrefix, "keyPrefix");
		return new LockTemplate(this.lockClient, new LockNaming(keyPrefix, this.naming.sort()), this.options);
	}

	/**
	 * Sets the sort key of every lock.
	 * @param sortKey the sort key; {@code null}, the default, for a table without one
	 * @return a template with this sort key
	 */
	public LockTemplate sortKey(@Nullable String sortKey) {
		return new LockTemplate(this.lockClient, new LockNaming(this.naming.prefix(), sortKey), this.options);
	}

	/**
	 * Sets the name of this template's locks in metrics, events and logs. It is not part
	 * of the key.
	 * @param name the name, not blank; use few names, because metrics are tagged with
	 * them
	 * @return a template with this name
	 * @throws IllegalArgumentException if the name is blank
	 */
	public LockTemplate name(String name) {
		return options((request) -> request.name(name));
	}

	/**
	 * Sets how many owners may hold a lock at the same time; see
	 * {@link LockRequest#permits}.
	 * @param permits the number, from 1 (the default) to 100
	 * @return a template with this number
	 */
	public LockTemplate permits(int permits) {
		return options((request) -> request.permits(permits));
	}

	/**
	 * Sets how long {@code execute} waits while the lock is held.
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
	 * Sets the minimum time that a lock stays held, counted from its acquisition, even if
	 * the body ends earlier. The caller does not wait for it.
	 * @param holdAtLeast the time, from zero (the default) to 365 days
	 * @return a template with this time
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockTemplate holdAtLeast(Duration holdAtLeast) {
		return options((request) -> request.holdAtLeast(holdAtLeast));
	}

	/**
	 * Sets the maximum time that a lock is held; see {@link LockRequest#holdAtMost}.
	 * @param holdAtMost the time, at least 100 ms
	 * @return a template with this limit
	 */
	public LockTemplate holdAtMost(Duration holdAtMost) {
		return options((request) -> request.holdAtMost(holdAtMost));
	}

	/**
	 * Sets options for which the template has no method, such as a lock's data.
	 * @param options sets the options of a request, after those that were set before
	 * @return a template with these options
	 * @throws IllegalArgumentException if an option is invalid
	 */
	public LockTemplate options(UnaryOperator<LockRequest> options) {
		UnaryOperator<LockRequest> all = (request) -> options.apply(this.options.apply(request));
		// Invalid options fail here, not at the first lock.
		Objects.requireNonNull(all.apply(LockRequest.of("any")), "options returned null");
		return new LockTemplate(this.lockClient, this.naming, all);
	}

	/**
	 * Runs code under a lock. Waits for the lock for up to the template's wait time, or
	 * the client's if the template has none.
	 * @param <T> the result
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 * @return the body's result
	 * @throws LockNotGrantedException if another owner held the lock for all of that
	 * time. The exception names the holder.
	 * @throws LockWaitInterruptedException if the thread is interrupted while it waits
	 * @throws LockLostException if the thread already ran under the lock, and lost it
	 * @throws IllegalArgumentException if the key is invalid
	 * @see LockClient#acquire(LockRequest) further exceptions
	 */
	public <T extends @Nullable Object> T execute(String key, Function<HeldLock, T> body) {
		return executeChecked(key, body::apply);
	}

	/**
	 * Like {@link #execute(String, Function)}, for a body that throws a checked
	 * exception.
	 * @param <T> the result
	 * @param <E> the checked exception of the body
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 * @return the body's result
	 * @throws E the body's exception
	 */
	public <T extends @Nullable Object, E extends Throwable> T executeChecked(String key, LockedFunction<T, E> body)
			throws E {
		LockedExecution execution = execution(request(key));
		execution.acquire();
		return execution.execute((locks) -> body.apply(locks.get(0)));
	}

	/**
	 * Like {@link #execute(String, Function)}, for a body without a result.
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 */
	public void executeWithoutResult(String key, Consumer<HeldLock> body) {
		execute(key, withoutResult(body));
	}

	/**
	 * Runs code under a lock if it is free. Makes one attempt, whatever the template's
	 * wait time.
	 * @param <T> the result
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 * @return the body's result; empty if that is {@code null} or the body did not run
	 * @throws LockWaitInterruptedException if the thread is interrupted during the
	 * attempt
	 * @throws LockLostException if the thread already ran under the lock, and lost it
	 * @throws IllegalArgumentException if the key is invalid
	 * @see LockClient#acquire(LockRequest) further exceptions
	 */
	public <T> Optional<T> executeIfFree(String key, Function<HeldLock, @Nullable T> body) {
		return executeIfFreeChecked(key, body::apply);
	}

	/**
	 * Like {@link #executeIfFree(String, Function)}, for a body that throws a checked
	 * exception.
	 * @param <T> the result
	 * @param <E> the checked exception of the body
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 * @return the body's result; empty if that is {@code null} or the body did not run
	 * @throws E the body's exception
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
	 * @param key the lock's key, without the prefix
	 * @param body the code to run
	 * @return whether the body ran
	 */
	public boolean executeIfFreeWithoutResult(String key, Consumer<HeldLock> body) {
		return executeIfFree(key, withoutResult(body)).isPresent();
	}

	private static Function<HeldLock, @Nullable Boolean> withoutResult(Consumer<HeldLock> body) {
		return (lock) -> {
			body.accept(lock);
			return true;
		};
	}

	private LockedExecution execution(LockRequest request) {
		return new LockedExecution(this.lockClient, OpenTransactions.calledBy("the body of a LockTemplate"),
				List.of(request), false);
	}

	private LockRequest request(String key) {
		if (key.isBlank()) {
			throw new IllegalArgumentException("key is \"" + LogText.of(key) + "\"; a lock's key must not be blank");
		}
		return this.options.apply(LockRequest.of(this.naming.key(key)));
	}

}
