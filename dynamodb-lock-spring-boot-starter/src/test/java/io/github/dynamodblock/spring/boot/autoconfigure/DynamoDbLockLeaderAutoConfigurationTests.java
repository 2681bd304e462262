/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnFailedToAcquireMutexEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Order(1)
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class DynamoDbLockLeaderAutoConfigurationTests {

	@Test
	void aRoleIsLedFromTheStartUnderALockOfTheRegistry(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.id=node-1")
			.withBean(Elections.class)
			.run((context) -> {
				awaitLeader(context);
				assertThat(context.getBean(LockRegistryLeaderInitiator.class).getContext())
					.hasToString("LockContext{role=reports, id=node-1, isLeader=true}");
				assertThat(context.getBean(LockClient.class).holds(LockKey.of("registry:reports"))).isTrue();
				assertThat(context.getBean(DynamoDbLockRegistry.class).heldLock("reports").filter(HeldLock::isHeld))
					.isPresent();
				await().atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> assertThat(context.getBean(Elections.class).granted).hasSize(1));
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.leader.id=node-1", "dynamodb-lock.leader.role=" })
	void withoutARoleThereIsNoElection(String property, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockRegistry.class)
				.doesNotHaveBean(LockRegistryLeaderInitiator.class));
	}

	@Test
	void withLocksSwitchedOffThereIsNoElection(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.enabled=false", "dynamodb-lock.leader.role=reports",
					"dynamodb-lock.leader.heartbeat-period=0s")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistryLeaderInitiator.class));
	}

	@Test
	void theApplicationsCandidateIsTold(EmbeddedDynamoDb dynamoDb) {
		Worker worker = new Worker("node-1", "reports");
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withBean("worker", Candidate.class, () -> worker)
			.run((context) -> {
				assertThat(worker.next()).isEqualTo("granted");
				context.getBean(LockRegistryLeaderInitiator.class).stop();
				assertThat(worker.next()).isEqualTo("interrupted");
				assertThat(worker.next()).isEqualTo("revoked");
			});
	}

	@Test
	void ofSeveralCandidatesThePrimaryOneStands(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withBean("other", Candidate.class, () -> new Worker("node-1", "imports"));
		node.withBean("worker", Candidate.class, () -> new Worker("node-1", "reports"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContaining("other,worker"));
		node.withBean("worker", Candidate.class, () -> new Worker("node-1", "reports"),
				(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void backsOffFromTheApplicationsOwnInitiator(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withBean("own", LockRegistryLeaderInitiator.class,
					() -> new LockRegistryLeaderInitiator(new DefaultLockRegistry()))
			.run((context) -> assertThat(context).getBeanNames(LockRegistryLeaderInitiator.class)
				.containsExactly("own"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anotherRegistryElectsNoLeader(boolean lazy, EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=aggregators-" + lazy)
			.withBean("local", DefaultLockRegistry.class, DefaultLockRegistry::new)
			.withInitializer((context) -> {
				if (lazy) {
					context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
				}
			})
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistryLeaderInitiator.class);
				assertThat(log)
					.containsOnlyOnce(
							"No leader is elected for dynamodb-lock.leader.role=aggregators-" + lazy + ", because")
					.contains("(local)");
			});
	}

	@Test
	void besideAnotherRegistryTheDynamoDbLockRegistryElects(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.heartbeat-period=500ms")
			.withBean("local", DefaultLockRegistry.class, DefaultLockRegistry::new)
			.withUserConfiguration(OwnLockRegistry.class)
			.run((context) -> {
				awaitLeader(context);
				assertThat(context.getBean(LockClient.class).held()).hasSize(1);
			});
	}

	@Test
	void withoutARegistryTheStartEnds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.registry.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("no DynamoDbLockRegistry")
				.hasMessageContaining("dynamodb-lock.leader.role=reports"));
	}

	@Test
	void everyPropertyReachesTheInitiator(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.heartbeat-period=300ms",
					"dynamodb-lock.leader.retry-delay=20ms", "dynamodb-lock.leader.publish-failed-events=true",
					"dynamodb-lock.leader.auto-startup=false")
			.run((context) -> {
				LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
				assertThat(initiator.isRunning()).isFalse();
				assertThat(initiator.isAutoStartup()).isFalse();
				assertThat(initiator.isPublishFailedEvents()).isTrue();
				assertThat(initiator).hasFieldOrPropertyWithValue("heartBeatMillis", 300L)
					.hasFieldOrPropertyWithValue("busyWaitMillis", 20L);
			});
	}

	@Test
	void unlessSetPropertiesAreAsTheInitiatorHasThemButForThePauseAfterAYield(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports").run((context) -> {
			LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
			LockRegistryLeaderInitiator plain = new LockRegistryLeaderInitiator(new DefaultLockRegistry());
			assertThat(initiator).hasFieldOrPropertyWithValue("busyWaitMillis", 1000L);
			assertThat(List.of("heartBeatMillis", "publishFailedEvents", "autoStartup", "phase"))
				.allSatisfy((field) -> assertThat(ReflectionTestUtils.getField(initiator, field)).as(field)
					.isEqualTo(ReflectionTestUtils.getField(plain, field)));
		});
	}

	@Test
	void aFollowerIsToldOfFailuresWhereItAskedForThem(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.publish-failed-events=true",
					"dynamodb-lock.leader.auto-startup=false")
			.withBean(Elections.class)
			.run((context) -> {
				String table = context.getBean(LockClient.class).tableName();
				try (LockClient leader = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
					leader.acquire("registry:reports");
					context.getBean(LockRegistryLeaderInitiator.class).start();
					await().atMost(Duration.ofSeconds(30))
						.untilAsserted(() -> assertThat(context.getBean(Elections.class).failed).isNotEmpty());
				}
				awaitLeader(context);
			});
	}

	@Test
	void anElectionThatCannotSucceedIsWarnedOfOnceUntilItCan(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		withElection(LockNode.of(dynamoDb, calls::attach))
			.withPropertyValues("dynamodb-lock.leader.role=audits", "dynamodb-lock.leader.retry-delay=20ms",
					"dynamodb-lock.leader.auto-startup=false")
			.run((context) -> {
				calls.deny(UpdateItemRequest.class::isInstance);
				calls.clear();
				context.getBean(LockRegistryLeaderInitiator.class).start();
				await().atMost(Duration.ofSeconds(30)).until(() -> calls.calls().size() > 5);
				String calling = "DynamoDB calls of lock client '" + context.getBean(LockClient.class).ownerName();
				await().untilAsserted(() -> assertThat(log).containsOnlyOnce("consecutive " + calling + "' failed")
					.contains("not authorized"));

				calls.deny((request) -> false);
				awaitLeader(context);
				await().untilAsserted(() -> assertThat(log).contains(calling + "' succeed again"));
			});
	}

	@Test
	void aRoleWhoseLockAloneIsRefusedIsWarnedOfOncePerCause(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		withElection(LockNode.of(dynamoDb, calls::attach))
			.withPropertyValues("dynamodb-lock.leader.role=payouts", "dynamodb-lock.leader.retry-delay=20ms",
					"dynamodb-lock.leader.auto-startup=false")
			.run((context) -> {
				calls.deny((request) -> request instanceof UpdateItemRequest update
						&& update.key().containsValue(AttributeValue.fromS("registry:payouts")));
				calls.clear();
				context.getBean(LockRegistryLeaderInitiator.class).start();
				await().atMost(Duration.ofSeconds(30)).until(() -> {
					context.getBean(LockClient.class).acquire("other").release();
					return calls.calls().size() > 50;
				});
				String warning = "Leader election for role 'payouts' could not reach the lock; retrying";
				assertThat(log).containsOnlyOnce(warning).contains("not authorized");
				calls.deny((request) -> false);
				awaitLeader(context);
				await().untilAsserted(
						() -> assertThat(log).contains("Leader election for role 'payouts' reaches the lock again"));
			});
	}

	@Test
	void standsForElectionWhereBeansAreLazy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("lockRegistryLeaderInitiator")).isTrue();
				awaitLeader(context);
			});
	}

	@Test
	void stoppedAndStartedAgainItLeadsAgain(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports").run((context) -> {
			awaitLeader(context);
			context.getSourceApplicationContext().stop();
			assertThat(context.getBean(LockClient.class).find("registry:reports")).isEmpty();
			context.getSourceApplicationContext().start();
			awaitLeader(context);
		});
	}

	@Test
	void aLeaderWhoseLockWasTakenIsRevokedLeadsAgainLaterAndCanYield(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.heartbeat-period=50ms",
					"dynamodb-lock.lease-duration=2s")
			.run((context) -> {
				awaitLeader(context);
				new LockRow(dynamoDb, context, "registry:reports").steal();
				LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
				await().atMost(Duration.ofSeconds(30)).until(() -> !initiator.getContext().isLeader());
				awaitLeader(context);
				DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
				long token = registry.heldLock("reports").orElseThrow().fencingToken();
				initiator.getContext().yield();
				// Nobody else stands for the role.
				await().atMost(Duration.ofSeconds(30))
					.until(() -> registry.heldLock("reports")
						.filter((lock) -> lock.fencingToken() > token)
						.isPresent());
			});
	}

	@Test
	void closingWaitsForTheLeadersWorkWhileItsLockIsHeldAndItsBeansAreThere(EmbeddedDynamoDb dynamoDb)
			throws InterruptedException {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		Worker worker = new Worker("node-1", "reports");
		try (LockClient observer = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
			node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.leader.role=reports")
				.withBean("ledger", Ledger.class, () -> new Ledger(worker))
				.withBean("worker", Worker.class, () -> worker, (definition) -> definition.setDependsOn("ledger"))
				.run((context) -> {
					assertThat(worker.next()).isEqualTo("granted");
					worker.lingering = new CountDownLatch(1);
					Thread thread = new Thread(context.getSourceApplicationContext()::close);
					thread.start();
					assertThat(worker.next()).isEqualTo("interrupted");
					// The work goes on after its interrupt, and so does the lock.
					await().atMost(Duration.ofSeconds(30)).until(() -> isWaiting(thread));
					assertThat(observer.find("registry:reports")).isPresent();
					assertThat(context.getBean(LockClient.class).holds(LockKey.of("registry:reports"))).isTrue();
					worker.lingering.countDown();
					thread.join();
				});
			assertThat(worker.next()).isEqualTo("revoked");
			assertThat(worker.next()).isEqualTo("ledger closed");
			assertThat(observer.find("registry:reports")).isEmpty();
		}
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
	}

	static void awaitLeader(ApplicationContext context) {
		LockRegistryLeaderInitiator initiator = context.getBean(LockRegistryLeaderInitiator.class);
		await().atMost(Duration.ofSeconds(30)).until(() -> initiator.getContext().isLeader());
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return withElection(LockNode.of(dynamoDb));
	}

	private static ApplicationContextRunner withElection(ApplicationContextRunner node) {
		return node.withConfiguration(AutoConfigurations.of(DynamoDbLockRegistryAutoConfiguration.class,
				DynamoDbLockLeaderAutoConfiguration.class));
	}

	/** Works in the leader's thread until it is interrupted. */
	static final class Worker extends AbstractCandidate {

		final BlockingQueue<String> steps = new LinkedBlockingQueue<>();

		volatile CountDownLatch lingering = new CountDownLatch(0);

		Worker(String id, String role) {
			super(id, role);
		}

		@Override
		public void onGranted(Context context) throws InterruptedException {
			this.steps.add("granted");
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.steps.add("interrupted");
				this.lingering.await();
				throw ex;
			}
		}

		@Override
		public void onRevoked(Context context) {
			this.steps.add("revoked");
		}

		@Nullable String next() throws InterruptedException {
			return this.steps.poll(30, TimeUnit.SECONDS);
		}

	}

	/** Something that the worker needs. */
	record Ledger(Worker worker) implements AutoCloseable {

		@Override
		public void close() {
			this.worker.steps.add("ledger closed");
		}

	}

	static class Elections {

		final BlockingQueue<OnGrantedEvent> granted = new LinkedBlockingQueue<>();

		final BlockingQueue<OnFailedToAcquireMutexEvent> failed = new LinkedBlockingQueue<>();

		@EventListener
		void on(OnGrantedEvent event) {
			this.granted.add(event);
		}

		@EventListener
		void on(OnFailedToAcquireMutexEvent event) {
			this.failed.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLockRegistry {

		@Bean
		DynamoDbLockRegistry lockRegistry(LockClient client) {
			return DynamoDbLockRegistry.builder(client).build();
		}

	}

}
