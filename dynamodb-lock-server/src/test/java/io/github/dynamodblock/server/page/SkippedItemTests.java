/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.util.Map;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.dynamodblock.server.InstrumentedLockServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;

@InstrumentedLockServer
@Isolated("reads the log")
class SkippedItemTests {

	private static final String NAMESPACE = "skipped-items";

	@Autowired
	private LockTable lockTable;

	@Autowired
	private DynamoDbClient dynamoDb;

	@Value("${dynamodb-lock.table.name}")
	private String table;

	@Test
	void anItemThatIsNotALockIsLoggedOnceHoweverOftenTheTableIsRead() {
		this.dynamoDb.putItem((request) -> request.tableName(this.table)
			.item(Map.of("namespace", AttributeValue.fromS(NAMESPACE), "lockName", AttributeValue.fromS("no-lock"))));
		Logger logger = (Logger) LoggerFactory.getLogger(LockTable.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		try {
			for (int reading = 0; reading < 3; reading++) {
				assertThat(this.lockTable.read(NAMESPACE).locks()).isEmpty();
			}
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list.stream()
			.map(ILoggingEvent::getFormattedMessage)
			.filter((message) -> message.contains(NAMESPACE))).singleElement().asString().contains("not a lock");
	}

}
