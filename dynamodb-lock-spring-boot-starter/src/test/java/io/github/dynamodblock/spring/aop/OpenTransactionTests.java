/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.integration.transaction.PseudoTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that is taken in an open transaction is released before the commit. It is said.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class OpenTransactionTests {

	private static final String WARNING = "was called in an open transaction, which commits after the lock is "
			+ "released";

	@Test
	void aCallInAnOpenTransactionIsWarnedOfOnce(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).withBean(Accounts.class).run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			inATransaction(() -> {
				accounts.write("1");
				accounts.write("2");
			});
			assertThat(log).containsOnlyOnce(Accounts.class.getName() + ".write(String) " + WARNING);
			assertThat(context.getBean(LockClient.class).find("accounts:2")).isPresent();
		});
	}

	@Test
	void aTemplateInAnOpenTransactionIsWarnedOfOnceForEachCaller(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).run((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			locks.executeWithoutResult("accounts:1", (lock) -> inATransaction(
					() -> locks.executeWithoutResult("accounts:1", (joined) -> joined.ensureHeld())));
			assertThat(log).doesNotContain(WARNING);
			for (String account : List.of("accounts:1", "accounts:2")) {
				inATransaction(() -> transfer(locks, account));
			}
			assertThat(log).containsOnlyOnce(WARNING)
				.containsPattern(
						"the body of a LockTemplate in .*OpenTransactionTests\\.transfer\\(OpenTransactionTests"
								+ "\\.java:\\d+\\) " + WARNING);
			inATransaction(() -> locks.executeIfFreeWithoutResult("accounts:1", (lock) -> lock.ensureHeld()));
			assertThat(log).containsPattern("a LockTemplate in .*aTemplateInAnOpenTransaction.* " + WARNING);
		});
	}

	private static void transfer(LockTemplate locks, String account) {
		locks.executeWithoutResult(account, (lock) -> lock.ensureHeld());
	}

	@Test
	void aCallWithoutATransactionIsNot(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).withBean(Accounts.class).run((context) -> {
			context.getBean(Accounts.class).write("1");
			assertThat(log).doesNotContain(WARNING);
		});
	}

	@Test
	void aCallThatJoinsALockFromOutsideOfTheTransactionIsNot(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).withBean(Accounts.class).withBean(Transfers.class).run((context) -> {
			context.getBean(Transfers.class).transfer("1");
			assertThat(log).doesNotContain(WARNING);
		});
	}

	@ParameterizedTest
	@EnumSource
	void aCallAfterTheCommitIsNot(Ending ending, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).withBean(Accounts.class).run((context) -> {
			inATransaction(() -> TransactionSynchronizationManager
				.registerSynchronization(ending.calls(() -> context.getBean(Accounts.class).write("1"))));
			assertThat(context.getBean(LockClient.class).find("accounts:1")).isPresent();
			assertThat(log).doesNotContain(WARNING);
		});
	}

	@Test
	void aCallRightBeforeTheCommitIsWarnedOf(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).withBean(Accounts.class).run((context) -> {
			inATransaction(
					() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
						@Override
						public void beforeCommit(boolean readOnly) {
							context.getBean(Accounts.class).write("1");
						}
					}));
			assertThat(log).containsOnlyOnce(WARNING);
		});
	}

	private static void inATransaction(Runnable body) {
		new TransactionTemplate(new PseudoTransactionManager()).executeWithoutResult((status) -> body.run());
	}

	/** What a transaction calls when it has committed. */
	enum Ending {

		AFTER_COMMIT {

			@Override
			TransactionSynchronization calls(Runnable body) {
				return new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						body.run();
					}
				};
			}

		},

		/** Where {@code @TransactionalEventListener} is called. */
		AFTER_COMPLETION {

			@Override
			TransactionSynchronization calls(Runnable body) {
				return new TransactionSynchronization() {
					@Override
					public void afterCompletion(int status) {
						body.run();
					}
				};
			}

		};

		abstract TransactionSynchronization calls(Runnable body);

	}

	static class Accounts {

		@DistributedLock(name = "accounts", key = "#id")
		void write(String id) {
		}

	}

	static class Transfers {

		private final Accounts accounts;

		Transfers(Accounts accounts) {
			this.accounts = accounts;
		}

		@DistributedLock(name = "accounts", key = "#id")
		void transfer(String id) {
			inATransaction(() -> this.accounts.write(id));
		}

	}

}
