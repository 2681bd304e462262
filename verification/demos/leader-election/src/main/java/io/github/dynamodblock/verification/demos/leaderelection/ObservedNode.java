/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.verification.harness.ApplicationNode.Order;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.samples.leaderelection.Ledger;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * What a node of the demo has beside the application. Not a component, so that the
 * application does not find it. Every event has a fencing token as its first number.
 */
public class ObservedNode {

	/** The election notified the node that it leads. */
	static final String GRANTED = "GRANTED";

	/**
	 * The node added a line: with its number, and the token that the node had read in the
	 * ledger before it asked its lock.
	 */
	static final String WORKS = "WORKS";

	/** The ledger refused a line. The numbers are those of {@link #WORKS}. */
	static final String REFUSED = "REFUSED";

	/** The election notified the node that it no longer leads. The subject is why. */
	static final String REVOKED = "REVOKED";

	/** The order to yield. */
	static final String YIELD = "yield";

	@Bean
	@Primary
	ObservedLedger observedLedger(DynamoDbClient dynamoDb, Reporter reporter) {
		return new ObservedLedger(dynamoDb, reporter);
	}

	@Bean
	ObservedElection observedElection(DynamoDbLockRegistry registry, LockRegistryLeaderInitiator initiator,
			Reporter reporter) {
		return new ObservedElection(registry, initiator, reporter);
	}

	/**
	 * Reports each line.
	 */
	static class ObservedLedger extends Ledger {

		private final Reporter reporter;

		private volatile long tokenRead;

		ObservedLedger(DynamoDbClient dynamoDb, Reporter reporter) {
			super(dynamoDb);
			this.reporter = reporter;
		}

		@Override
		public State read() {
			State state = super.read();
			this.tokenRead = state.fencingToken();
			return state;
		}

		@Override
		public boolean add(long number, long fencingToken) {
			boolean added = super.add(number, fencingToken);
			this.reporter.report(added ? WORKS : REFUSED, "", fencingToken, number, this.tokenRead);
			return added;
		}

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
