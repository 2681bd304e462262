/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.jdbc.store.JdbcChannelMessageStore;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

import static org.awaitility.Awaitility.await;

/**
 * Starts the application on this machine, with locks in memory, two documents and a file.
 */
@TestConfiguration(proxyBeanMethods = false)
class LocalApplication {

	@Bean
	ApplicationRunner work(@Qualifier("documents") MessageChannel documents, JdbcChannelMessageStore completeParcels,
			@Value("${inbox.folder}") File inbox) {
		return (arguments) -> {
			documents.send(new GenericMessage<>(new Document("17", "label")));
			documents.send(new GenericMessage<>(new Document("17", "invoice")));
			await().until(() -> completeParcels.messageGroupSize("complete-parcels") == 0);
			Files.writeString(inbox.toPath().resolve("delivery-note-1.csv"), "pencils,100");
		};
	}

	public static void main(String[] args) throws Exception {
		Path inbox = Files.createTempDirectory("inbox");
		SpringApplication.from(IntegrationApplication::main)
			.with(LocalApplication.class)
			.run("--dynamodb-lock.embedded.enabled=true", "--inbox.folder=" + inbox);
	}

}
