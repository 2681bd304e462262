/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.Duplicate;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that DynamoDB applied although their answer was lost, or applied twice, whether
 * the SDK or the lock client repeats them.
 */
class LostResponseTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final TableSchema table = TestDynamoDb.newTable();

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient repeating = TestDynamoDb.newClient(this.faults);

	private final DynamoDbClient notRepeating = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final LockClient other = LockClient.builder(TestDynamoDb.client())
		.tableName(this.table.tableName())
		.build();

	@AfterEach
	void close() {
		this.other.close();
		this.repeating.close();
		this.notRepeating.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aClaimWhoseAnswerWasLostIsGrantedOnceAndNotWaitedOut(boolean sdkRepeats) throws Exception {
		try (LockClient client = client(sdkRepeats, false)) {
			HeldLock before = client.acquire("k");
			before.release();
			Injection lost = this.faults.inject(CallFault.answerLost(), LockCalls::isClaim, 1);
			HeldLock lock = client.acquire(LockRequest.of("k").waitTime(LEASE.dividedBy(4)));
			assertThat(lost.count()).isEqualTo(1);
			assertThat(lock.isHeld()).isTrue();
			assertThat(lock.fencingToken()).isEqualTo(before.fencingToken() + LockWrite.Claim.TOKENS);
			assertThat(this.other.tryAcquire("k")).isEmpty();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(this.other.tryAcquire("k")).isPresent();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aHeartbeatWhoseAnswerWasLostKeepsTheLockAndIsCountedOnce(boolean sdkRepeats) throws Exception {
		try (LockClient client = client(sdkRepeats, false)) {
			HeldLock lock = client.acquire("k");
			Injection lost = this.faults.inject(CallFault.answerLost(), LockCalls::isHeartbeat, 1);
			lock.renew();
			assertThat(lost.count()).isEqualTo(1);
			assertThat(lock.lossReason()).isEmpty();
			assertThat(lock.remaining()).isLessThan(LEASE);
			LockRecord row = this.other.find("k").orElseThrow();
			assertThat(row.leaseDuration()).isEqualTo(LEASE);
			assertThat(row.recordVersionNumber()).isEqualTo(lock.record().recordVersionNumber());
			lock.renew();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, false", "true, true", "false, true" })
	void aReleaseWhoseAnswerWasLostIsAnsweredAsReleased(boolean sdkRepeats, boolean deletes) throws Exception {
		try (LockClient client = client(sdkRepeats, deletes)) {
			HeldLock lock = client.acquire("k");
			Injection lost = this.faults.inject(CallFault.answerLost(), LockCalls::isRelease, 1);
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(lost.count()).isEqualTo(1);
			assertThat(lock.lossReason()).isEmpty();
			assertThat(this.other.tryAcquire("k")).isPresent();
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, false", "true, true", "false, true" })
	void aReleaseWhoseAnswerWasLostIsReleasedAlthoughAnotherClientTookTheLockAtOnce(boolean sdkRepeats, boolean deletes)
			throws Exception {
		try (LockClient client = client(sdkRepeats, deletes)) {
			HeldLock lock = client.acquire("k");
			CallFault answerLost = CallFault.answerLost();
			CallFault takenAtOnce = new CallFault() {
				@Override
				public void beforeAnswer(SdkRequest request) {
					assertThat(LostResponseTests.this.other.acquireAsync(LockRequest.of("k"), Runnable::run))
						.succeedsWithin(Duration.ofMinutes(1));
					answerLost.beforeAnswer(request);
				}
			};
			Injection lost = this.faults.inject(takenAtOnce, LockCalls::isRelease, 1);
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(lost.count()).isEqualTo(1);
			assertThat(lock.lossReason()).isEmpty();
			assertThat(this.other.holds(LockKey.of("k"))).isTrue();
		}
	}

	@Test
	void aClaimThatArrivesTwiceTakesTheLockOnce() throws Exception {
		try (LockClient client = client(true, false)) {
			HeldLock before = client.acquire("k");
			before.release();
			Injection twice = this.faults.inject(Duplicate.atOnce(), LockCalls::isClaim, 1);
			HeldLock lock = client.acquire("k");
			assertThat(twice.count()).isEqualTo(1);
			assertThat(lock.fencingToken()).isEqualTo(before.fencingToken() + LockWrite.Claim.TOKENS);
			assertThat(this.other.find("k").orElseThrow().fencingToken()).hasValue(lock.fencingToken());
			lock.renew();
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aHeartbeatThatArrivesAgainAfterTheReleaseDoesNotAffectTheSuccessor(boolean deletes) throws Exception {
		try (LockClient client = client(true, deletes)) {
			Duplicate late = Duplicate.late();
			HeldLock lock = client.acquire("k");
			this.faults.inject(late, LockCalls::isHeartbeat, 1);
			lock.renew();
			lock.release();
			HeldLock successor = this.other.acquire("k");
			assertThat(late.deliver()).isZero();
			assertThat(this.other.find("k").orElseThrow().fencingToken()).hasValue(successor.fencingToken());
			successor.renew();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aReleaseThatArrivesAgainDoesNotFreeTheSuccessor(boolean deletes) throws Exception {
		try (LockClient client = client(true, deletes)) {
			Duplicate late = Duplicate.late();
			HeldLock lock = client.acquire("k");
			this.faults.inject(late, LockCalls::isRelease, 1);
			assertThat(lock.release()).isEqualTo(ReleaseOutcome.RELEASED);
			HeldLock successor = this.other.acquire("k");
			assertThat(late.deliver()).isZero();
			assertThat(client.tryAcquire("k")).isEmpty();
			successor.renew();
		}
	}

	private LockClient client(boolean sdkRepeats, boolean deleteOnRelease) {
		return LockClient.builder(sdkRepeats ? this.repeating : this.notRepeating)
			.tableName(this.table.tableName())
			.leaseDuration(LEASE)
			.deleteOnRelease(deleteOnRelease)
			.build();
	}

}
