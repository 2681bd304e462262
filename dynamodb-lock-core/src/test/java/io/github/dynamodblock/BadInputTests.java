/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.URI;
import java.time.Duration;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is refused, and with which words.
 */
class BadInputTests {

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
			.withMessageContaining("PT-0.001S");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ZERO))
			.withMessageContaining("leaseDuration")
			.withMessageContaining("100 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessageContaining("365 days");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseDuration(Duration.ofNanos(1_000_000_001)))
			.withMessageContaining("whole milliseconds");
		assertThatIllegalArgumentException().isThrownBy(() -> request.heartbeatPeriod(Duration.ZERO))
			.withMessageContaining("heartbeatPeriod");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofDays(366)))
			.withMessageContaining("holdAtLeast");
	}

	@Test
	void aHeartbeatAboveHalfTheLeaseIsRefusedWhenTheClientIsBuiltAndWhenALockIsAcquired() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockClient.builder(TestDynamoDb.client())
				.leaseDuration(Duration.ofSeconds(10))
				.heartbeatPeriod(Duration.ofMillis(5001))
				.build())
			.withMessageContaining("PT5.001S")
			.withMessageContaining("half the lease");
		refusedBeforeAnythingIsSent(LockRequest.of("k").heartbeatPeriod(Duration.ofSeconds(11)), "half the lease");
	}

	@Test
	void aKeyThatDoesNotFitTheTableIsRefused() {
		refusedBeforeAnythingIsSent(LockRequest.of(LockKey.of("k", "sort")), "sort key");
	}

	@Test
	void twoAttributesOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockClient.builder(TestDynamoDb.client()).timeToLiveAttributeName("ownerName").build())
			.withMessageContaining("timeToLiveName")
			.withMessageContaining("ownerName");
	}

	@Test
	void aMissingTableIsSaidWithItsNameAndHowToCreateIt() {
		try (LockClient client = LockClient.builder(TestDynamoDb.client()).tableName("nowhere").build()) {
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> client.acquire("k"))
				.withMessageContaining("'nowhere'")
				.withMessageContaining("createIfMissing")
				.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(LockTableException.Problem.MISSING));
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> client.find("k"));
		}
	}

	@Test
	void aTableWithAnotherKeyIsSaidWithTheKeyThatIsConfigured() {
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
	void anUnreachableEndpointFailsTheCallAndSaysWhatWasTried() {
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
