/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

/**
 * An update of the guarded counter that was committed, as the counter's item shows.
 *
 * @param id the update's id
 * @param grant under which grant it was sent
 * @param read the value from which the worker made the new one
 */
public record CommittedUpdate(String id, String grant, long read) {
}
