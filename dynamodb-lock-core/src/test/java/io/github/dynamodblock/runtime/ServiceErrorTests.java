/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.testing.CallFault;
import io.github.dynamodblock.testing.FaultyCalls;
import io.github.dynamodblock.testing.FaultyCalls.Injection;
import io.github.dynamodblock.testing.LockCalls;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Errors of the service that pass, and that do not, in virtual time through the SDK.
 */
class ServiceErrorTests extends VirtualTimeTest {

	private final FaultyCalls faults = new FaultyCalls();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClientWithoutRetries(this.faults);

	private final VirtualClient client = client("three", this.dynamoDb);

	@AfterEach
	void close() {
		this.dynamoDb.close();
	}

	static Stream<Named<CallFault>> errors() {
		return Stream.of(Named.of("throttled", CallFault.throttled()), Named.of("conflict", CallFault.conflict()),
				Named.of("replicated write conflict", CallFault.replicatedWriteConflict()),
				Named.of("server error", CallFault.serverError()),
				Named.of("server error after the effect", CallFault.serverErrorAfterwards()));
	}

	@ParameterizedTest
	@MethodSource("errors")
	void aSingleAttemptIsRepeatedUntilTheErrorPasses(CallFault error) {
		Injection failed = this.faults.inject(error, LockCalls::isClaim, 1);
		AcquisitionTask task = this.client.start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(4));
		assertThat(granted(task).isHeld()).isTrue();
		assertThat(failed.count()).isOne();
	}

	@ParameterizedTest
	@MethodSource("errors")
	void anAcquisitionThatWaitsIsRepeatedUntilTheErrorPasses(CallFault error) {
		Injection failed = this.faults.inject(error, LockCalls::isClaim, 5);
		AcquisitionTask task = this.client.start(LockRequest.of("k").waitTime(LEASE));
		time().pass(LEASE);
		assertThat(granted(task).isHeld()).isTrue();
		assertThat(failed.count()).isEqualTo(5);
	}

	@ParameterizedTest
	@MethodSource("errors")
	void anErrorThatStaysFailsTheAcquireAfterAFewCallsAndIsItsCause(CallFault error) {
		this.faults.inject(error, LockCalls::isClaim);
		AcquisitionTask task = this.client.start(LockRequest.of("k").waitTime(LEASE));
		time().pass(LEASE);
		assertThat(refused(task)).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("'k'")
					.hasRootCauseInstanceOf(AwsServiceException.class));
		assertThat(this.client.environment().sent()).isBetween(5, 30);
		time().pass(LEASE);
		assertThat(task.settled()).isDone();
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("errors")
	void heartbeatsOutliveAnErrorThatPassesBeforeTheLeaseIsOver(CallFault error) {
		LeaseHandle lock = this.client.acquire("k");
		Injection failed = this.faults.inject(error, LockCalls::isHeartbeat);
		time().pass(Duration.ofSeconds(9));
		assertThat(failed.count()).isBetween(3, 30);
		failed.stop();
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("three acquired", "three expiring", "three recovered");
	}

	@ParameterizedTest
	@MethodSource("errors")
	void aReleaseIsRepeatedUntilTheErrorPasses(CallFault error) {
		LeaseHandle lock = this.client.acquire("k");
		Injection failed = this.faults.inject(error, LockCalls::isRelease, 3);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(4));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(failed.count()).isEqualTo(3);
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("errors")
	void aChangeWithoutTheLockIsRepeatedUntilTheErrorPasses(CallFault error) {
		LeaseHandle lock = this.client.acquire("k");
		Injection failed = this.faults.inject(error,
				(request) -> request instanceof UpdateItemRequest && !LockCalls.isHeartbeat(request), 3);
		var change = this.client.tokens()
			.change(LockKey.of("k"), ItemChange.none().attribute("paused", AttributeValue.fromBool(true)));
		time().pass(Duration.ofSeconds(4));
		assertThat(change).isCompletedWithValueMatching((changed) -> changed.attributes().containsKey("paused"));
		assertThat(failed.count()).isEqualTo(3);
		assertThat(lock.isHeld()).isTrue();
	}

}
