/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;

/**
 * The values that the protocol's tests are about: a lock, two owners, and times in
 * milliseconds.
 */
public final class Given {

	public static final LockKey KEY = LockKey.of("orders-42");

	public static final Duration LEASE = Duration.ofSeconds(10);

	public static final LeaseTerms TERMS = terms(LEASE, Duration.ofMillis(2500), Duration.ofDays(7));

	public static final Instant WALL_CLOCK = Instant.parse("2026-01-01T00:00:00Z");

	private Given() {
	}

	/** All clocks agree. */
	public static ClockReading at(long millis) {
		return at(millis, millis);
	}

	/** The holder's clock has also counted a sleep of the machine. */
	public static ClockReading at(long observerMillis, long holderMillis) {
		return new ClockReading(observerMillis * 1_000_000, holderMillis * 1_000_000,
				WALL_CLOCK.plusMillis(observerMillis));
	}

	/** All clocks agree, except for the time of day. */
	public static ClockReading atNanos(long nanos) {
		return new ClockReading(nanos, nanos, WALL_CLOCK);
	}

	public static LeaseTerms terms(Duration lease, Duration heartbeat, @Nullable Duration timeToLive) {
		return new LeaseTerms(lease, heartbeat, null, LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, timeToLive, null);
	}

	public static AcquisitionTerms terms(long waitMillis) {
		return terms(LockRequest.of(KEY), waitMillis);
	}

	/** The terms of a request that is made some time later. */
	public static AcquisitionTerms terms(long waitMillis, long nowMillis) {
		return new AcquisitionTerms(LockRequest.of(KEY), "me", TERMS, waitMillis * 1_000_000,
				at(nowMillis + waitMillis).observerNanos(), false, null, null, null);
	}

	public static AcquisitionTerms terms(LockRequest request, long waitMillis) {
		return new AcquisitionTerms(request, "me", TERMS, waitMillis * 1_000_000, waitMillis * 1_000_000, false, null,
				null, null);
	}

	/** The lock as another owner holds it. */
	public static LockRecord theirs(String version) {
		return LockRecord.builder(KEY, "them", Duration.ofSeconds(4), version).fencingToken(100L).build();
	}

	/** The lock as this client holds it. */
	public static LockRecord ours(String version) {
		return LockRecord.builder(KEY, "me", LEASE, version).fencingToken(101L).build();
	}

	public static LockRecord released(LockRecord record) {
		return record.toBuilder().released(true).build();
	}

	public static Answer unknown() {
		return new Answer.Unknown(new IllegalStateException("no answer"));
	}

	/** Record version numbers in the order in which they were asked for. */
	public static Randomness numbered() {
		return new Randomness() {

			private int number;

			@Override
			public String recordVersionNumber() {
				return "mine-" + ++this.number;
			}

			@Override
			public double fraction() {
				return 0.5;
			}

		};
	}

}
