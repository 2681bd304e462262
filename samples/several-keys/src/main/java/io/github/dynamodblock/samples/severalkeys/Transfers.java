/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.Assert;

/**
 * Transfers money between two accounts.
 */
@Service
public class Transfers {

	private static final Logger logger = LoggerFactory.getLogger(Transfers.class);

	private final JdbcClient jdbc;

	private final String keyPrefix;

	public Transfers(JdbcClient jdbc, @Value("${dynamodb-lock.key-prefix:}") String keyPrefix) {
		this.jdbc = jdbc;
		this.keyPrefix = keyPrefix;
	}

	/**
	 * Transfers an amount. Waits for up to 10 seconds while another node uses one of the
	 * accounts.
	 */
	@DistributedLock(name = "account", key = "{#from, #to}", waitTime = "10s")
	@Transactional
	public void transfer(String from, String to, long cents) {
		Assert.isTrue(cents > 0, "A transfer needs a positive amount.");
		// Sorted like the locks, so that transfers cannot deadlock on the rows either.
		Stream.of(from, to).sorted().forEach(this::claim);
		int rows = this.jdbc.sql("UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?")
			.params(cents, from, cents)
			.update();
		Assert.state(rows == 1, () -> "Account " + from + " has less than " + cents + " cents.");
		this.jdbc.sql("UPDATE account SET cents = cents + ? WHERE id = ?").params(cents, to).update();
		logger.info("Transferred {} cents from {} to {}", cents, from, to);
	}

	/** Refuses a late transaction of a node that has lost the account's lock. */
	private void claim(String account) {
		HeldLock lock = lockOf(account);
		long token = lock.fencingToken();
		int rows = this.jdbc.sql("UPDATE account SET fencing_token = ? WHERE id = ? AND fencing_token <= ?")
			.params(token, account, token)
			.update();
		if (rows == 0) {
			requireExists(account);
			throw new LockLostException(lock.key(), LossReason.STOLEN, token);
		}
	}

	private HeldLock lockOf(String account) {
		String key = this.keyPrefix + "account:" + account;
		return LockContext.currentLocks()
			.stream()
			.filter((lock) -> lock.key().partition().equals(key))
			.findFirst()
			.orElseThrow();
	}

	private void requireExists(String account) {
		this.jdbc.sql("SELECT id FROM account WHERE id = ?")
			.param(account)
			.query(String.class)
			.optional()
			.orElseThrow(() -> new IllegalArgumentException("There is no account " + account + "."));
	}

}
