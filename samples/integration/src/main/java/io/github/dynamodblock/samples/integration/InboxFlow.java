/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.integration;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.Pollers;
import org.springframework.integration.file.inbound.FileReadingMessageSource;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;

/**
 * Polls a folder that nodes share, one node at a time.
 */
@Configuration(proxyBeanMethods = false)
public class InboxFlow {

	private final File folder;

	private final File failed;

	private final Duration delay;

	InboxFlow(@Value("${inbox.folder}") File folder, @Value("${inbox.delay}") Duration delay) {
		this.folder = folder;
		this.failed = new File(folder, "failed");
		this.delay = delay;
	}

	@Bean
	IntegrationFlow inbox(DynamoDbLockRegistry lockRegistry, Warehouse warehouse) {
		// Lists one file at a time: others of a longer list may be gone at the next poll.
		FileReadingMessageSource files = new FileReadingMessageSource(1);
		files.setDirectory(this.folder);
		files.setFilter((all) -> Arrays.stream(all).filter((file) -> file.isFile() && !file.isHidden()).toList());
		return IntegrationFlow
			.from(files, (endpoint) -> endpoint
				.poller(Pollers.fixedDelay(this.delay).maxMessagesPerPoll(100).advice(oneNodeAtATime(lockRegistry))))
			.handle(warehouse, "receive")
			.get();
	}

	/**
	 * Holds a lock until the file that was read is out of the folder.
	 */
	private MethodInterceptor oneNodeAtATime(DynamoDbLockRegistry lockRegistry) {
		return (poll) -> {
			Lock lock = lockRegistry.obtain("inbox");
			if (!lock.tryLock()) {
				return null;
			}
			try {
				return handleFile(poll);
			}
			finally {
				lock.unlock();
			}
		};
	}

	private Object handleFile(MethodInvocation poll) throws Throwable {
		try {
			Message<?> message = (Message<?>) poll.proceed();
			if (message != null) {
				Files.delete(((File) message.getPayload()).toPath());
			}
			return message;
		}
		catch (MessagingException ex) {
			if (ex.getFailedMessage() != null) {
				setAside((File) ex.getFailedMessage().getPayload(), ex);
			}
			throw ex;
		}
	}

	/**
	 * Moves a file that could not be handled. Otherwise, each poll would read it again,
	 * and no other file.
	 */
	private void setAside(File file, MessagingException failure) {
		try {
			Files.createDirectories(this.failed.toPath());
			// The time keeps an earlier file of the same name.
			File target = new File(this.failed, System.currentTimeMillis() + "-" + file.getName());
			Files.move(file.toPath(), target.toPath());
		}
		catch (IOException ex) {
			failure.addSuppressed(ex);
		}
	}

}
