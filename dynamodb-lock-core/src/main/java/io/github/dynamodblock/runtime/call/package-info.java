/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The path of one call. The runner asks its operation for the next step. If that is a
 * call, the runner sends it through the environment:
 *
 * <pre>
 * operation      decides what to ask DynamoDB for        protocol
 * OperationRunner  asks it under its lock, one step at a time
 * CallQueue      gives the call a slot, by its kind      runtime.environment
 * CallerLane     makes it on the thread of the caller who waits; else a client's thread
 * LockStore      sends it                                store
 * OperationRunner  gives the operation the answer
 * </pre>
 *
 * A call is built when it has its call slot, so its version and its time limit fit the
 * time at which it is sent.
 */
@NullMarked
package io.github.dynamodblock.runtime.call;

import org.jspecify.annotations.NullMarked;
