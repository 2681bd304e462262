/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Objects;

import io.github.dynamodblock.Printable;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * Configures leader election as the properties say, and refuses what cannot work by the
 * name of the property.
 */
final class LeaderElectionConfigurer {

	private static final Duration LONGEST = Duration.ofDays(1);

	private static final String PREFIX = DynamoDbLockProperties.PREFIX + ".leader.";

	private final DynamoDbLockProperties.Leader properties;

	private final String role;

	LeaderElectionConfigurer(DynamoDbLockProperties.Leader properties) {
		this.properties = properties;
		this.role = Objects.requireNonNull(properties.role(), "role");
	}

	/**
	 * Refuses a heartbeat period that is not shorter than the lease.
	 * @param registryLease the lease of the registry's locks, if it is configured
	 * @param clientLease the lease that they have otherwise, if it is known
	 * @throws InvalidConfigurationPropertyValueException if it is not
	 */
	void checkLease(@Nullable Duration registryLease, @Nullable Duration clientLease) {
		Duration lease = (registryLease != null) ? registryLease : clientLease;
		if (lease != null && this.properties.heartbeatPeriod().compareTo(lease) >= 0) {
			throw refusal("heartbeat-period", this.properties.heartbeatPeriod(),
					"It is not shorter than " + DynamoDbLockProperties.PREFIX
							+ ((registryLease != null) ? ".registry.lease-duration" : ".lease-duration") + ", which is "
							+ Printable.of(lease) + ": for that long after a loss, two could take themselves for the "
							+ "leader. Give a shorter time, which costs no call, or a longer lease.");
		}
	}

	/**
	 * An initiator with all properties applied.
	 * @param registry whose lock the leader holds
	 * @param candidate the application's own candidate, if it has one
	 * @return the initiator, not started
	 * @throws InvalidConfigurationPropertyValueException if a value cannot work, alone or
	 * beside the candidate
	 */
	LockRegistryLeaderInitiator initiator(DynamoDbLockRegistry registry, @Nullable Candidate candidate) {
		LockClientProperties.check(PREFIX + "role", this.role, registry::obtain);
		LockRegistryLeaderInitiator initiator = new GracefulLeaderInitiator(LeaderElectionLock.of(registry),
				(candidate != null) ? checked(candidate) : defaultCandidate());
		initiator.setHeartBeatMillis(millis("heartbeat-period", this.properties.heartbeatPeriod()));
		initiator.setBusyWaitMillis(millis("retry-delay", this.properties.retryDelay()));
		initiator.setPublishFailedEvents(this.properties.publishFailedEvents());
		initiator.setAutoStartup(this.properties.autoStartup());
		return initiator;
	}

	private Candidate defaultCandidate() {
		String id = this.properties.id();
		// An empty id stands for a random one.
		return new DefaultCandidate((id != null) ? id : "", this.role);
	}

	private Candidate checked(Candidate candidate) {
		String type = candidate.getClass().getName();
		if (!this.role.equals(candidate.getRole())) {
			throw refusal("role", this.role,
					"The application's Candidate bean, a " + type + ", stands for the role '" + candidate.getRole()
							+ "'. Set the property to that role, or let the bean's getRole() return '" + this.role
							+ "'.");
		}
		String id = this.properties.id();
		if (id != null && !id.equals(candidate.getId())) {
			throw refusal("id", id, "The application's Candidate bean, a " + type + ", has the id '" + candidate.getId()
					+ "'. Leave the property out, or let the bean's getId() return it.");
		}
		return candidate;
	}

	private long millis(String property, Duration time) {
		if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(LONGEST) > 0) {
			throw refusal(property, time, "It must be from 1ms to 1d.");
		}
		return time.toMillis();
	}

	private static InvalidConfigurationPropertyValueException refusal(String property, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

}
