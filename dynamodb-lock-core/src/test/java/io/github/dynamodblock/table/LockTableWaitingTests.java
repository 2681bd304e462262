/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.testing.TestDynamoDb;
import io.github.dynamodblock.table.TableSetup.PollClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tables that are not ready at once. DynamoDB Local's are, so an interceptor changes the
 * status in its answers; time passes only by the client's pauses.
 */
class LockTableWaitingTests {

	private final SlowTable slow = new SlowTable();

	private final SimulatedClock clock = new SimulatedClock();

	private final DynamoDbClient client = TestDynamoDb.newClient((builder) -> builder.overrideConfiguration(
			(override) -> override.addExecutionInterceptor(this.slow).retryStrategy(AwsRetryStrategy.doNotRetry())));

	private final LockTable table = LockTable.of(this.client, TestDynamoDb.newTableName()).clock(this.clock);

	@AfterEach
	void closeClient() {
		this.client.close();
	}

	@Test
	void aNewTableIsWaitedForUntilItIsActive() {
		this.slow.statuses.addAll(List.of(TableStatus.CREATING, TableStatus.CREATING, TableStatus.ACTIVE));
		assertThat(this.table.createIfMissing()).isTrue();
		assertThat(this.slow.statuses).isEmpty();
		assertThat(this.clock.pauses).hasSize(3).isSorted();
	}

	@Test
	void timeToLiveIsEnabledForATableWhoseCreatorCrashedBeforeItWasDone() {
		this.table.withoutTimeToLive().createIfMissing();
		assertThat(this.table.createIfMissing()).isFalse();
		assertThat(timeToLive()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
	}

	@Test
	void anOldTableIsNotChanged() {
		this.table.withoutTimeToLive().createIfMissing();
		this.clock.timeOfDay = Instant.now().plus(Duration.ofHours(1));
		assertThat(this.table.createIfMissing()).isFalse();
		assertThat(timeToLive()).isEqualTo(TimeToLiveStatus.DISABLED);
	}

	@Test
	void checkingChangesNothing() {
		this.table.withoutTimeToLive().createIfMissing();
		this.table.check();
		assertThat(timeToLive()).isEqualTo(TimeToLiveStatus.DISABLED);
	}

	@Test
	void aTableThatAnotherProcessIsCreatingIsAwaitedAndItsTimeToLiveEnabled() {
		this.table.withoutTimeToLive().createIfMissing();
		this.slow.statuses.addAll(List.of(TableStatus.CREATING, TableStatus.ACTIVE));
		assertThat(this.table.createIfMissing()).isFalse();
		assertThat(timeToLive()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
	}

	@Test
	void timeToLiveThatAnotherProcessEnabledJustBeforeIsNoFailure() {
		this.table.createIfMissing();
		this.slow.statuses.addAll(List.of(TableStatus.CREATING, TableStatus.ACTIVE));
		this.slow.timeToLiveStatuses.addAll(List.of(TimeToLiveStatus.DISABLED, TimeToLiveStatus.ENABLING));
		assertThat(this.table.createIfMissing()).isFalse();
		assertThat(this.slow.timeToLiveStatuses).isEmpty();
	}

	@Test
	void aCheckedTableIsWaitedForUntilItIsActive() {
		this.table.createIfMissing();
		this.slow.statuses.addAll(List.of(TableStatus.CREATING, TableStatus.UPDATING));
		this.table.check();
		assertThat(this.slow.statuses).isEmpty();
	}

	@Test
	void aTableThatIsBeingDeletedIsMissingAfterwards() {
		this.table.createIfMissing();
		this.slow.statuses.add(TableStatus.DELETING);
		this.clock.afterPause = () -> TestDynamoDb.client()
			.deleteTable((request) -> request.tableName(this.slow.tableName));
		assertThatExceptionOfType(LockTableException.class).isThrownBy(this.table::check)
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.MISSING));
	}

	@Test
	void theWaitEndsWhenTheTableIsNotActiveInTime() {
		this.table.createIfMissing();
		this.slow.always = TableStatus.CREATING;
		LockTable impatient = this.table.waitAtMost(Duration.ofSeconds(10));
		for (Runnable call : List.<Runnable>of(impatient::check, impatient::createIfMissing)) {
			this.clock.pauses.clear();
			assertThatExceptionOfType(LockTableException.class).isThrownBy(call::run)
				.withMessageContaining("CREATING")
				.withMessageContaining("10 s")
				.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.NOT_ACTIVE));
			assertThat(this.clock.pauses.stream().mapToLong(Long::longValue).sum())
				.isEqualTo(Duration.ofSeconds(10).toNanos());
			assertThat(this.clock.pauses).allSatisfy((pause) -> assertThat(pause).isPositive());
			assertThat(this.clock.pauses).hasSizeLessThan(20);
		}
	}

	@Test
	void theWaitEndsWhenTimeToLiveIsNotEnabledInTime() {
		this.table.createIfMissing();
		this.slow.statuses.addAll(List.of(TableStatus.CREATING, TableStatus.ACTIVE));
		this.slow.alwaysTimeToLive = TimeToLiveStatus.DISABLED;
		assertThatExceptionOfType(LockTableException.class).isThrownBy(this.table::createIfMissing)
			.withMessageContaining("aws dynamodb update-time-to-live")
			.satisfies((refused) -> assertThat(refused.problem()).isEqualTo(Problem.NOT_ACTIVE));
	}

	@Test
	void anInterruptEndsTheWaitAndStaysSet() {
		this.table.createIfMissing();
		this.slow.always = TableStatus.CREATING;
		this.clock.afterPause = () -> Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(this.table::check)
				.withMessageContaining("Interrupted")
				.withCauseInstanceOf(InterruptedException.class);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
	}

	@Test
	void theClockOfTheMachineIsInterruptible() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> new PollClock() {
		}.pause(Duration.ofDays(1).toNanos()));
	}

	@Test
	void anEndpointThatIsNotReachedIsReportedWithItsAddress() {
		try (DynamoDbClient nowhere = TestDynamoDb
			.newClient((builder) -> builder.endpointOverride(URI.create("http://127.0.0.1:1"))
				.overrideConfiguration((override) -> override.retryStrategy(AwsRetryStrategy.doNotRetry())))) {
			LockTable unreachable = LockTable.of(nowhere, "locks");
			for (Runnable call : List.<Runnable>of(unreachable::check, unreachable::createIfMissing)) {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(call::run)
					.withMessageContaining("DescribeTable of table 'locks'")
					.withMessageContaining("http://127.0.0.1:1")
					.withMessageContaining("Check the endpoint and the region");
			}
		}
	}

	private TimeToLiveStatus timeToLive() {
		return TestDynamoDb.client()
			.describeTimeToLive((request) -> request.tableName(this.slow.tableName))
			.timeToLiveDescription()
			.timeToLiveStatus();
	}

	/** Changes the status in DynamoDB's answers. */
	private static final class SlowTable implements ExecutionInterceptor {

		private final Deque<TableStatus> statuses = new ArrayDeque<>();

		private final Deque<TimeToLiveStatus> timeToLiveStatuses = new ArrayDeque<>();

		private TableStatus always = TableStatus.UNKNOWN_TO_SDK_VERSION;

		private TimeToLiveStatus alwaysTimeToLive = TimeToLiveStatus.UNKNOWN_TO_SDK_VERSION;

		private String tableName = "";

		@Override
		public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
			SdkResponse response = context.response();
			if (response instanceof DescribeTableResponse described) {
				this.tableName = described.table().tableName();
				TableStatus status = this.statuses.isEmpty() ? this.always : this.statuses.remove();
				return (status == TableStatus.UNKNOWN_TO_SDK_VERSION) ? described
						: described.toBuilder()
							.table(described.table().toBuilder().tableStatus(status).build())
							.build();
			}
			if (response instanceof DescribeTimeToLiveResponse described) {
				TimeToLiveStatus status = this.timeToLiveStatuses.isEmpty() ? this.alwaysTimeToLive
						: this.timeToLiveStatuses.remove();
				return (status == TimeToLiveStatus.UNKNOWN_TO_SDK_VERSION) ? described : with(described, status);
			}
			return response;
		}

		private static SdkResponse with(DescribeTimeToLiveResponse described, TimeToLiveStatus status) {
			TimeToLiveDescription changed = described.timeToLiveDescription()
				.toBuilder()
				.timeToLiveStatus(status)
				.build();
			return described.toBuilder().timeToLiveDescription(changed).build();
		}

	}

	private static final class SimulatedClock implements PollClock {

		private final List<Long> pauses = new ArrayList<>();

		private Runnable afterPause = () -> {
		};

		private long now;

		private Instant timeOfDay = Instant.now();

		@Override
		public Instant timeOfDay() {
			return this.timeOfDay;
		}

		@Override
		public long nanos() {
			return this.now;
		}

		@Override
		public void pause(long nanos) throws InterruptedException {
			this.pauses.add(nanos);
			this.now += nanos;
			this.afterPause.run();
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}

	}

}
