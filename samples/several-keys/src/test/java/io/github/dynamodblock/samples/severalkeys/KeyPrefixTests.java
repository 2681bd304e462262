/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import java.util.List;

import io.github.dynamodblock.LockClient;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application shares its table with others.
 */
@SpringBootTest(properties = "dynamodb-lock.key-prefix=shop:")
class KeyPrefixTests {

	@Test
	void eachAccountKeepsTheTokenOfItsLock(@Autowired Transfers transfers, @Autowired LockClient locks,
			@Autowired JdbcClient jdbc) {
		// The key of one account's lock is the end of the other's.
		List<String> accounts = List.of("account:fred", "fred");
		for (String account : accounts) {
			jdbc.sql("INSERT INTO account (id, cents, fencing_token) VALUES (?, 100, 0)").param(account).update();
		}
		transfers.transfer("account:fred", "fred", 1);
		for (String account : accounts) {
			long stored = jdbc.sql("SELECT fencing_token FROM account WHERE id = ?")
				.param(account)
				.query(Long.class)
				.single();
			assertThat(locks.find("shop:account:" + account).orElseThrow().fencingToken()).hasValue(stored);
		}
	}

}
