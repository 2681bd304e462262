/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

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
 * Transfers money between two accounts.
 */
@Service
public class Transfers {

	private static final Logger logger = LoggerFactory.getLogger(Transfers.class);

	private final JdbcClient jdbc;

	public Transfers(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Transfers an amount. Waits for up to 10 seconds while another node uses one of the
	 * accounts.
	 */
	@DistributedLock(name = "account", key = "{#from, #to}", waitTime = "10s")
	@Transactional
	public void transfer(String from, String to, long cents) {
		// Sorted by their keys, so the rows, too, are always locked in the same order.
		LockContext.currentLocks().forEach(this::claim);
		this.jdbc.sql("UPDATE account SET cents = cents - ? WHERE id = ?").params(cents, from).update();
		this.jdbc.sql("UPDATE account SET cents = cents + ? WHERE id = ?").params(cents, to).update();
		logger.info("Transferred {} cents from {} to {}", cents, from, to);
	}

	/** Refuses a late transaction of a node that has lost a lock. */
	private void claim(HeldLock lock) {
		String account = lock.key().partition().substring("account:".length());
		long token = lock.fencingToken();
		int rows = this.jdbc.sql("UPDATE account SET fencing_token = ? WHERE id = ? AND fencing_token <= ?")
			.params(token, account, token)
			.update();
		if (rows == 0) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, token);
		}
	}

}
