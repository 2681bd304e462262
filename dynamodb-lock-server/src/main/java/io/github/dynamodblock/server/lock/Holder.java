/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * Who holds a lock: one instance of an owner. The instance's id works as a password of
 * its locks, so that it is neither stored nor logged; its fingerprint is.
 *
 * @param owner the owner
 * @param instanceFingerprint the fingerprint of the instance's id
 */
public record Holder(String owner, String instanceFingerprint) {
}
