/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import io.github.dynamodblock.samples.leaderelection.Ledger.State;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

@TestInstance(Lifecycle.PER_CLASS)
class LedgerTests {

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private Ledger ledger;

	@AfterAll
	void stop() {
		this.dynamoDb.close();
	}

	@BeforeEach
	void createLedger() {
		this.ledger = new Ledger(this.dynamoDb.client());
	}

	@AfterEach
	void deleteLedger() {
		this.dynamoDb.client().deleteTable((table) -> table.tableName(Ledger.TABLE));
	}

	@Test
	void ledgerIsEmptyAtFirst() {
		assertThat(this.ledger.read()).isEqualTo(new State(0, 0));
	}

	@Test
	void linesOfOneLeaderAndItsSuccessorAreAdded() {
		assertThat(this.ledger.add(1, 5)).isTrue();
		assertThat(this.ledger.add(2, 5)).isTrue();
		assertThat(this.ledger.add(3, 6)).isTrue();

		assertThat(this.ledger.read()).isEqualTo(new State(3, 6));
	}

	@Test
	void lineWithASmallerTokenIsRefusedAndChangesNothing() {
		this.ledger.add(1, 6);

		assertThat(this.ledger.add(2, 5)).isFalse();
		assertThat(this.ledger.read()).isEqualTo(new State(1, 6));
	}

	@Test
	void nodesShareOneLedger() {
		this.ledger.add(1, 5);

		assertThat(new Ledger(this.dynamoDb.client()).read()).isEqualTo(new State(1, 5));
	}

}
