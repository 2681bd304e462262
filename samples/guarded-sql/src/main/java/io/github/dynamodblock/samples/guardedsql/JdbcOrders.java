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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes orders with SQL. Each row keeps the greatest fencing token.
 */
@Service
public class JdbcOrders {

	private static final Logger logger = LoggerFactory.getLogger(JdbcOrders.class);

	private final JdbcClient jdbc;

	JdbcOrders(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	public void open(String id) {
		this.jdbc.sql("INSERT INTO orders (id) VALUES (:id)").param("id", id).update();
	}

	/**
	 * Adds an item. The transaction begins after the lock is acquired, and commits before
	 * the lock is released. It is rolled back if another node has taken the lock over.
	 */
	@Transactional
	@DistributedLock(name = "order", key = "#id")
	public void addItem(String id, long cents) {
		storeToken(id, LockContext.current().orElseThrow());
		// Read afterwards: the row is this transaction's until its end.
		long total = totalCents(id) + cents;
		this.jdbc.sql("UPDATE orders SET total_cents = :total WHERE id = :id")
			.param("total", total)
			.param("id", id)
			.update();
		logger.info("JDBC: order {} costs {} cents", id, total);
	}

	public long totalCents(String id) {
		return this.jdbc.sql("SELECT total_cents FROM orders WHERE id = :id")
			.param("id", id)
			.query(Long.class)
			.single();
	}

	private void storeToken(String id, HeldLock lock) {
		int rows = this.jdbc.sql("""
				UPDATE orders SET fencing_token = :token
				WHERE id = :id AND fencing_token <= :token
				""").param("token", lock.fencingToken()).param("id", id).update();
		if (rows == 0) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
	}

}
