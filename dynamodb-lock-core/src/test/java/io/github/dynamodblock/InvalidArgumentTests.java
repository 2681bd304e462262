/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Invalid arguments and tables, and the messages about them.
 */
@Order(1)
class InvalidArgumentTests {

	@Test
	void anEmptyKeyIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("")).withMessageContaining("partition key");
		assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("a", "")).withMessageContaining("sort key");
	}

	@Test
	void aKeyOverTheLimitOfDynamoDbIsRefusedByItsBytesAndNotItsCharacters() {
		assertThat(LockKey.of("ä".repeat(1024)).partition()).hasSize(1024);
		assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("ä".repeat(1025)))
			.withMessageContaining("2050 bytes")
			.withMessageContaining("2048");
		assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("a", "b".repeat(1025)))
			.withMessageContaining("1024");
	}

	@Test
	void durationsOutOfRangeAreRefused() {
		LockRequest request = LockRequest.of("k");
		assertThatIllegalArgumentException().isThrownBy(() -> request.waitTime(Duration.ofMillis(-1)))
			.withMessageContaining("waitTime")
			.withMessageContaining("-1 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ZERO))
			.withMessageContaining("leaseDuration")
			.withMessageContaining("100 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessageContaining("365 days");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ofNanos(1_000_000_001)))
			.withMessageContaining("whole milliseconds");
		assertThatIllegalArgumentException().isThrownBy(() -> request.heartbeatPeriod(Duration.ZERO))
			.withMessageContaining("heartbeatPeriod");
		assertThatIllegalArgumentException().isThrownBy(() -> request.heartbeatPeriod(Duration.ofNanos(1)))
			.withMessageContaining("at least 10 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofDays(366)))
			.withMessageContaining("holdAtLeast");
		for (Duration bad : List.of(Duration.ofSeconds(-1), Duration.ZERO, Duration.ofMillis(99))) {
			refused(() -> request.holdAtMost(bad), "holdAtMost is " + LogText.of(bad), "at least 100 ms");
			refused(() -> LockClient.builder(TestDynamoDb.client()).holdAtMost(bad),
					"holdAtMost is " + LogText.of(bad));
		}
	}

	@Test
	void aHeartbeatAboveHalfTheLeaseIsRefusedWhenTheClientIsBuiltAndWhenALockIsAcquired() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockClient.builder(TestDynamoDb.client())
				.leaseDuration(Duration.ofSeconds(10))
				.heartbeatPeriod(Duration.ofMillis(5001))
				.build())
			.withMessageContaining("heartbeatPeriod is 5.001 s")
			.withMessageContaining("half of leaseDuration");
		refusedBeforeAnythingIsSent(LockRequest.of("k").heartbeatPeriod(Duration.ofSeconds(11)),
				"half of leaseDuration");
	}

	@Test
	void anExpiryWarningOutOfRangeIsRefused() {
		LockClientBuilder builder = LockClient.builder(TestDynamoDb.client());
		for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(366),
				Duration.ofSeconds(Long.MAX_VALUE))) {
			refused(() -> builder.expiryWarning(bad), "expiryWarning is " + LogText.of(bad), "positive", "shorter");
		}
	}

	@Test
	void anExpiryWarningThatLeavesNoTimeForAHeartbeatIsRefused() {
		LockClientBuilder builder = LockClient.builder(TestDynamoDb.client())
			.leaseDuration(Duration.ofSeconds(10))
			.expiryWarning(Duration.ofSeconds(8));
		refused(builder::build, "expiryWarning is 8 s", "leaseDuration 10 s", "heartbeatPeriod 2.5 s",
				"at most 7.301 s");
	}

	@Test
	void whatDynamoDbWouldRefuseOrChangeIsRefusedBefore() {
		refused(() -> LockKey.of("a\ud800"), "surrogate");
		refused(() -> LockKey.of("a", "\udc00b"), "surrogate");
		refused(() -> ItemChange.none().attribute("count", AttributeValue.fromN("abc")), "count", "abc");
		assertThat(ItemChange.none().attribute("count", AttributeValue.fromN("-1.5e3")).attributes()).hasSize(1);
		refused(() -> LockClient.builder(TestDynamoDb.client()).ownerName(""), "ownerName");
		try (LockClient client = LockClient.builder(TestDynamoDb.client()).build()) {
			refused(() -> client.forceRelease(LockKey.of("k"), ""), "expectedOwner");
			refused(() -> client.change(LockKey.of("k", "sort"), ItemChange.none()), "sort");
		}
	}

	@Test
	void aTimeToHoldAtLeastThatNothingRenewsIsRefused() {
		LockRequest request = LockRequest.of("k").automaticRenewal(false).leaseDuration(Duration.ofSeconds(10));
		refusedBeforeAnythingIsSent(request.holdAtLeast(Duration.ofSeconds(30)), "automaticRenewal");
	}

	@Test
	void aHoldAtMostThatIsShorterThanHoldAtLeastIsRefused() {
		LockRequest request = LockRequest.of("k").holdAtLeast(Duration.ofSeconds(30));
		refusedBeforeAnythingIsSent(request.holdAtMost(Duration.ofSeconds(29)),
				"holdAtMost must not be shorter than holdAtLeast");
	}

	@Test
	void aConditionOnTheLocksOwnAttributesIsRefused() {
		for (String name : List.of("key", "ownerName", "isReleased", "data", "fencingToken", "expiresAt")) {
			refusedBeforeAnythingIsSent(
					LockRequest.of("k").condition(ItemCondition.exists("open").and(ItemCondition.notExists(name))),
					"names [" + name + "], which the lock itself uses");
		}
	}

	@Test
	void aChangeOfTheLocksOwnAttributesIsRefusedWheneverItIsMade() {
		AttributeValue value = AttributeValue.fromS("1");
		for (String name : List.of("key", "ownerName", "isReleased", "data", "fencingToken", "expiresAt")) {
			ItemChange set = ItemChange.none().attribute(name, value);
			LockRequest request = LockRequest.of("k");
			for (LockRequest bad : List.of(request.change(set), request.keptItem(KeptItem.create().undo(set)),
					request.keptItem(KeptItem.create().changeAtLimit(set)),
					request.change(ItemChange.none().copy(name, "a", value)),
					request.change(ItemChange.none().copy("a", name, value)))) {
				refusedBeforeAnythingIsSent(bad, "names [" + name + "], which the lock itself uses");
			}
		}
	}

	@Test
	void aPollIntervalOutOfRangeIsRefused() {
		LockClientBuilder builder = LockClient.builder(TestDynamoDb.client());
		for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofMillis(-1), Duration.ofMinutes(61),
				Duration.ofSeconds(Long.MAX_VALUE))) {
			refused(() -> builder.pollInterval(bad), "pollInterval is " + LogText.of(bad), "10 ms to 1 hour");
			refused(() -> LockRequest.of("k").pollInterval(bad), "pollInterval is " + LogText.of(bad),
					"10 ms to 1 hour");
		}
	}

	@Test
	void aClockBoundOutOfRangeIsRefused() {
		LockClientBuilder builder = LockClient.builder(TestDynamoDb.client());
		for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofHours(25),
				Duration.ofSeconds(Long.MAX_VALUE))) {
			refused(() -> builder.clockSkewBound(bad), "clockSkewBound is " + LogText.of(bad), "positive",
					"at most a day");
		}
	}

	@Test
	void otherOptionsOutOfRangeAreRefused() {
		LockClientBuilder builder = LockClient.builder(TestDynamoDb.client());
		for (double bad : new double[] { -0.01, 0.21, Double.NaN }) {
			refused(() -> builder.clockRateTolerance(bad), "clockRateTolerance is " + bad, "0 to 0.2");
		}
		refused(() -> builder.timeToLive(Duration.ofHours(23)), "timeToLive is 23 h", "1 to 3650 days");
		refused(() -> builder.timeToLive(Duration.ofDays(3651)), "timeToLive is 3651 days", "1 to 3650 days");
		refused(() -> builder.ownerName(""), "ownerName is ''", "at least one character");
		refused(() -> builder.fencingTokenAttributeName("data").build(), "fencingTokenAttributeName is 'data'",
				"choose another name");
	}

	@Test
	void aRenewalOrReleaseOutOfRangeIsRefused() {
		refused(() -> RenewRequest.create().leaseDuration(Duration.ofMillis(99)), "leaseDuration is 99 ms",
				"100 ms to 365 days");
		refused(() -> RenewRequest.create().leaseDuration(Duration.ofNanos(1_000_000_001)), "whole milliseconds");
		refused(() -> ReleaseRequest.create().waitTime(Duration.ofMillis(-1)), "waitTime is -1 ms",
				"must not be negative");
	}

	@Test
	void aKeyThatDoesNotFitTheTableIsRefused() {
		refusedBeforeAnythingIsSent(LockRequest.of(LockKey.of("k", "sort")), "sort key");
	}

	@Test
	void twoAttributesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockClient.builder(TestDynamoDb.client()).timeToLiveAttributeName("ownerName").build())
			.withMessageContaining("timeToLiveAttributeName")
			.withMessageContaining("ownerName");
	}

	@Test
	void aMissingTableIsReportedWithItsNameAndHowToCreateIt() {
		try (LockClient client = LockClient.builder(TestDynamoDb.client()).tableName("nowhere").build()) {
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> client.acquire("k"))
				.withMessageContaining("'nowhere'")
				.withMessageContaining("createIfMissing")
				.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(LockTableException.Problem.MISSING));
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> client.find("k"));
		}
	}

	@Test
	void aTableWithAnotherKeyIsReportedWithTheConfiguredKey() {
		TableSchema table = TestDynamoDb.newTable();
		try (LockClient client = LockClient.builder(TestDynamoDb.client())
			.tableName(table.tableName())
			.partitionKeyName("lockId")
			.build()) {
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> client.acquire("k"))
				.withMessageContaining("'lockId'")
				.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(LockTableException.Problem.WRONG_KEY_SCHEMA));
		}
	}

	@Test
	void anUnreachableEndpointFailsTheCallAndIsNamed() {
		try (DynamoDbClient unreachable = DynamoDbClient.builder()
			.endpointOverride(URI.create("http://127.0.0.1:9"))
			.region(Region.EU_WEST_1)
			.credentialsProvider(AnonymousCredentialsProvider.create())
			.build();
				LockClient client = LockClient.builder(unreachable).leaseDuration(Duration.ofSeconds(2)).build()) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> client.tryAcquire("k"))
				.withMessageContaining("'k'")
				.withMessageContaining("127.0.0.1:9");
		}
	}

	private static void refused(ThrowingCallable call, String... words) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(words));
	}

	private static void refusedBeforeAnythingIsSent(LockRequest request, String words) {
		CallRecorder calls = new CallRecorder();
		TableSchema table = TestDynamoDb.newTable();
		try (DynamoDbClient dynamoDb = TestDynamoDb.newClient(calls);
				LockClient client = LockClient.builder(dynamoDb).tableName(table.tableName()).build()) {
			assertThatIllegalArgumentException().isThrownBy(() -> client.acquire(request)).withMessageContaining(words);
			assertThat(calls.calls()).isEmpty();
		}
	}

}
