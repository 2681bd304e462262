/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties under {@code dynamodb-lock.leader}. Immutable. A blank text is the same
 * as none.
 *
 * @param role Role that this application stands for: of all that stand for it, one leads
 * at a time. Default: none, and no election.
 * @param id Name of this candidate in the log, where the application has no Candidate
 * bean. Default: a random one.
 * @param heartbeatPeriod How often the leader looks whether it still holds its lock,
 * which costs no call: so long after a loss it can still take itself for the leader.
 * Shorter than the lease.
 * @param retryDelay How long to back off after leadership was yielded or lost, or
 * DynamoDB refused. Where it is shorter than others pause between two looks, who yields
 * often leads again. At most 1d.
 * @param publishFailedEvents Whether to publish an OnFailedToAcquireMutexEvent at every
 * heartbeat at which another one leads.
 * @param autoStartup Whether to stand for election from the start. Otherwise
 * LockRegistryLeaderInitiator.start() begins it.
 */
@ConfigurationProperties(LockLeaderProperties.PREFIX)
public record LockLeaderProperties(@Nullable String role, @Nullable String id,
		@DefaultValue("500ms") Duration heartbeatPeriod, @DefaultValue("1s") Duration retryDelay,
		@DefaultValue("false") boolean publishFailedEvents, @DefaultValue("true") boolean autoStartup) {

	static final String PREFIX = DynamoDbLockProperties.PREFIX + ".leader";

	/**
	 * Takes blank texts for none.
	 */
	public LockLeaderProperties {
		role = StringUtils.hasText(role) ? role : null;
		id = StringUtils.hasText(id) ? id : null;
	}

}
