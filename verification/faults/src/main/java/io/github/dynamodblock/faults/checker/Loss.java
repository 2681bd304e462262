/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;

/**
 * A loss that a holder was told of.
 *
 * @param grant what was lost
 * @param reason why
 * @param told when the holder was told
 * @param deadline when the lease ended, as the holder last knew; {@code 0} if it did not
 */
public record Loss(String grant, String reason, long told, long deadline) implements Serializable {
}
