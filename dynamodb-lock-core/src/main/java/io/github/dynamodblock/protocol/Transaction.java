/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

/**
 * The application's part of a guarded write. The protocol passes it to the store, which
 * alone reads it. It is the same object each time that it is sent, by which the store
 * recognises a repetition.
 */
public interface Transaction {

}
