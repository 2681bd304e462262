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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.integration.dsl.context.IntegrationFlowContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;

/**
 * Starts the flow a second time, with another lock registry: this stands for another
 * node.
 */
@SpringBootTest(properties = "inbox.delay=50ms")
@DirtiesContext
class InboxFlowTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@TempDir
	static Path folder;

	@Autowired
	LockClient lockClient;

	@Autowired
	IntegrationFlowContext flows;

	@MockitoBean
	Warehouse warehouse;

	/** Lets a node go on that is held up in the middle of its work. */
	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	@DynamicPropertySource
	static void inbox(DynamicPropertyRegistry properties) {
		properties.add("inbox.folder", folder::toString);
	}

	@AfterEach
	void endWork() {
		this.ready.complete(null);
	}

	@Test
	void aFileIsHandledByOneNode(@Autowired InboxFlow flow) throws Exception {
		DynamoDbLockRegistry otherNode = spy(new DynamoDbLockRegistry(this.lockClient));
		willAnswer((call) -> this.ready.join()).given(this.warehouse).receive(any());
		Path deliveryNote = Files.writeString(folder.resolve("delivery-note-1.csv"), "pencils,100");
		then(this.warehouse).should(timeout(LIMIT.toMillis())).receive(any());
		this.flows.registration(flow.inbox(otherNode, this.warehouse)).register();
		// The second poll shows that the first one did nothing.
		then(otherNode).should(timeout(LIMIT.toMillis()).atLeast(2)).obtain("inbox");
		this.ready.complete(null);
		await().untilAsserted(() -> assertThat(deliveryNote).doesNotExist());
		then(this.warehouse).shouldHaveNoMoreInteractions();
	}

	@Test
	void aFileThatFailsLeavesTheFolder() throws Exception {
		willThrow(new IllegalStateException("Not a number")).willDoNothing().given(this.warehouse).receive(any());
		Path hidden = Files.writeString(folder.resolve(".delivery-note-2.csv"), "erasers,");
		Files.writeString(folder.resolve("delivery-note-2.csv"), "erasers,many");
		Path failed = folder.resolve("failed");
		await().untilAsserted(() -> assertThat(failed)
			.isDirectoryContaining((file) -> file.toString().endsWith("-delivery-note-2.csv")));
		Path next = Files.writeString(folder.resolve("delivery-note-3.csv"), "rulers,10");
		await().untilAsserted(() -> assertThat(next).doesNotExist());
		then(this.warehouse).should(times(2)).receive(any());
		assertThat(hidden).exists();
	}

}
