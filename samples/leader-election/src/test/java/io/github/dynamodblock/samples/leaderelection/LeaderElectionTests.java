/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.BDDMockito.willAnswer;

@SpringBootTest(properties = "ledger.interval=1h")
@Import(LedgerTable.class)
class LeaderElectionTests {

	@Autowired
	LockRegistryLeaderInitiator election;

	@Autowired
	DynamoDbLockRegistry registry;

	@Autowired
	Bookkeeper bookkeeper;

	@Autowired
	Ledger ledger;

	@MockitoSpyBean
	DynamoDbClient dynamoDb;

	private HeldLock otherLeader;

	@BeforeEach
	void letAnotherNodeLead(@Autowired LockClient otherNode) throws Exception {
		this.election.stop();
		this.otherLeader = otherNode.acquire("registry:" + LeaderElectionApplication.ROLE);
		this.election.start();
	}

	@AfterEach
	void endItsTerm() {
		this.otherLeader.close();
	}

	@Test
	void onlyTheLeaderAddsLines() {
		long lines = this.ledger.begin(this.otherLeader.fencingToken());

		this.bookkeeper.addLine();
		assertThat(this.ledger.lines()).isEqualTo(lines);

		letThisNodeLead();
		this.bookkeeper.addLine();
		assertThat(this.ledger.lines()).isEqualTo(lines + 1);
	}

	@Test
	void aLateLineOfAFormerLeaderIsRefusedAndNoLineIsLost() {
		long formerTerm = this.otherLeader.fencingToken();
		long lines = this.ledger.begin(formerTerm);
		this.ledger.add(lines + 1, formerTerm);
		letThisNodeLead();
		// The former leader was paused. Its next line arrives right after this node has
		// read the ledger.
		CompletableFuture<Throwable> lateLine = new CompletableFuture<>();
		willAnswer((getItem) -> {
			Object item = getItem.callRealMethod();
			lateLine.complete(catchThrowable(() -> this.ledger.add(lines + 2, formerTerm)));
			return item;
		}).given(this.dynamoDb)
			.getItem(argThat((GetItemRequest request) -> request != null && request.tableName().equals(Ledger.TABLE)));

		this.bookkeeper.addLine();

		assertThat(lateLine).isCompletedWithValueMatching(ConditionalCheckFailedException.class::isInstance);
		assertThat(this.ledger.lines()).isEqualTo(lines + 2);
	}

	private void letThisNodeLead() {
		this.otherLeader.close();
		await().atMost(Duration.ofSeconds(20))
			.until(() -> this.registry.heldLock(LeaderElectionApplication.ROLE).isPresent());
	}

}
