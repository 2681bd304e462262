/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.integration.dsl.context.IntegrationFlowContext;
import org.springframework.integration.jdbc.store.JdbcChannelMessageStore;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.assertArg;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;

/**
 * Starts the flow a second time, with another lock registry: this stands for another
 * node.
 */
@SpringBootTest(properties = "inbox.folder=target/inbox")
@DirtiesContext
class ParcelFlowTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@Autowired
	LockClient lockClient;

	@Autowired
	IntegrationFlowContext flows;

	@Autowired
	@Qualifier("documents")
	MessageChannel documents;

	@Autowired
	JdbcChannelMessageStore completeParcels;

	@MockitoSpyBean
	JdbcMessageStore groups;

	@MockitoBean
	Warehouse warehouse;

	/** Lets a node go on that is held up in the middle of its work. */
	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	@AfterEach
	void endWork() {
		this.ready.complete(null);
	}

	@Test
	void documentsFromTwoNodesBecomeOneParcel(@Autowired ParcelFlow flow, @Autowired DataSource dataSource) {
		DynamoDbLockRegistry otherNode = new DynamoDbLockRegistry(this.lockClient);
		JdbcMessageStore otherGroups = spy(new JdbcMessageStore(dataSource));
		this.flows.registration(flow.parcels(otherNode, otherGroups, this.completeParcels, this.warehouse)).register();
		Document invoice = new Document("17", "invoice");
		Document label = new Document("17", "label");
		this.documents.send(new GenericMessage<>(invoice));
		holdUp(this.groups);
		holdUp(otherGroups);
		// The channel hands messages to the two nodes in turn.
		CompletableFuture<Boolean> sent = send(label);
		CompletableFuture<Boolean> repeated = send(label);
		await().untilAsserted(() -> assertThat(this.lockClient.waiting()).hasSize(1));
		this.ready.complete(null);
		assertThat(CompletableFuture.allOf(sent, repeated)).succeedsWithin(LIMIT);
		await().untilAsserted(() -> assertThat(this.completeParcels.messageGroupSize("complete-parcels")).isZero());
		then(this.warehouse).should()
			.ship(assertArg((parcel) -> assertThat(parcel).containsExactlyInAnyOrder(invoice, label)));
		then(this.warehouse).shouldHaveNoMoreInteractions();
	}

	@Test
	void aParcelWhoseShippingFailsIsShippedLater() {
		willThrow(new IllegalStateException("No truck")).willDoNothing().given(this.warehouse).ship(any());
		this.documents.send(new GenericMessage<>(new Document("18", "invoice")));
		this.documents.send(new GenericMessage<>(new Document("18", "label")));
		await().untilAsserted(() -> assertThat(this.completeParcels.messageGroupSize("complete-parcels")).isZero());
		then(this.warehouse).should(times(2)).ship(assertArg((parcel) -> assertThat(parcel).hasSize(2)));
	}

	/** Holds a node up after it has stored a document. */
	private void holdUp(JdbcMessageStore store) {
		willAnswer((call) -> {
			Object group = call.callRealMethod();
			this.ready.join();
			return group;
		}).given(store).addMessageToGroup(any(), any());
	}

	private CompletableFuture<Boolean> send(Document document) {
		return CompletableFuture.supplyAsync(() -> this.documents.send(new GenericMessage<>(document)));
	}

}
