/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The path of one call. The runner asks its operation for the next step. If that is a
 * call, the runner sends it through the environment:
 *
 * <pre>
 * operation        decides what to send next              protocol
 * OperationRunner  asks it under a lock, step by step
 * CallQueue        gives the call a slot, by its kind     runtime.environment
 * CallerLane       makes it on the waiting caller's thread, otherwise a client's thread does
 * LockStore        sends it                               store
 * OperationRunner  passes the answer to the operation
 * </pre>
 *
 * A call is built when it has its call slot, so its version and its time limit fit the
 * time at which it is sent.
 */
@NullMarked
package io.github.dynamodblock.runtime.call;

import org.jspecify.annotations.NullMarked;
