/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ServiceClockTests {

	private static final String DATE = "Mon, 23 Nov 2026 02:04:38 GMT";

	private static final Instant SECOND = Instant.parse("2026-11-23T02:04:38Z");

	private static final LockKey KEY = LockKey.of("orders-42");

	private long millis = 50_000;

	private final ServiceClock clock = new ServiceClock(() -> this.millis * 1_000_000);

	@Test
	void theTimeIsWithinTheSecondOfTheDateAndTheTimeOfTheCall() {
		answered(DATE, Duration.ofMillis(200));
		assertThat(this.clock.now()).hasValue(time(Duration.ZERO, Duration.ofMillis(1_200)));
	}

	@Test
	void theTimeSinceTheAnswerCountsAndMakesItLessExact() {
		answered(DATE, Duration.ZERO);
		this.millis += 60_000;
		assertThat(this.clock.now()).hasValue(time(Duration.ofMillis(59_940), Duration.ofMillis(61_060)));
	}

	@Test
	void eachAnswerNarrowsTheRange() {
		answered(DATE, Duration.ZERO);
		this.millis += 400;
		answered("Mon, 23 Nov 2026 02:04:39 GMT", Duration.ofMillis(10));
		assertThat(this.clock.now()).hasValue(time(Duration.ofSeconds(1), Duration.ofNanos(1_410_410_000)));
	}

	@Test
	void anAnswerThatIsLessExactDoesNotWidenTheRange() {
		answered(DATE, Duration.ofMillis(100));
		answered("Mon, 23 Nov 2026 02:04:39 GMT", Duration.ofMillis(900));
		assertThat(this.clock.now()).hasValue(time(Duration.ofSeconds(1), Duration.ofNanos(2_000_900_000)));
	}

	@Test
	void ofAnswersThatContradictEachOtherTheLastOneCounts() {
		answered("Mon, 23 Nov 2026 01:00:00 GMT", Duration.ZERO);
		this.millis += 100;
		answered(DATE, Duration.ZERO);
		assertThat(this.clock.now()).hasValue(time(Duration.ZERO, Duration.ofSeconds(1)));
	}

	@Test
	void anErrorThatTheServiceAnswersHasADateToo() {
		ConditionalCheckFailedException refused = ConditionalCheckFailedException.builder()
			.awsErrorDetails(AwsErrorDetails.builder().sdkHttpResponse(http(DATE)).build())
			.build();
		assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> this.clock.noting(() -> {
			throw refused;
		}));
		assertThat(this.clock.now()).hasValue(time(Duration.ZERO, Duration.ofSeconds(1)));
	}

	@Test
	void anErrorWithoutDetailsIsThrownAsItIs() {
		ConditionalCheckFailedException refused = ConditionalCheckFailedException.builder().build();
		assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> this.clock.noting(() -> {
			throw refused;
		})).isSameAs(refused);
		assertThat(this.clock.now()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "yesterday", "2026-11-23T02:04:38Z" })
	void aDateInAnotherFormatIsNone(String date) {
		answered(date, Duration.ZERO);
		assertThat(this.clock.now()).isEmpty();
	}

	@Test
	void aResponseWithoutHttpHasNoDate() {
		GetItemResponse response = GetItemResponse.builder().build();
		assertThat(this.clock.noting(() -> response)).isSameAs(response);
		assertThat(this.clock.now()).isEmpty();
	}

	@Test
	void answersOfDynamoDbLocalShowItsTime() {
		try (DynamoDbClient client = TestDynamoDb.newClient()) {
			DynamoDbLockStore store = new DynamoDbLockStore(client, TestDynamoDb.newTable());
			assertThat(store.serviceTime()).isEmpty();
			Instant before = Instant.now();
			Answer answer = store.send(new Step.Read(KEY, false, Step.Call.LONGEST_NANOS));
			assertThat(answer).isEqualTo(new Answer.Found(null));
			ServiceTime time = store.serviceTime().orElseThrow();
			// It keeps a date for about a second, or longer on a machine that is busy.
			assertThat(time.differenceOf(before).abs()).isLessThan(Duration.ofMinutes(1));
		}
	}

	@Test
	void tablesInMemoryShowNoTime() {
		DynamoDbLockStore store = new DynamoDbLockStore(new InMemoryDynamoDb(), TableSchema.of("locks"));
		store.send(new Step.Read(KEY, false, Step.Call.LONGEST_NANOS));
		assertThat(store.serviceTime()).isEmpty();
	}

	private void answered(String date, Duration time) {
		this.clock.noting(() -> {
			this.millis += time.toMillis();
			GetItemResponse.Builder response = GetItemResponse.builder();
			response.sdkHttpResponse(http(date));
			return response.build();
		});
	}

	private static SdkHttpResponse http(String date) {
		return SdkHttpResponse.builder().statusCode(200).putHeader("date", date).build();
	}

	private static ServiceTime time(Duration earliest, Duration latest) {
		return new ServiceTime(SECOND.plus(earliest), SECOND.plus(latest));
	}

}
