/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.boot.autoconfigure.ReferencePage;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.spring.support.ServiceDate;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockMetricsTests {

	private static final Pattern DOCUMENTED_METER = Pattern
		.compile("(?m)^\\| `(dynamodb\\.lock\\.[a-z.]+)` \\| [^|]*(?:timer|gauge|counter)[^|]*\\|([^|]*)\\|");

	private static final LockRequest REQUEST = LockRequest.of("customer-4711").name("orders");

	private final CallRecorder calls = new CallRecorder();

	@Test
	void anAcquisitionAndItsHoldAreTimed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (HeldLock lock = client.acquire(REQUEST)) {
				assertThat(acquisitions(context, "orders", "acquired")).isOne();
				assertThat(lock.isHeld()).isTrue();
			}
			await().untilAsserted(() -> assertThat(meters(context, "hold", "orders").timer()).satisfies((timer) -> {
				assertThat(timer.count()).isOne();
				assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
			}));
		});
	}

	@Test
	void howLongCurrentHoldsLastIsShown(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			HeldLock first = context.getBean(LockClient.class).acquire(REQUEST);
			HeldLock second = context.getBean(LockClient.class).acquire(LockRequest.of("customer-4712").name("orders"));
			LongTaskTimer holds = required(context, "hold.active", "orders").longTaskTimer();
			await().untilAsserted(() -> assertThat(holds.activeTasks()).isEqualTo(2));
			assertThat(holds.max(TimeUnit.NANOSECONDS)).isPositive();
			second.release();
			await().untilAsserted(() -> assertThat(holds.activeTasks()).isOne());
			new LockRow(dynamoDb, context, "customer-4711").steal();
			await().untilAsserted(() -> assertThat(first.isHeld()).isFalse());
			await().untilAsserted(() -> assertThat(holds.activeTasks()).isZero());
		});
	}

	@Test
	void anAnnotatedMethodIsMeasuredUnderTheNameOfItsLock(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.key-prefix=shop-").withBean(Orders.class).run((context) -> {
			context.getBean(Orders.class).fulfil(4711);
			assertThat(acquisitions(context, "orders", "acquired")).isOne();
		});
	}

	@Test
	void aRequestWithoutANameIsMeasuredAsUnnamed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			context.getBean(LockClient.class).acquire("customer-4711").release();
			assertThat(acquisitions(context, "unnamed", "acquired")).isOne();
		});
	}

	@Test
	void noTagHoldsAKey(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire("customer-4711").release();
			client.acquire(REQUEST).release();
			List<Meter> meters = context.getBean(MeterRegistry.class).getMeters();
			assertThat(meters).extracting((meter) -> meter.getId().getName()).contains("dynamodb.lock.acquire");
			assertThat(meters).noneMatch((meter) -> meter.getId().toString().contains("4711"));
		});
	}

	@Test
	void howAnAcquisitionEndsIsItsOutcome(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (LockClient other = other(dynamoDb, context)) {
				other.acquire(REQUEST);
				assertThat(client.tryAcquire(REQUEST)).isEmpty();
				assertThatExceptionOfType(LockNotGrantedException.class)
					.isThrownBy(() -> client.acquire(REQUEST.waitTime(Duration.ZERO)));
				assertThat(acquisitions(context, "orders", "busy")).isEqualTo(2);
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> client.acquire(REQUEST));
				CompletableFuture<HeldLock> future = client.acquireAsync(REQUEST, Runnable::run);
				assertThat(future.cancel(true)).isTrue();
				assertThat(acquisitions(context, "orders", "cancelled")).isEqualTo(2);
			}
			CompletableFuture<HeldLock> granted = client.acquireAsync(REQUEST, Runnable::run);
			assertThat(granted).succeedsWithin(Duration.ofSeconds(20));
			await().untilAsserted(() -> assertThat(acquisitions(context, "orders", "acquired")).isOne());
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> client.tryAcquire(LockRequest.of("another").name("orders")));
			assertThat(acquisitions(context, "orders", "failed")).isOne();
		});
	}

	@Test
	void whoeverWaitsIsCounted(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (LockClient other = other(dynamoDb, context)) {
				other.acquire(REQUEST);
				CompletableFuture<HeldLock> future = client.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(1)),
						Runnable::run);
				assertThat(waiting(context)).isOne();
				future.cancel(true);
				await().untilAsserted(() -> assertThat(waiting(context)).isZero());
			}
		});
	}

	@Test
	void aLockIsCountedForWhichAnotherClientWaited(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire(REQUEST).release();
			HeldLock lock = client.acquire(REQUEST.leaseDuration(Duration.ofMinutes(1)).automaticRenewal(false));
			try (LockClient other = other(dynamoDb, context)) {
				CompletableFuture<HeldLock> waiting = other.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(1)));
				LockRow row = new LockRow(dynamoDb, context, "customer-4711");
				await().until(() -> row.wantedBy() != null);
				lock.release();
				waiting.join().release();
			}
			await()
				.untilAsserted(() -> assertThat(count(context, "contended", "dynamodb.lock.name", "orders")).isOne());
		});
	}

	@Test
	void takeoversAreCounted(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			try (LockClient crashed = other(dynamoDb, context)) {
				crashed.acquire(REQUEST.leaseDuration(Duration.ofSeconds(2)).automaticRenewal(false));
				HeldLock lock = client.acquire(REQUEST.waitTime(Duration.ofMinutes(1)));
				await().untilAsserted(
						() -> assertThat(count(context, "takeovers", "dynamodb.lock.name", "orders")).isOne());
				lock.release();
				client.acquire(REQUEST).release();
				assertThat(count(context, "takeovers", "dynamodb.lock.name", "orders")).isOne();
			}
		});
	}

	@Test
	void heartbeatsAreCountedAndTheirAgeIsShownAndALossHasItsReason(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.heartbeat-period=500ms").run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire(REQUEST);
			await().until(() -> count(context, "heartbeats", "dynamodb.lock.outcome", "confirmed") > 0);
			this.calls.deny(UpdateItemRequest.class::isInstance);
			await().until(() -> count(context, "heartbeats", "dynamodb.lock.outcome", "failed") > 0);
			double heartbeatPeriod = 0.5;
			await().until(() -> gauge(context, "heartbeat.age", "orders") > heartbeatPeriod || !lock.isHeld());
			assertThat(lock.isHeld()).as("the age was shown before the loss").isTrue();
			await().until(() -> count(context, "lost", "dynamodb.lock.reason", "expired") > 0);
			assertThat(count(context, "lost", "dynamodb.lock.reason", "expired")).isOne();
			assertThat(gauge(context, "heartbeat.age", "orders")).isZero();
			assertThat(required(context, "hold", "orders").timer().count()).isOne();
		});
	}

	@Test
	void everyReasonForALossIsCountedFromZero(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			context.getBean(LockClient.class).acquire(REQUEST).release();
			for (LossReason reason : LossReason.values()) {
				assertThat(required(context, "lost", "orders")
					.tag("dynamodb.lock.reason", reason.name().toLowerCase(Locale.ROOT))
					.counter()
					.count()).as(reason.name()).isZero();
			}
		});
	}

	@Test
	void aLockWhoseReleaseFailsIsNotHeldAnyMore(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire(REQUEST);
			await().until(() -> gauge(context, "heartbeat.age", "orders") > 0);
			this.calls.deny(UpdateItemRequest.class::isInstance);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::release);
			await().untilAsserted(() -> assertThat(gauge(context, "heartbeat.age", "orders")).isZero());
			await().untilAsserted(() -> assertThat(required(context, "hold", "orders").timer().count()).isOne());
			assertThat(meters(context, "lost", "orders").counters())
				.allSatisfy((counter) -> assertThat(counter.count()).isZero());
		});
	}

	@Test
	void aLockThatNobodyRenewsHasNoHeartbeatToBeOld(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			List<HeldLock> told = new CopyOnWriteArrayList<>();
			LockRequest request = REQUEST.automaticRenewal(false).listener(new LockListener() {
				@Override
				public void onAcquired(HeldLock lock) {
					told.add(lock);
				}
			});
			HeldLock lock = context.getBean(LockClient.class).acquire(request);
			await().untilAsserted(() -> assertThat(told).as("the request's own listener").containsExactly(lock));
			assertThat(gauge(context, "heartbeat.age", "orders")).isZero();
		});
	}

	@Test
	void theApplicationsOwnClientsAreMeasuredUnderTheirNames(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		ApplicationContextRunner runner = node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table);
		runner.withUserConfiguration(TwoClients.class).run((context) -> {
			for (String name : List.of("first", "second")) {
				context.getBean(name, LockClient.class).acquire(LockRequest.of(name)).release();
				assertThat(required(context, "acquire", "unnamed").tag("dynamodb.lock.client", name).timer().count())
					.isOne();
			}
			assertThat(context.getBean("again")).isSameAs(context.getBean("first"));
		});
	}

	@Test
	void nothingIsMeasuredWhenSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
			.withPropertyValues("management.metrics.enable.dynamodb.lock=false")
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
			});
	}

	@Test
	void nothingIsMeasuredWithoutARegistry(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(LockClient.class)
				.doesNotHaveBean(InstrumentedLockClients.class));
	}

	@Test
	void aRequestsListenersThatBlockDelayNoListenersOfAnotherClass(EmbeddedDynamoDb dynamoDb) {
		CountDownLatch test = new CountDownLatch(1);
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			// As many as a class of listeners has threads.
			for (int i = 0; i < 32; i++) {
				client.acquire(LockRequest.of("k" + i).listener(new Blocking(test)));
			}
			CompletableFuture<HeldLock> acquired = new CompletableFuture<>();
			HeldLock lock = client.acquire(LockRequest.of("k").listener(new Acquired(acquired)));
			assertThat(acquired).succeedsWithin(Duration.ofSeconds(20)).isSameAs(lock);
			test.countDown();
		});
	}

	@Test
	void backsOffFromTheApplicationsOwnMeters(EmbeddedDynamoDb dynamoDb) {
		MeterRegistry own = new SimpleMeterRegistry();
		node(dynamoDb)
			.withBean("own", InstrumentedLockClients.class,
					() -> new InstrumentedLockClients(ObservationRegistry::create, () -> own))
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(context).hasSingleBean(InstrumentedLockClients.class);
				await().untilAsserted(() -> assertThat(own.get("dynamodb.lock.hold").timer().count()).isOne());
			});
	}

	@Test
	void aClockThatIsWrongIsShown(EmbeddedDynamoDb dynamoDb) {
		ServiceDate date = new ServiceDate();
		date.clockIsAheadBy(Duration.ofHours(-2));
		LockNode.of(dynamoDb, date::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				LockClient client = context.getBean(LockClient.class);
				client.acquire(REQUEST).release();
				client.acquire(LockRequest.of("stock-7").name("stock")).release();
				assertThat(context.getBean(MeterRegistry.class).get("dynamodb.lock.clock.difference").timeGauges())
					.singleElement()
					.satisfies((gauge) -> {
						assertThat(gauge.value(TimeUnit.MINUTES)).isBetween(-130.0, -110.0);
						assertThat(gauge.getId().getTags())
							.containsExactly(Tag.of("dynamodb.lock.client", "dynamoDbLockClient"));
					});
			});
	}

	@Test
	void theDocumentationListsEveryMeterWithItsTags(EmbeddedDynamoDb dynamoDb) {
		Map<String, String> documented = DOCUMENTED_METER.matcher(ReferencePage.of("operations.md").text())
			.results()
			.filter((row) -> !row.group(1).startsWith("dynamodb.lock.job."))
			.collect(Collectors.toMap((row) -> row.group(1), (row) -> row.group(2)));
		node(dynamoDb).withPropertyValues("dynamodb-lock.heartbeat-period=100ms").run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire(REQUEST);
			await().until(() -> count(context, "heartbeats", "dynamodb.lock.outcome", "confirmed") > 0);
			lock.release();
			List<Meter> meters = context.getBean(MeterRegistry.class).getMeters();
			assertThat(meters).extracting((meter) -> meter.getId().getName())
				.containsAll(documented.keySet())
				.allSatisfy((name) -> assertThat(documented).containsKey(name));
			assertThat(meters).allSatisfy((meter) -> assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.filteredOn((tag) -> !tag.equals("dynamodb.lock.client") && !tag.equals("dynamodb.lock.name"))
				.allSatisfy((tag) -> assertThat(documented.get(meter.getId().getName())).contains("`" + tag + "`")));
		});
	}

	@Test
	void anAcquisitionHasOneTimerAlsoWhereItIsObserved(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, ObservationAutoConfiguration.class))
			.run((context) -> {
				context.getBean(LockClient.class).acquire(REQUEST).release();
				assertThat(context.getBean(MeterRegistry.class).getMeters())
					.filteredOn((meter) -> meter instanceof Timer)
					.extracting((meter) -> meter.getId().getName())
					.containsExactlyInAnyOrder("dynamodb.lock.acquire", "dynamodb.lock.hold");
				assertThat(acquisitions(context, "orders", "acquired")).isOne();
			});
	}

	private record Blocking(CountDownLatch test) implements LockListener {

		@Override
		public void onAcquired(HeldLock lock) {
			try {
				this.test.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private record Acquired(CompletableFuture<HeldLock> acquired) implements LockListener {

		@Override
		public void onAcquired(HeldLock lock) {
			this.acquired.complete(lock);
		}

	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	/** A client of another node. */
	private static LockClient other(EmbeddedDynamoDb dynamoDb, ApplicationContext context) {
		String table = context.getBean(DynamoDbLockProperties.class).table().name();
		return LockClient.builder(dynamoDb.client()).tableName(table).build();
	}

	private static Search meters(ApplicationContext context, String meter, String name) {
		return context.getBean(MeterRegistry.class).find("dynamodb.lock." + meter).tag("dynamodb.lock.name", name);
	}

	private static RequiredSearch required(ApplicationContext context, String meter, String name) {
		return context.getBean(MeterRegistry.class).get("dynamodb.lock." + meter).tag("dynamodb.lock.name", name);
	}

	private static long acquisitions(ApplicationContext context, String name, String outcome) {
		return meters(context, "acquire", name).tag("dynamodb.lock.outcome", outcome)
			.timers()
			.stream()
			.mapToLong(Timer::count)
			.sum();
	}

	private static int waiting(ApplicationContext context) {
		return Objects.requireNonNull(required(context, "acquire.active", "orders").longTaskTimer()).activeTasks();
	}

	private static double gauge(ApplicationContext context, String meter, String name) {
		return required(context, meter, name).tag("dynamodb.lock.client", "dynamoDbLockClient").gauge().value();
	}

	private static double count(ApplicationContext context, String meter, String tag, String value) {
		return meters(context, meter, "orders").tag(tag, value)
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#p0")
		void fulfil(long id) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClients {

		@Bean
		LockClient first(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			return LockClient.builder(dynamoDb).tableName(properties.table().name()).build();
		}

		@Bean
		LockClient second(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			return LockClient.builder(dynamoDb).tableName(properties.table().name()).build();
		}

		@Bean
		LockClient again(LockClient first) {
			return first;
		}

	}

}
