/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * What became of {@link LockTemplate#executeIfFree}: the body ran, and may have returned
 * {@code null}, or it did not run, since others held the lock. Immutable.
 *
 * <pre class="code">
 * int deleted = lockTemplate.executeIfFree("clean-up", (lock) -&gt; deleteOldFiles()).orElse(0);
 * </pre>
 *
 * @param <T> the body's result
 */
public final class LockAttempt<T extends @Nullable Object> {

	private static final LockAttempt<?> NOT_RUN = new LockAttempt<>(false, null);

	private final boolean ran;

	private final @Nullable T result;

	private LockAttempt(boolean ran, @Nullable T result) {
		this.ran = ran;
		this.result = result;
	}

	static <T extends @Nullable Object> LockAttempt<T> ran(T result) {
		return new LockAttempt<>(true, result);
	}

	@SuppressWarnings("unchecked")
	static <T extends @Nullable Object> LockAttempt<T> notRun() {
		return (LockAttempt<T>) NOT_RUN;
	}

	/**
	 * Whether the lock was granted and the body ran to its end.
	 * @return whether it did
	 */
	public boolean ran() {
		return this.ran;
	}

	/**
	 * The body's result.
	 * @return the result; empty if the body did not run or returned {@code null}
	 */
	public Optional<T> result() {
		return Optional.ofNullable(this.result);
	}

	/**
	 * The body's result, or another if it did not run.
	 * @param other what stands for it, may be {@code null}
	 * @return what the body returned, {@code null} included, or else the other
	 */
	public @Nullable T orElse(@Nullable T other) {
		return this.ran ? this.result : other;
	}

	/**
	 * The body's result, or another if it did not run.
	 * @param other makes what stands for it; asked only then
	 * @return what the body returned, {@code null} included, or else the other
	 */
	public @Nullable T orElseGet(Supplier<? extends @Nullable T> other) {
		return this.ran ? this.result : other.get();
	}

	@Override
	public String toString() {
		return this.ran ? "ran, result: " + this.result : "not run";
	}

}
