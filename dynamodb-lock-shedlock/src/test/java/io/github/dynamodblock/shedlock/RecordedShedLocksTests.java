/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.dynamodblock.recorded.RecordedItems;
import io.github.dynamodblock.recorded.RecordedItems.RecordedItem;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Items that this and earlier versions of the provider wrote.
 * {@code -Drecorded.write=VERSION -Dtest='RecordedShedLocksTests#eachKind*'} records
 * those of a new version.
 */
class RecordedShedLocksTests extends TwoNodes {

	@ParameterizedTest
	@EnumSource
	void eachKindIsWrittenAsItIsRecorded(Kind kind) throws IOException {
		SimpleLock lock = lock(limits(HOUR, (kind == Kind.KEPT) ? SHORT.multipliedBy(2) : Duration.ZERO));
		if (kind != Kind.HELD) {
			lock.unlock();
		}
		if (kind == Kind.KEPT) {
			this.client.close();
		}
		RecordedItems.compare("shedlock-" + kind.name().toLowerCase(Locale.ROOT), item());
	}

	static List<RecordedItem> recordedItems() throws IOException {
		return RecordedItems.all();
	}

	@ParameterizedTest
	@MethodSource("recordedItems")
	void aRecordedLockIsGrantedAtOnceIfItWasReleasedOrElseAfterItsLease(RecordedItem recorded) {
		Map<String, AttributeValue> item = recorded.item();
		TestTable.dynamoDb().putItem((request) -> request.tableName(this.client.tableName()).item(item));
		long begun = System.nanoTime();
		SimpleLock lock = soon().until(() -> this.provider.lock(anHour()), Optional::isPresent).orElseThrow();
		if (!item.containsKey("isReleased")) {
			Duration lease = Duration.ofMillis(Long.parseLong(Objects.requireNonNull(item.get("leaseDuration")).s()));
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(lease.dividedBy(2));
		}
		assertThat(this.otherProvider.lock(anHour())).isEmpty();
		long token = Long.parseLong(Objects.requireNonNull(item.get("fencingToken")).n());
		assertThat(this.client.held()).singleElement().matches((held) -> held.fencingToken() > token);
		lock.unlock();
		assertFree();
	}

	private Map<String, AttributeValue> item() {
		return TestTable.dynamoDb()
			.getItem((request) -> request.tableName(this.client.tableName())
				.key(Map.of("key", AttributeValue.fromS("shedlock:job")))
				.consistentRead(true))
			.item();
	}

	/** What {@code lockAtLeastFor} keeps is held for the rest of that time. */
	enum Kind {

		HELD, KEPT, RELEASED

	}

}
