/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * The holder of a lock: one instance of an owner. The instance's ID is the password of
 * its locks. Only its fingerprint is stored and logged, never the ID itself.
 *
 * @param owner the owner
 * @param instanceFingerprint the fingerprint of the instance's id
 */
public record Holder(String owner, String instanceFingerprint) {
}
