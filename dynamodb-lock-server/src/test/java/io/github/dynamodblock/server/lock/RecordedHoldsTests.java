/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.recorded.RecordedItems;
import io.github.dynamodblock.recorded.RecordedItems.RecordedItem;
import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.SettableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Items that this and earlier versions of the service wrote.
 * {@code -Drecorded.write=VERSION -Dtest='RecordedHoldsTests#eachKind*'} records those of
 * a new version.
 */
@InstrumentedLockServer
class RecordedHoldsTests {

	private static final String NAMESPACE = "recorded-holds";

	private static final String HOLDER = "one";

	private static final String ANOTHER = "two";

	private static final long SECONDS = 20;

	private static final String ACQUISITION = "first-call";

	private static final String RENEWAL = "second-call";

	private static final Set<String> NAMES = Set.of("lockOwner", "lockInstance", "grantedBy", "leaseSeconds", "expiry",
			"calls");

	@LocalServerPort
	private int port;

	@Autowired
	private DynamoDbClient dynamoDb;

	@Autowired
	private SettableClock clock;

	@Value("${dynamodb-lock.table.name}")
	private String table;

	private LockServerCalls calls;

	@BeforeEach
	void call() {
		this.calls = LockServerCalls.on(this.port);
	}

	@AfterEach
	void letTheClockGoOn() {
		this.clock.goOn(Duration.ZERO);
	}

	@ParameterizedTest
	@EnumSource
	void eachKindIsWrittenAsItIsRecorded(Kind kind) throws IOException {
		String lockName = kind.lockName();
		delete(lockName);
		assertSucceeds(this.calls.acquire(NAMESPACE, lockName, HOLDER, SECONDS, ACQUISITION));
		switch (kind) {
			case GRANTED -> {
			}
			case RENEWED -> assertSucceeds(this.calls.renew(NAMESPACE, lockName, HOLDER, SECONDS, RENEWAL));
			case ACQUIRED_AGAIN -> assertSucceeds(this.calls.acquire(NAMESPACE, lockName, HOLDER, SECONDS, RENEWAL));
			case RELEASED -> assertSucceeds(this.calls.release(NAMESPACE, lockName, HOLDER));
		}
		RecordedItems.compare(kind.file(), item(lockName));
	}

	@Test
	void everyAttributeOfTheServiceIsInARecordedItem() throws IOException {
		Set<String> names = new HashSet<>();
		RecordedItems.newest().forEach((recorded) -> names.addAll(recorded.item().keySet()));
		assertThat(names).containsAll(NAMES);
	}

	static List<RecordedItem> holds() throws IOException {
		return RecordedItems.all().stream().filter((recorded) -> !isReleased(recorded)).toList();
	}

	@ParameterizedTest
	@MethodSource("holds")
	void aRecordedHoldIsShownAndLeftToItsHolder(RecordedItem recorded) {
		String lockName = put(recorded);

		Answer shown = this.calls.get(NAMESPACE, lockName);

		assertThat(shown.body().path("owner").asString()).isEqualTo(text(recorded, "lockOwner"));
		assertThat(shown.number("expiry")).isEqualTo(number(recorded, "expiry"));
		assertThat(this.calls.renew(NAMESPACE, lockName, ANOTHER, SECONDS).status()).isEqualTo(423);
		assertThat(this.calls.release(NAMESPACE, lockName, ANOTHER).status()).isEqualTo(423);
	}

	@ParameterizedTest
	@MethodSource("holds")
	void aRecordedHoldIsRenewedOncePerKeyAndReleasedByItsHolder(RecordedItem recorded) {
		String lockName = put(recorded);
		long end = number(recorded, "expiry");
		long token = number(recorded, "fencingToken");
		if (Kind.of(recorded) == Kind.RENEWED) {
			// The answer to the recorded call was lost.
			assertThat(this.calls.renew(NAMESPACE, lockName, HOLDER, SECONDS, RENEWAL).number("expiry")).isEqualTo(end);
		}
		Answer renewed = this.calls.renew(NAMESPACE, lockName, HOLDER, SECONDS, "new-call");
		assertThat(renewed.number("expiry")).isEqualTo(end + SECONDS);
		assertThat(renewed.number("leaseDuration")).isEqualTo(number(recorded, "leaseSeconds") + SECONDS);
		assertThat(renewed.number("fencingToken")).isEqualTo(token);
		assertThat(this.calls.renew(NAMESPACE, lockName, HOLDER, SECONDS + 1, ACQUISITION).status()).isEqualTo(422);

		assertSucceeds(this.calls.release(NAMESPACE, lockName, HOLDER));
		assertThat(this.calls.acquire(NAMESPACE, lockName, ANOTHER, SECONDS).number("fencingToken"))
			.isGreaterThan(token);
	}

	@ParameterizedTest
	@MethodSource("holds")
	void aRecordedHoldIsTakenOverAfterItsEnd(RecordedItem recorded) {
		String lockName = put(recorded);
		this.clock.goOn(Duration.ZERO);

		assertThat(this.calls.get(NAMESPACE, lockName).body().has("owner")).isFalse();
		assertThat(this.calls.renew(NAMESPACE, lockName, HOLDER, SECONDS).status()).isEqualTo(423);
		Answer taken = this.calls.acquire(NAMESPACE, lockName, ANOTHER, SECONDS);
		assertSucceeds(taken);
		assertThat(taken.number("fencingToken")).isGreaterThan(number(recorded, "fencingToken"));
	}

	static List<RecordedItem> released() throws IOException {
		return RecordedItems.all().stream().filter(RecordedHoldsTests::isReleased).toList();
	}

	@ParameterizedTest
	@MethodSource("released")
	void aRecordedReleasedLockIsAcquiredAtOnce(RecordedItem recorded) {
		String lockName = put(recorded);

		assertThat(this.calls.get(NAMESPACE, lockName).body().has("owner")).isFalse();
		Answer granted = this.calls.acquire(NAMESPACE, lockName, ANOTHER, SECONDS);
		assertSucceeds(granted);
		assertThat(granted.number("fencingToken")).isGreaterThan(number(recorded, "fencingToken"));
	}

	/** Stores a recorded item, and turns the service's clock back to that time. */
	private String put(RecordedItem recorded) {
		this.dynamoDb.putItem((request) -> request.tableName(this.table).item(recorded.item()));
		this.clock.stopAt(Instant.ofEpochSecond(number(recorded, "expiry") - 1));
		return text(recorded, "lockName");
	}

	private void delete(String lockName) {
		this.dynamoDb.deleteItem((request) -> request.tableName(this.table).key(key(lockName)));
	}

	private Map<String, AttributeValue> item(String lockName) {
		return this.dynamoDb.getItem((request) -> request.tableName(this.table).key(key(lockName)).consistentRead(true))
			.item();
	}

	private static Map<String, AttributeValue> key(String lockName) {
		return Map.of("namespace", AttributeValue.fromS(NAMESPACE), "lockName", AttributeValue.fromS(lockName));
	}

	private static void assertSucceeds(Answer answer) {
		assertThat(answer.status()).as(answer.text()).isEqualTo(200);
	}

	private static boolean isReleased(RecordedItem recorded) {
		return recorded.item().containsKey("isReleased");
	}

	private static String text(RecordedItem recorded, String name) {
		return Objects.requireNonNull(recorded.item().get(name)).s();
	}

	private static long number(RecordedItem recorded, String name) {
		return Long.parseLong(Objects.requireNonNull(recorded.item().get(name)).n());
	}

	/** What the service wrote last. */
	enum Kind {

		GRANTED, RENEWED, ACQUIRED_AGAIN, RELEASED;

		private static final String PREFIX = "hold-";

		static Kind of(RecordedItem recorded) {
			return valueOf(recorded.kind().substring(PREFIX.length()).toUpperCase(Locale.ROOT).replace('-', '_'));
		}

		String lockName() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

		String file() {
			return PREFIX + lockName();
		}

	}

}
