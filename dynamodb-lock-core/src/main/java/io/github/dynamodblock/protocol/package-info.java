/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The decisions of the lock, without I/O, threads, clocks or random sources. Times,
 * answers and identifiers are passed as arguments, and each decision returns a
 * {@link io.github.dynamodblock.protocol.Step}, which says what to do next. The runtime
 * drives this code with real time and DynamoDB; tests use neither.
 *
 * <p>
 * This package has the values and the loop. {@code protocol.acquire} decides how a lock
 * is acquired, {@code protocol.lease} how it is renewed and released. Everywhere,
 * {@code now} is the time of the event, {@code fraction} a random fraction,
 * {@code randomness} the source of identifiers and jitter, and numbers are nanoseconds.
 *
 * <p>
 * An {@link io.github.dynamodblock.protocol.Operation} belongs to one caller at a time.
 * All operations of a client share {@code Observations}, whose methods are
 * {@code synchronized} and only compute, so that none of them blocks.
 *
 * <p>
 * The loop around an operation, in its simplest form:
 *
 * <pre>{@code
 * Operation operation = new Acquisition(terms, observations, randomness);
 * Step step = operation.start(now());
 * while (true) {
 *     if (step instanceof Step.Call call) {
 *         Answer answer = store.send(call);
 *         step = operation.answered(answer, now());
 *     }
 *     else if (step instanceof Step.Wait wait) {
 *         sleepUntil(wait.untilObserverNanos());
 *         step = operation.wake(now());
 *     }
 *     else {
 *         return step; // Granted, Denied, Absent, ConditionNotMet or Failed
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.github.dynamodblock.protocol;

import org.jspecify.annotations.NullMarked;
