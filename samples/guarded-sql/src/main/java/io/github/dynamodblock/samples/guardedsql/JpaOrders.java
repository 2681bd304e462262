/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardedsql;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import jakarta.persistence.EntityManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The same with JPA. A query stores the token before the entity is read.
 */
@Service
public class JpaOrders {

	private static final Logger logger = LoggerFactory.getLogger(JpaOrders.class);

	private final EntityManager entityManager;

	JpaOrders(EntityManager entityManager) {
		this.entityManager = entityManager;
	}

	@Transactional
	@DistributedLock(name = "order", key = "#id")
	public void addItem(String id, long cents) {
		storeToken(id, LockContext.current().orElseThrow());
		// Read afterwards: the row is this transaction's until its end.
		Order order = this.entityManager.find(Order.class, id);
		order.addItem(cents);
		logger.info("JPA: order {} costs {} cents", id, order.getTotalCents());
	}

	private void storeToken(String id, HeldLock lock) {
		int rows = this.entityManager.createQuery("""
				update Order o set o.fencingToken = :token
				where o.id = :id and o.fencingToken <= :token
				""").setParameter("token", lock.fencingToken()).setParameter("id", id).executeUpdate();
		if (rows == 0) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
	}

}
