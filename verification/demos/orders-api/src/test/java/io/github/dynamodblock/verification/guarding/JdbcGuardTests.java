/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.guarding;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A row that keeps the greatest fencing token.
 */
class JdbcGuardTests {

	private final SingleConnectionDataSource database = new SingleConnectionDataSource("jdbc:h2:mem:", true);

	private final JdbcClient jdbc = JdbcClient.create(this.database);

	@AfterEach
	void close() {
		this.database.destroy();
	}

	@Test
	void aRowRefusesTheWriteOfAFormerOwner() throws InterruptedException {
		this.jdbc.sql("CREATE TABLE orders (id VARCHAR PRIMARY KEY, state VARCHAR, fencing_token BIGINT NOT NULL)")
			.update();
		this.jdbc.sql("INSERT INTO orders VALUES ('order-1', 'new', 0)").update();
		try (TwoOwners owners = new TwoOwners()) {
			write("order-1", "packed", owners.former());
			write("order-1", "labelled", owners.former());
			write("order-1", "sent", owners.next());

			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> write("order-1", "lost", owners.former()));
			assertThat(this.jdbc.sql("SELECT state FROM orders").query(String.class).single()).isEqualTo("sent");
		}
	}

	private void write(String id, String state, HeldLock lock) {
		int rows = this.jdbc.sql("""
				UPDATE orders SET state = :state, fencing_token = :token
				WHERE id = :id AND fencing_token <= :token
				""").param("state", state).param("token", lock.fencingToken()).param("id", id).update();
		if (rows == 0) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
	}

}
