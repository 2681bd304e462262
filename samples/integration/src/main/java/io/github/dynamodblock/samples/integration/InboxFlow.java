/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.io.File;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.file.inbound.FileReadingMessageSource;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.Message;

/**
 * Polls a folder that nodes share, one node at a time.
 */
@Configuration(proxyBeanMethods = false)
public class InboxFlow {

	private final File folder;

	private final Duration delay;

	InboxFlow(@Value("${inbox.folder}") File folder, @Value("${inbox.delay}") Duration delay) {
		this.folder = folder;
		this.delay = delay;
	}

	@Bean
	IntegrationFlow inbox(LockRegistry<?> lockRegistry, Warehouse warehouse) {
		// Lists one file at a time: others of a longer list may be gone at the next poll.
		FileReadingMessageSource files = new FileReadingMessageSource(1);
		files.setDirectory(this.folder);
		return IntegrationFlow
			.from(files, (endpoint) -> endpoint
				.poller(Pollers.fixedDelay(this.delay).maxMessagesPerPoll(100).advice(oneNodeAtATime(lockRegistry))))
			.handle(warehouse, "receive")
			.get();
	}

	/**
	 * Holds a lock while a file is read, handled and deleted. A file that could not be
	 * handled stays for the next poll, of any node.
	 */
	private static MethodInterceptor oneNodeAtATime(LockRegistry<?> lockRegistry) {
		return (poll) -> {
			Lock lock = lockRegistry.obtain("inbox");
			if (!lock.tryLock()) {
				return null;
			}
			try {
				Message<?> message = (Message<?>) poll.proceed();
				if (message != null) {
					Files.delete(((File) message.getPayload()).toPath());
				}
				return message;
			}
			finally {
				lock.unlock();
			}
		};
	}

}
