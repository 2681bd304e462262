/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEmbeddedAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockHealthContributorAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.boot.autoconfigure.LockClientBuilderCustomizer;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.Gate;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Order(1)
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockHealthTests {

	private final CallRecorder calls = new CallRecorder();

	@Test
	void aTableThatAnswersIsUpAndCostsOneRead(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			client.acquire("held");
			this.calls.clear();
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("table", client.tableName())
				.containsEntry("owner", client.ownerName())
				.containsEntry("held", 1)
				.containsEntry("expiring", 0L);
			assertThat(this.calls.calls()).filteredOn((call) -> !call.equals("UpdateItemRequest"))
				.containsExactly("GetItemRequest");
		});
	}

	@Test
	void aTableWithASortKeyIsReadWithASortKey(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.sort-key-name=sort").run((context) -> {
			LockHealthIndicator health = new LockHealthIndicator(context.getBean(LockClient.class), "", Map.of());
			this.calls.clear();
			await().until(() -> health(health).getStatus().equals(Status.UP) && this.calls.calls().size() == 2);
			assertThat(this.calls.calls()).containsExactly("GetItemRequest", "GetItemRequest");
		});
	}

	@Test
	void manyRequestsWhileTheTableHangsCauseOneReadForWhichFewWait(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Gate table = new Gate();
			this.calls.clear();
			this.calls.deny((call) -> hang(table));
			List<FutureTask<Health>> requests = Stream.generate(() -> new FutureTask<>(() -> health(context)))
				.limit(100)
				.toList();
			requests.forEach((request) -> new Thread(request).start());
			await().until(() -> requests.stream().filter(Future::isDone).count() > requests.size() / 2);
			table.open();
			List<Status> results = new ArrayList<>();
			for (FutureTask<Health> request : requests) {
				results.add(request.get().getStatus());
			}
			assertThat(results).containsOnly(Status.UP, Status.DOWN);
			assertThat(this.calls.calls()).containsExactly("GetItemRequest");

			await().until(() -> health(context).getStatus().equals(Status.UP) && this.calls.calls().size() == 2);
		});
	}

	@Test
	void duringAReadRequestsGetTheLastResultInsteadOfWaiting(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			Gate table = new Gate();
			this.calls.clear();
			this.calls.deny((call) -> hang(table));
			FutureTask<Health> slow = new FutureTask<>(() -> {
				await().until(() -> health(context).getStatus().equals(Status.DOWN));
				return health(context);
			});
			new Thread(slow).start();
			table.awaitEntered();
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(this.calls.calls()).hasSize(1);

			this.calls.deny((call) -> true);
			table.open();
			assertThat(slow.get().getStatus()).isEqualTo(Status.DOWN);
		});
	}

	private static boolean hang(Gate table) {
		table.pass();
		return false;
	}

	@Test
	void locksInTheMemoryOfThisProcessAreSaidToBeEmbedded(EmbeddedDynamoDb dynamoDb) {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class,
					DynamoDbLockHealthContributorAutoConfiguration.class))
			.withPropertyValues("dynamodb-lock.embedded.enabled=true")
			.run((context) -> assertThat(health(context).getDetails()).containsEntry("embedded", true));
		node(dynamoDb).run((context) -> assertThat(health(context).getDetails()).doesNotContainKey("embedded"));
	}

	@Test
	void aTableThatIsGoneIsDownWithTheReasonAndNotLoggedAtEachProbe(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			dynamoDb.client().deleteTable((delete) -> delete.tableName(table(context)));
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString()
				.startsWith(LockTableException.class.getName())
				.contains(table(context));
			assertThat(log).doesNotContain(LockHealthIndicator.class.getSimpleName());
		});
	}

	@Test
	void aTableWithOtherKeysIsDown(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).partitionKeyName("id").createIfMissing();
		try (LockClient client = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
			Health health = new LockHealthIndicator(client, "", Map.of()).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString().startsWith(LockTableException.class.getName());
		}
	}

	@Test
	void aRoleThatMayNotReadIsDown(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.deny((call) -> true);
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString().contains("not authorized");
		});
	}

	@Test
	void aRoleThatMayReadNothingButKeysWithItsPrefixIsUp(EmbeddedDynamoDb dynamoDb) {
		this.calls.deny((call) -> call instanceof GetItemRequest get
				&& get.key().values().stream().noneMatch((value) -> String.valueOf(value.s()).startsWith("shop/")));
		for (String sortKey : List.of("", "sort")) {
			node(dynamoDb)
				.withPropertyValues("dynamodb-lock.key-prefix=shop/", "dynamodb-lock.table.sort-key-name=" + sortKey)
				.run((context) -> assertThat(health(context)).as("sort key '%s'", sortKey)
					.returns(Status.UP, Health::getStatus));
		}
	}

	@Test
	void failingHeartbeatsAreOutOfServiceUntilOneComesThrough(EmbeddedDynamoDb dynamoDb) {
		// A lock counts as expiring long before it could be lost.
		LockClientBuilderCustomizer early = (builder) -> builder.leaseDuration(Duration.ofSeconds(60))
			.heartbeatPeriod(Duration.ofMillis(200))
			.expiryWarning(Duration.ofSeconds(58));
		node(dynamoDb).withBean(LockClientBuilderCustomizer.class, () -> early).run((context) -> {
			HeldLock lock = context.getBean(LockClient.class).acquire(LockRequest.of("k"));
			this.calls.deny(UpdateItemRequest.class::isInstance);
			await().untilAsserted(() -> {
				Health failing = health(context);
				assertThat(failing.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(failing.getDetails()).containsKey("reason");
			});
			this.calls.deny((call) -> false);
			await().until(() -> health(context).getStatus().equals(Status.UP));
			assertThat(lock.isHeld()).isTrue();
		});
	}

	@Test
	void aLeaseThatNobodyRenewsMayEnd(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			HeldLock lock = context.getBean(LockClient.class)
				.acquire(LockRequest.of("k").leaseDuration(Duration.ofSeconds(6)).automaticRenewal(false));
			await().until(lock::isExpiring);
			Health health = health(context);
			assertThat(lock.isHeld()).isTrue();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void severalClientsHaveTheirHealthEach(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		ApplicationContextRunner runner = node(dynamoDb);
		for (String name : List.of("first", "second")) {
			runner = runner.withBean(name, LockClient.class,
					() -> LockClient.builder(dynamoDb.client()).tableName(table).build(),
					(bean) -> ((AbstractBeanDefinition) bean).setDefaultCandidate(name.equals("first")));
		}
		runner.run((context) -> {
			CompositeHealthContributor all = (CompositeHealthContributor) context
				.getBean("dynamoDbLockHealthContributor");
			assertThat(all.stream()).extracting((entry) -> entry.name()).containsExactlyInAnyOrder("first", "second");
			assertThat(health(all.getContributor("second")).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void nothingIsCheckedWhenSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		for (String property : List.of("management.health.dynamodb-lock.enabled", "management.health.defaults.enabled",
				"dynamodb-lock.enabled")) {
			node(dynamoDb).withPropertyValues(property + "=false")
				.run((context) -> assertThat(context).as(property)
					.hasNotFailed()
					.doesNotHaveBean(HealthContributor.class));
		}
	}

	@Test
	void backsOffFromTheApplicationsOwnIndicator(EmbeddedDynamoDb dynamoDb) {
		HealthIndicator own = () -> Health.unknown().build();
		node(dynamoDb).withBean("dynamoDbLockHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).getBean(HealthContributor.class).isSameAs(own));
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockHealthContributorAutoConfiguration.class));
	}

	private static Health health(ApplicationContext context) {
		return health(context.getBean("dynamoDbLockHealthContributor", HealthIndicator.class));
	}

	private static Health health(@Nullable HealthContributor contributor) {
		assertThat(contributor).isInstanceOf(HealthIndicator.class);
		return Objects.requireNonNull(((HealthIndicator) Objects.requireNonNull(contributor)).health());
	}

	private static String table(ApplicationContext context) {
		return context.getBean(DynamoDbLockProperties.class).table().name();
	}

}
