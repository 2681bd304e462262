/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code dynamodb-lock.registry}. Immutable.
 *
 * @param enabled Whether to make a LockRegistry where there is Spring Integration and the
 * application has none.
 * @param keyPrefix What the keys of the registry's locks begin with, after
 * dynamodb-lock.key-prefix. May be empty: the locks are then those of annotated methods
 * and LockTemplate.
 * @param capacity How many keys the registry remembers. The one that was not used for
 * longest is forgotten for a new one; a key whose lock a thread holds or waits for never
 * is.
 * @param leaseDuration Lease of the registry's locks, which are renewed as long as they
 * are held. From 100ms to 365d. Default: that of the lock client.
 * @param deleteOnRelease Whether unlocking deletes a lock's item. Otherwise it stays
 * until its time to live, and fencing tokens increase whatever the clocks say.
 */
@ConfigurationProperties(LockRegistryProperties.PREFIX)
public record LockRegistryProperties(@DefaultValue("true") boolean enabled, @DefaultValue("registry:") String keyPrefix,
		@DefaultValue("100000") int capacity, @Nullable Duration leaseDuration,
		@DefaultValue("true") boolean deleteOnRelease) {

	static final String PREFIX = DynamoDbLockProperties.PREFIX + ".registry";

}
