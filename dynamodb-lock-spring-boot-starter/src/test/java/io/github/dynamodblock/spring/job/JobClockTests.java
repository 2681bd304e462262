/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.ServiceDate;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Differences are hours, so that no stall of the machine counts. */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class JobClockTests {

	private static final Duration TOLERANCE = Duration.ofHours(1);

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private final CallRecorder calls = new CallRecorder();

	private final ServiceDate date = new ServiceDate();

	private DynamoDbClient dynamoDbClient;

	private LockClient client;

	private JobClock clock;

	@BeforeEach
	void openClient(EmbeddedDynamoDb dynamoDb) {
		this.dynamoDbClient = dynamoDb.newClient((builder) -> builder.overrideConfiguration(
				(override) -> override.addExecutionInterceptor(this.calls).addExecutionInterceptor(this.date)));
		String table = LockNode.newTableName();
		LockTable.of(this.dynamoDbClient, table).createIfMissing();
		this.client = LockClient.builder(this.dynamoDbClient).tableName(table).build();
		this.clock = new JobClock(Clock.systemUTC(), TOLERANCE);
		this.calls.clear();
	}

	@AfterEach
	void closeClient() {
		this.client.close();
		this.dynamoDbClient.close();
	}

	@Test
	void aClockThatAgreesCostsOneReadAtFirst() {
		assertThat(List.of(mayClaim(daily()), mayClaim(daily()), mayClaim(daily()))).containsOnly(true);
		assertThat(this.calls.calls()).containsExactly("GetItemRequest");
	}

	@Test
	void theAnswersOfLocksShowTheTimeToo() throws InterruptedException {
		this.client.acquire("orders-42").release();
		this.calls.clear();
		assertThat(mayClaim(daily())).isTrue();
		assertThat(this.calls.calls()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT2H", "PT-2H" })
	void aClockThatIsOffClaimsNothing(Duration ahead) {
		this.date.clockIsAheadBy(ahead);
		assertThat(mayClaim(daily())).isFalse();
	}

	@Test
	void aJobMayAllowLessThanTheTolerance() {
		this.date.clockIsAheadBy(Duration.ofMinutes(40));
		assertThat(mayClaim(daily())).isTrue();
		assertThat(mayClaim(every(Duration.ofMinutes(40)))).isFalse();
		assertThat(mayClaim(daily())).isTrue();
	}

	@Test
	void aClockThatAgreesAgainClaimsAgain() {
		this.date.clockIsAheadBy(Duration.ofHours(2));
		assertThat(mayClaim(daily())).isFalse();
		this.date.clockIsAheadBy(Duration.ZERO);
		assertThat(mayClaim(daily())).isTrue();
	}

	@Test
	void aPauseBetweenTwoReadingsDatesNothingTooEarly() {
		AtomicLong nanoTime = new AtomicLong();
		JobClock pausing = new JobClock(() -> {
			nanoTime.addAndGet(PAUSE.toNanos());
			return Instant.EPOCH.plusNanos(nanoTime.get());
		}, TOLERANCE) {

			@Override
			public long nanoTime() {
				return nanoTime.getAndAdd(PAUSE.toNanos());
			}

		};
		JobClock.Reading reading = pausing.read(daily());
		Instant dated = reading.at().plusNanos(nanoTime.get() - reading.nanoTime());
		assertThat(dated).isAfterOrEqualTo(Instant.EPOCH.plusNanos(nanoTime.get()));
	}

	@Test
	void aDifferenceIsLoggedWhenItBeginsAndWhenItEnds(CapturedLog log) {
		this.date.clockIsAheadBy(Duration.ofDays(-2));
		assertThat(List.of(mayClaim(daily()), mayClaim(daily()), mayClaim(every(Duration.ofMinutes(40)))))
			.containsOnly(false);
		assertThat(log.toString()).containsOnlyOnce("Such jobs do not start here")
			.containsPattern("WARN .*The clock of this node is .* behind DynamoDB's, more than the 60 min");
		this.date.clockIsAheadBy(Duration.ZERO);
		assertThat(List.of(mayClaim(daily()), mayClaim(every(Duration.ofMinutes(40))), mayClaim(daily())))
			.containsOnly(true);
		assertThat(log.toString()).containsOnlyOnce("agrees with DynamoDB's again");
	}

	@Test
	void aLimitThatNoJobHasAnyMoreHidesNoLaterDifference(CapturedLog log) {
		this.date.clockIsAheadBy(Duration.ofMinutes(25));
		assertThat(mayClaim(every(Duration.ofMinutes(40)))).isFalse();
		assertThat(mayClaim(daily())).isTrue();
		assertThat(log.toString()).containsOnlyOnce("Such jobs do not start here");
		this.date.clockIsAheadBy(Duration.ofDays(2));
		daily().record();
		assertThat(mayClaim(daily())).isFalse();
		assertThat(log.toString()).containsPattern("WARN .*The clock of this node is .* more than the 60 min");
		this.date.clockIsAheadBy(Duration.ZERO);
		assertThat(mayClaim(daily())).isTrue();
		assertThat(log.toString()).containsOnlyOnce("agrees with DynamoDB's again");
	}

	@Test
	void answersWithoutADateSayNothingAgainstTheClock() {
		this.date.isMissing();
		assertThat(mayClaim(daily())).isTrue();
	}

	@Test
	void withoutAnAnswerNothingIsClaimed() {
		this.calls.deny((request) -> true);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> mayClaim(daily()));
		this.calls.deny((request) -> false);
		assertThat(mayClaim(daily())).isTrue();
	}

	@Test
	void anOldAnswerSaysNothingAgainstTheClock(CapturedLog log) throws InterruptedException {
		this.date.clockIsAheadBy(Duration.ofHours(2));
		this.client.acquire("orders-42").release();
		this.calls.deny((request) -> true);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> mayClaim(daily()));
		assertThat(log.toString()).doesNotContain("Such jobs do not start here");
	}

	@Test
	void theToleranceOfAJobIsHalfOfItsIntervalIfThatIsLess() {
		assertThat(this.clock.read(daily()).tolerance()).isEqualTo(TOLERANCE);
		assertThat(this.clock.read(every(Duration.ofMinutes(40))).tolerance()).isEqualTo(Duration.ofMinutes(20));
		assertThat(this.clock.read(every(Duration.ofSeconds(1))).tolerance()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void theTimeIsThatOfTheClock() {
		Instant time = Instant.parse("2026-11-23T02:04:38Z");
		assertThat(new JobClock(Clock.fixed(time, ZoneOffset.UTC), TOLERANCE).now()).isEqualTo(time);
	}

	private boolean mayClaim(LockedJob job) {
		return this.clock.checked(job).isPresent();
	}

	private LockedJob daily() {
		return job(JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC));
	}

	private LockedJob every(Duration period) {
		return job(JobSchedule.fixedRate(period));
	}

	private LockedJob job(JobSchedule schedule) {
		return new LockedJob("nightly-report", LockKey.of("nightly-report"), false, "Reports.nightly", schedule, 3,
				OnMissed.SKIP, null, this.client);
	}

}
