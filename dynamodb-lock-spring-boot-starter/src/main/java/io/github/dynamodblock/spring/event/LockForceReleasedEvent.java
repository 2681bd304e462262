/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import io.github.dynamodblock.LockKey;

/**
 * A lock of another owner was released by force through the actuator endpoint
 * {@code locks}; an application event of the node that was asked to. It is published on
 * the thread of the request, before the response.
 *
 * <pre class="code">
 * &#64;EventListener
 * void audit(LockForceReleasedEvent event) {
 *     audit.log("lock {} of {} was released by force", event.key(), event.ownerName());
 * }
 * </pre>
 *
 * @param client the name of the lock client's bean
 * @param tableName the name of its table
 * @param key the lock
 * @param ownerName the owner that held it
 */
public record LockForceReleasedEvent(String client, String tableName, LockKey key, String ownerName) {
}
