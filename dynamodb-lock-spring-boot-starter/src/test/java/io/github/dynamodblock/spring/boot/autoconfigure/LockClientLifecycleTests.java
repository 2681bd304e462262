/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import com.acme.RestorableHttpClient;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.boot.actuate.LockHealthIndicator;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import io.github.dynamodblock.spring.event.LockLostEvent;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Applications that are checkpointed and restored. No process is frozen: the tests make
 * the calls that CRaC makes to the resource that Spring registers with it.
 */
@ExtendWith(DynamoDbExtension.class)
class LockClientLifecycleTests {

	@Test
	void leasesEndBeforeTheCheckpoint(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = LockNode.of(dynamoDb);
		node.run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			HeldLock lock = client.acquire("k");
			beforeCheckpoint(context);
			assertThat(lock.isHeld()).isFalse();
			assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
			assertThat(client.held()).isEmpty();
			assertThatExceptionOfType(LockClientClosedException.class)
				.isThrownBy(() -> context.getBean(LockTemplate.class).executeWithoutResult("k", (held) -> {
				}))
				.withMessageContaining("closed for a checkpoint");
			node.run((other) -> assertThat(other.getBean(LockClient.class).tryAcquire("k")).isPresent());
			afterRestore(context);
		});
	}

	@Test
	void clonesOfOneProcessHaveDifferentOwnerNames(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.owner-name=node", "dynamodb-lock.wait-time=0");
		node.run((context) -> node.run((clone) -> {
			LockClient one = context.getBean(LockClient.class);
			LockClient two = clone.getBean(LockClient.class);
			List<String> before = List.of(one.ownerName(), two.ownerName());
			beforeCheckpoint(context);
			beforeCheckpoint(clone);
			afterRestore(context);
			afterRestore(clone);
			assertThat(List.of(one.ownerName(), two.ownerName())).doesNotHaveDuplicates()
				.doesNotContainAnyElementsOf(before)
				.allMatch((name) -> name.startsWith("node-"));
			HeldLock lock = one.acquire("k");
			assertThat(two.tryAcquire("k")).isEmpty();
			lock.close();
			assertThat(two.tryAcquire("k")).isPresent();
		}));
	}

	@Test
	void beansLockAgainAfterTheRestore(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Orders.class).run((context) -> {
			String before = context.getBean(Orders.class).ship();
			beforeCheckpoint(context);
			assertThatExceptionOfType(LockClientClosedException.class)
				.isThrownBy(() -> context.getBean(Orders.class).ship());
			afterRestore(context);
			assertThat(context.getBean(Orders.class).ship()).isNotEqualTo(before)
				.isEqualTo(context.getBean(LockClient.class).ownerName());
			context.getBean(LockTemplate.class).executeWithoutResult("k", (lock) -> assertThat(lock.isHeld()).isTrue());
		});
	}

	@Test
	void jobsRunAgainAfterTheRestore(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
			.withUserConfiguration(Scheduling.class)
			.withBean(Job.class)
			.run((context) -> {
				Job job = context.getBean(Job.class);
				await().until(() -> !job.owners().isEmpty());
				beforeCheckpoint(context);
				assertThat(job.owners()).hasSize(1);
				afterRestore(context);
				await().until(() -> job.owners().size() == 2);
				assertThat(job.owners()).contains(context.getBean(LockClient.class).ownerName());
			});
	}

	@Test
	void beansThatStopBeforeTheCheckpointStillHoldTheirLocks(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Consumer.class).run((context) -> {
			beforeCheckpoint(context);
			afterRestore(context);
			assertThat(context.getBean(Consumer.class).events).containsExactly("started", "stopped, held: true",
					"started");
		});
	}

	@Test
	void lossesAreReportedAsEventsBeforeTheCheckpoint(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Losses.class).run((context) -> {
			context.getBean(LockClient.class).acquire("k");
			beforeCheckpoint(context);
			assertThat(context.getBean(Losses.class).reasons).containsExactly(LossReason.CLOSED);
			afterRestore(context);
		});
	}

	@Test
	void theLockRegistryAndItsLeaderElectionWorkAgainAfterTheRestore(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class,
					IntegrationAutoConfiguration.class, DynamoDbLockRegistryAutoConfiguration.class))
			.withUserConfiguration(Leader.class)
			.run((context) -> {
				LockRegistry<?> registry = context.getBean(LockRegistry.class);
				LockRegistryLeaderInitiator leader = context.getBean(LockRegistryLeaderInitiator.class);
				await().until(() -> leader.getContext().isLeader());
				beforeCheckpoint(context);
				assertThat(leader.getContext().isLeader()).isFalse();
				afterRestore(context);
				await().until(() -> leader.getContext().isLeader());
				assertThat(context.getBean(LockClient.class).held()).isNotEmpty();
				AtomicInteger ran = new AtomicInteger();
				registry.executeLocked("k", ran::incrementAndGet);
				assertThat(ran).hasValue(1);
			});
	}

	@Test
	void healthMetersAndTheEndpointShowTheRestoredClient(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				LockClient client = context.getBean(LockClient.class);
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				LockHealthIndicator indicator = new LockHealthIndicator(client, "", Map.of());
				LocksEndpoint endpoint = new LocksEndpoint(Map.of("client", client), context);
				client.acquire(LockRequest.of("k").name("orders"));
				beforeCheckpoint(context);
				assertThat(Objects.requireNonNull(endpoint.locks().clients().get("client")).held()).isEmpty();
				assertThat(meters.get("dynamodb.lock.hold.active").longTaskTimer().activeTasks()).isZero();
				assertThat(meters.get("dynamodb.lock.lost").tag("dynamodb.lock.reason", "closed").counter().count())
					.isOne();
				afterRestore(context);
				client.acquire(LockRequest.of("k").name("orders"));
				Health health = Objects.requireNonNull(indicator.health());
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("owner", client.ownerName()).containsEntry("held", 1);
				assertThat(endpoint.locks().clients().get("client").ownerName()).isEqualTo(client.ownerName());
				assertThat(endpoint.locks().clients().get("client").held()).hasSize(1);
				await().until(() -> meters.get("dynamodb.lock.hold.active").longTaskTimer().activeTasks() == 1);
			});
	}

	@Test
	void everyLockClientBeanIsRestored(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withUserConfiguration(TwoClients.class).run((context) -> {
			Collection<LockClient> clients = context.getBeansOfType(LockClient.class).values();
			List<String> before = clients.stream().map(LockClient::ownerName).toList();
			beforeCheckpoint(context);
			afterRestore(context);
			assertThat(clients).hasSize(2)
				.extracting(LockClient::ownerName)
				.doesNotContainAnyElementsOf(before)
				.allMatch((name) -> !name.isEmpty());
		});
	}

	@Test
	void aContextThatIsClosedReleasesLocksAfterTheBeansThatUseThem(EmbeddedDynamoDb dynamoDb) {
		Worker[] worker = new Worker[1];
		LockNode.of(dynamoDb).withBean(Worker.class).run((context) -> worker[0] = context.getBean(Worker.class));
		assertThat(worker[0].heldWhenDestroyed).isTrue();
	}

	@Test
	void aContextThatIsPausedKeepsItsLocksAndOwnerName(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			String owner = client.ownerName();
			HeldLock lock = client.acquire("k");
			ConfigurableApplicationContext paused = context
				.getSourceApplicationContext(ConfigurableApplicationContext.class);
			paused.pause();
			assertThat(lock.isHeld()).isTrue();
			paused.restart();
			assertThat(lock.isHeld()).isTrue();
			assertThat(client.ownerName()).isEqualTo(owner);
		});
	}

	@Test
	void theDocumentedHttpClientIsClosedAfterTheReleasesAndOpensAgain(EmbeddedDynamoDb dynamoDb) {
		RestorableHttpClient http = new RestorableHttpClient();
		LockNode.of(dynamoDb, (builder) -> builder.httpClientBuilder(null).httpClient(http)).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire("k");
			beforeCheckpoint(context);
			http.beforeCheckpoint(Core.getGlobalContext());
			assertThat(http).hasFieldOrPropertyWithValue("current", null);
			http.afterRestore(Core.getGlobalContext());
			afterRestore(context);
			assertThat(client.tryAcquire("k")).isPresent();
		});
	}

	/** Resources are notified of a checkpoint in the reverse order. */
	@Test
	void theDocumentedHttpClientIsRegisteredBeforeSpringsLifecycle() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(RestorableHttpClient.class,
				Lifecycles.class)
			.web(WebApplicationType.NONE)
			.run()) {
			assertThat(context.getBeanFactory().getSingletonNames()).containsSubsequence("restorableHttpClient",
					"lifecycleProcessor");
		}
	}

	static void beforeCheckpoint(ApplicationContext context) throws Exception {
		resource(context).beforeCheckpoint(null);
	}

	static void afterRestore(ApplicationContext context) throws Exception {
		resource(context).afterRestore(null);
	}

	private static Resource resource(ApplicationContext context) {
		Object resource = ReflectionTestUtils.getField(context.getBean("lifecycleProcessor"), "cracResource");
		return (Resource) Objects.requireNonNull(resource);
	}

	@ImportAutoConfiguration(LifecycleAutoConfiguration.class)
	@Configuration(proxyBeanMethods = false)
	static class Lifecycles {

	}

	static class Orders {

		@DistributedLock(name = "orders")
		public String ship() {
			return LockContext.current().orElseThrow().record().ownerName();
		}

	}

	@EnableScheduling
	@Configuration(proxyBeanMethods = false)
	static class Scheduling {

	}

	/** The owner names under which a job has run. */
	static class Job {

		private final Set<String> owners = ConcurrentHashMap.newKeySet();

		@Scheduled(fixedDelay = 50)
		@ScheduledLock(name = "job")
		public void run() {
			this.owners.add(LockContext.current().orElseThrow().record().ownerName());
		}

		public Set<String> owners() {
			return this.owners;
		}

	}

	/** Holds a lock from its start to its stop, as a consumer of a partition does. */
	static class Consumer implements SmartLifecycle {

		final Collection<String> events = new ConcurrentLinkedQueue<>();

		private final LockClient client;

		private volatile @Nullable HeldLock lock;

		Consumer(LockClient client) {
			this.client = client;
		}

		@Override
		public void start() {
			try {
				this.lock = this.client.acquire("partition");
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			this.events.add("started");
		}

		@Override
		public void stop() {
			HeldLock held = Objects.requireNonNull(this.lock);
			this.events.add("stopped, held: " + held.isHeld());
			held.close();
			this.lock = null;
		}

		@Override
		public boolean isRunning() {
			return this.lock != null;
		}

	}

	static class Losses {

		final Collection<LossReason> reasons = new ConcurrentLinkedQueue<>();

		@EventListener
		void on(LockLostEvent event) {
			this.reasons.add(event.reason());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Leader {

		@Bean
		LockRegistryLeaderInitiator leader(LockRegistry<?> registry) {
			return new LockRegistryLeaderInitiator(registry, new DefaultCandidate("node", "role"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClients {

		@Bean
		LockClient one(LockClientBuilder builder) {
			return builder.build();
		}

		@Bean
		LockClient two(LockClientBuilder builder) {
			return builder.build();
		}

	}

	static class Worker implements DisposableBean {

		private final HeldLock lock;

		boolean heldWhenDestroyed;

		Worker(LockClient client) throws InterruptedException {
			this.lock = client.acquire("k");
		}

		@Override
		public void destroy() {
			this.heldWhenDestroyed = this.lock.isHeld();
		}

	}

}
