/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(DynamoDbExtension.class)
class LockObservationTests {

	private static final String NAME = "dynamodb.lock.acquire";

	private static final LockRequest REQUEST = LockRequest.of("customer-4711").name("orders");

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	@Test
	void anAcquisitionIsObservedWithinWhatItsCallerDoes(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			Observation request = Observation.start("http.server.requests", this.registry);
			try (Observation.Scope scope = request.openScope()) {
				client.acquire(REQUEST).release();
				assertThat(this.registry.getCurrentObservation()).as("after it").isSameAs(request);
			}
			request.stop();
			assertThat(this.registry).hasObservationWithNameEqualTo(NAME)
				.that()
				.hasContextualNameEqualTo("acquire lock orders")
				.hasParentObservationEqualTo(request)
				.hasLowCardinalityKeyValue("dynamodb.lock.client", "dynamoDbLockClient")
				.hasLowCardinalityKeyValue("dynamodb.lock.name", "orders")
				.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "acquired")
				.hasHighCardinalityKeyValue("dynamodb.lock.key", "customer-4711")
				.doesNotHaveError()
				.hasBeenStarted()
				.hasBeenStopped();
		});
	}

	@Test
	void anAcquisitionThatIsRefusedIsBusyAndNoError(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (LockClient other = LockClient.builder(dynamoDb.client())
				.tableName(context.getBean(DynamoDbLockProperties.class).table().name())
				.build()) {
				other.acquire(REQUEST);
				assertThatExceptionOfType(LockNotGrantedException.class)
					.isThrownBy(() -> client.acquire(REQUEST.waitTime(Duration.ZERO)))
					.satisfies((refusal) -> assertThat(this.registry).hasSingleObservationThat()
						.hasNameEqualTo(NAME)
						.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "busy")
						.doesNotHaveError()
						.hasBeenStopped());
			}
		});
	}

	@Test
	void aSkippedCallIsBusyAndNoError(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean(SkippedJob.class).run((context) -> {
			try (LockClient other = LockClient.builder(dynamoDb.client())
				.tableName(context.getBean(DynamoDbLockProperties.class).table().name())
				.build()) {
				other.acquire(LockRequest.of("skipped-job"));
				context.getBean(SkippedJob.class).run();
				assertThat(this.registry).hasSingleObservationThat()
					.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "busy")
					.doesNotHaveError()
					.hasBeenStopped();
				context.getBean(SkippedJob.class).later().block();
				await().untilAsserted(() -> assertThat(this.registry).hasNumberOfObservationsEqualTo(2)
					.forAllObservationsWithNameEqualTo(NAME,
							(each) -> each.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "busy")
								.doesNotHaveError()));
			}
		});
	}

	@Test
	void aCallThatFailsIsAnError(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(ObservationRegistry.class, () -> this.registry)
			.run((context) -> {
				calls.deny((call) -> true);
				assertThatExceptionOfType(RuntimeException.class)
					.isThrownBy(() -> context.getBean(LockClient.class).tryAcquire(REQUEST))
					.satisfies((problem) -> assertThat(this.registry).hasSingleObservationThat()
						.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "failed")
						.hasError(problem));
			});
	}

	@Test
	void aTryThatFindsTheLockBusyIsNoError(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire(LockRequest.of("customer-4711"));
			this.registry.clear();
			assertThat(client.tryAcquire(REQUEST)).isEmpty();
			assertThat(this.registry).hasSingleObservationThat()
				.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "busy")
				.doesNotHaveError()
				.hasBeenStopped();
		});
	}

	@Test
	void anAcquisitionThatNobodyWaitsForEndsWithItsFuture(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			HeldLock held = client.acquire(LockRequest.of("customer-4711"));
			this.registry.clear();
			Observation request = Observation.start("http.server.requests", this.registry);
			CompletableFuture<HeldLock> future;
			try (Observation.Scope scope = request.openScope()) {
				future = client.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(1)), Runnable::run);
				assertThat(this.registry.getCurrentObservation()).isSameAs(request);
			}
			assertThat(this.registry).hasObservationWithNameEqualTo(NAME)
				.that()
				.hasParentObservationEqualTo(request)
				.isNotStopped();
			held.release();
			assertThat(future).succeedsWithin(Duration.ofSeconds(20));
			// The observation ends beside what hangs on the future.
			await().untilAsserted(() -> assertThat(this.registry).hasObservationWithNameEqualTo(NAME)
				.that()
				.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "acquired")
				.hasBeenStopped());
		});
	}

	@Test
	void givingUpTheFutureGivesUpTheLockAndEndsTheObservation(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire(LockRequest.of("customer-4711"));
			this.registry.clear();
			client.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(1)), Runnable::run).cancel(true);
			assertThat(this.registry).hasSingleObservationThat()
				.hasLowCardinalityKeyValue("dynamodb.lock.outcome", "cancelled")
				.hasBeenStopped();
			assertThat(client.waiting()).isEmpty();
		});
	}

	@Test
	void theApplicationsConventionIsUsed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
			.withBean(OwnConvention.class)
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(this.registry).hasSingleObservationThat().hasNameEqualTo("our.locks");
			});
	}

	@Test
	void nothingIsObservedByARegistryThatDoesNothing(EmbeddedDynamoDb dynamoDb) {
		runner(dynamoDb).withBean(ObservationRegistry.class, () -> ObservationRegistry.NOOP).run((context) -> {
			try (HeldLock lock = context.getBean(LockClient.class).acquire(REQUEST)) {
				assertThat(lock.isHeld()).isTrue();
			}
		});
	}

	@Test
	void nothingIsObservedWhenSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
			.withPropertyValues("management.observations.enable.dynamodb.lock=false")
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(this.registry).doesNotHaveAnyObservation();
			});
	}

	@Test
	void nothingIsObservedWithoutARegistry(EmbeddedDynamoDb dynamoDb) {
		runner(dynamoDb).run((context) -> assertThat(context).hasSingleBean(LockClient.class)
			.doesNotHaveBean(InstrumentedLockClients.class));
	}

	@Test
	void theApplicationsOwnClientIsObserved(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb)
			.withBean("own", LockClient.class, () -> LockClient.builder(dynamoDb.client()).tableName(table).build())
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(this.registry).hasSingleObservationThat()
					.hasLowCardinalityKeyValue("dynamodb.lock.client", "own");
			});
	}

	@Test
	void backsOffFromTheApplicationsOwnObservations(EmbeddedDynamoDb dynamoDb) {
		TestObservationRegistry own = TestObservationRegistry.create();
		node(dynamoDb)
			.withBean("own", InstrumentedLockClients.class, () -> new InstrumentedLockClients(() -> own, null))
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(context).hasSingleBean(InstrumentedLockClients.class);
				assertThat(own).hasSingleObservationThat().hasNameEqualTo(NAME);
				assertThat(this.registry).doesNotHaveAnyObservation();
			});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return runner(dynamoDb).withBean(ObservationRegistry.class, () -> this.registry);
	}

	private static ApplicationContextRunner runner(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class));
	}

	static class SkippedJob {

		@DistributedLock(name = "skipped-job", onBusy = OnBusy.SKIP)
		void run() {
			throw new IllegalStateException("ran without the lock");
		}

		@DistributedLock(name = "skipped-job", onBusy = OnBusy.SKIP)
		public Mono<String> later() {
			return Mono.error(new IllegalStateException("ran without the lock"));
		}

	}

	private static final class OwnConvention extends DefaultLockObservationConvention {

		@Override
		public String getName() {
			return "our.locks";
		}

	}

}
