/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.io.IOException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.stereotype.Component;

/**
 * Tells in the ledger when this node becomes the leader and when it learns that it is no
 * more, as the election says. Both events come on the thread of the election.
 */
@Component
class LeadershipNews {

	private final DynamoDbLockRegistry registry;

	private final LedgerClient ledger;

	private volatile @Nullable HeldLock leadership;

	LeadershipNews(DynamoDbLockRegistry registry, LedgerClient ledger) {
		this.registry = registry;
		this.ledger = ledger;
	}

	@EventListener
	void granted(OnGrantedEvent event) throws IOException {
		HeldLock lock = this.registry.heldLock(event.getRole()).orElse(null);
		this.leadership = lock;
		if (lock != null) {
			this.ledger.tellGranted(lock.fencingToken());
		}
	}

	@EventListener
	void revoked(OnRevokedEvent event) throws IOException {
		HeldLock lock = this.leadership;
		this.leadership = null;
		if (lock != null) {
			this.ledger.tellRevoked(lock.fencingToken(), lock.lossReason().map(Enum::name).orElse("GIVEN_BACK"));
		}
	}

}
