/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.integration.dsl.context.IntegrationFlowContext;
import org.springframework.integration.jdbc.store.JdbcChannelMessageStore;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
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
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;

/**
 * Each test starts its flow a second time, with another lock registry: this stands for
 * another node.
 */
@SpringBootTest(properties = { "inbox.delay=50ms", "spring.task.scheduling.pool.size=2" })
@DirtiesContext
class FlowTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@TempDir
	static Path folder;

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

	/** Holds a node up in the middle of its work. */
	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private DynamoDbLockRegistry otherNode;

	@DynamicPropertySource
	static void inbox(DynamicPropertyRegistry properties) {
		properties.add("inbox.folder", folder::toString);
	}

	@BeforeEach
	void connectOtherNode() {
		this.otherNode = spy(new DynamoDbLockRegistry(this.lockClient));
	}

	@AfterEach
	void endWork() {
		this.ready.complete(null);
	}

	@Test
	void documentsFromTwoNodesBecomeOneParcel(@Autowired ParcelFlow flow) {
		this.flows.registration(flow.parcels(this.otherNode, this.groups, this.completeParcels, this.warehouse))
			.register();
		Document invoice = new Document("17", "invoice");
		Document label = new Document("17", "label");
		this.documents.send(new GenericMessage<>(invoice));
		willAnswer((call) -> {
			Object group = call.callRealMethod();
			this.ready.join();
			return group;
		}).given(this.groups).addMessageToGroup(any(), any());
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

	@Test
	void aFileIsHandledByOneNode(@Autowired InboxFlow flow) throws Exception {
		willAnswer((call) -> this.ready.join()).given(this.warehouse).receive(any());
		Path deliveryNote = Files.writeString(folder.resolve("delivery-note-1.csv"), "pencils,100");
		then(this.warehouse).should(timeout(LIMIT.toMillis())).receive(any());
		this.flows.registration(flow.inbox(this.otherNode, this.warehouse)).register();
		// The second poll shows that the first one did nothing.
		then(this.otherNode).should(timeout(LIMIT.toMillis()).atLeast(2)).obtain("inbox");
		this.ready.complete(null);
		await().untilAsserted(() -> assertThat(deliveryNote).doesNotExist());
		then(this.warehouse).shouldHaveNoMoreInteractions();
	}

	private CompletableFuture<Boolean> send(Document document) {
		return CompletableFuture.supplyAsync(() -> this.documents.send(new GenericMessage<>(document)));
	}

}
