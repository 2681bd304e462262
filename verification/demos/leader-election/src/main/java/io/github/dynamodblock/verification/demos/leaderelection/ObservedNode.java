/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.verification.harness.ApplicationNode.Order;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * What a node of the demo has beside the sample's application: beans that observe it.
 * Every event has a fencing token as its first number.
 */
public class ObservedNode {

	/** The election notified the node that it leads. */
	static final String GRANTED = "GRANTED";

	/**
	 * The node added a line: with its number, and the token that the node had read in the
	 * ledger before it asked its lock.
	 */
	static final String WORKS = "WORKS";

	/**
	 * The ledger refused a line or, with the number 0, the begin of a term. The numbers
	 * are those of {@link #WORKS}.
	 */
	static final String REFUSED = "REFUSED";

	/** The election notified the node that it no longer leads. The subject is why. */
	static final String REVOKED = "REVOKED";

	/** The order to yield. */
	static final String YIELD = "yield";

	/**
	 * Returns what the demo sets otherwise than the sample and the starter: more lines, a
	 * lease that keeps the demo short, and a table that the nodes create.
	 */
	static List<String> arguments(String keyPrefix, Duration lease, Duration heartbeat) {
		return List.of("--ledger.interval=50ms", "--spring.main.banner-mode=off",
				"--dynamodb-lock.table.create=if-missing", "--dynamodb-lock.registry.key-prefix=" + keyPrefix,
				"--dynamodb-lock.lease-duration=" + lease.toMillis() + "ms",
				"--dynamodb-lock.heartbeat-period=" + heartbeat.toMillis() + "ms");
	}

	@Bean
	static ObservedWork observedWork(ObjectProvider<Reporter> reporter, ObjectProvider<DynamoDbLockRegistry> registry,
			ObjectProvider<DynamoDbClient> dynamoDb) {
		return new ObservedWork(reporter::getObject, registry::getObject, dynamoDb::getObject);
	}

	@Bean
	ObservedElection observedElection(DynamoDbLockRegistry registry, LockRegistryLeaderInitiator initiator,
			Reporter reporter) {
		return new ObservedElection(registry, initiator, reporter);
	}

	/**
	 * Reports when this node becomes the leader and when it learns that it no longer is.
	 * Both events come on the thread of the election.
	 */
	static class ObservedElection {

		private final DynamoDbLockRegistry registry;

		private final LockRegistryLeaderInitiator initiator;

		private final Reporter reporter;

		private volatile @Nullable HeldLock leadership;

		ObservedElection(DynamoDbLockRegistry registry, LockRegistryLeaderInitiator initiator, Reporter reporter) {
			this.registry = registry;
			this.initiator = initiator;
			this.reporter = reporter;
		}

		@EventListener
		void granted(OnGrantedEvent event) {
			HeldLock lock = this.registry.heldLock(event.getRole()).orElse(null);
			this.leadership = lock;
			if (lock != null) {
				this.reporter.report(GRANTED, "", lock.fencingToken());
			}
		}

		@EventListener
		void revoked(OnRevokedEvent event) {
			HeldLock lock = this.leadership;
			this.leadership = null;
			if (lock != null) {
				this.reporter.report(REVOKED, lock.lossReason().map(Enum::name).orElse("RELEASED"),
						lock.fencingToken());
			}
		}

		@EventListener
		void take(Order order) {
			if (order.text().equals(YIELD)) {
				this.initiator.getContext().yield();
			}
		}

	}

}
