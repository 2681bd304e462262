/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The decisions of the lock, and nothing else: no input or output, no thread, no clock,
 * no random source. Times, answers and identifiers come in as arguments; what is to be
 * done goes out as a {@link io.github.dynamodblock.protocol.Step}. The same code is
 * driven by the runtime with real time and DynamoDB, and by tests with neither.
 *
 * <p>
 * The loop around an acquisition, in its simplest form:
 *
 * <pre>{@code
 * Conversation conversation = new Acquisition(terms, observations, randomness, now());
 * Step step = conversation.start(now());
 * while (true) {
 *     if (step instanceof Step.Write write) {
 *         Answer answer = store.write(write.write(), write.limitNanos());
 *         step = conversation.answered(answer, now());
 *     }
 *     else if (step instanceof Step.Read read) {
 *         Answer answer = store.read(read.key(), read.consistent(), read.limitNanos());
 *         step = conversation.answered(answer, now());
 *     }
 *     else if (step instanceof Step.Wait wait) {
 *         sleepUntil(wait.untilObserverNanos());
 *         step = conversation.wake(now());
 *     }
 *     else {
 *         return step; // Granted, Denied or Failed
 *     }
 * }
 * }</pre>
 */
@NullMarked
package io.github.dynamodblock.protocol;

import org.jspecify.annotations.NullMarked;
