/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.dynamodblock.ServiceTime;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Computes DynamoDB's time from the dates of its answers. Each answer narrows the range.
 * A wall clock that was found to be wrong is therefore not trusted again just because the
 * next answer is less exact. Thread-safe.
 */
final class ServiceClock {

	private static final long SECOND_NANOS = 1_000_000_000L;

	/** The rates of the two clocks differ by less than one part in this number. */
	private static final int RATE = 1_000;

	private final LongSupplier nanoTime;

	/** If a concurrent update is lost, the range is only wider. */
	private volatile @Nullable Known known;

	ServiceClock(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Makes a call and notes the date of its answer, even if that is an error. */
	<R extends SdkResponse> R noting(Supplier<R> call) {
		long sent = this.nanoTime.getAsLong();
		try {
			R response = call.get();
			answered(response.sdkHttpResponse(), sent);
			return response;
		}
		catch (AwsServiceException ex) {
			if (ex.awsErrorDetails() != null) {
				answered(ex.awsErrorDetails().sdkHttpResponse(), sent);
			}
			throw ex;
		}
	}

	/**
	 * The SDK's clients provide the HTTP response; in-memory tables and proxies do not.
	 */
	private void answered(@Nullable SdkHttpResponse response, long sent) {
		String date = (response != null) ? response.firstMatchingHeader("Date").orElse(null) : null;
		if (date != null) {
			note(date, sent, this.nanoTime.getAsLong());
		}
	}

	/**
	 * Notes a date.
	 * @param date the date in HTTP's format, without fractions of its second
	 * @param sent the time before the call, on the monotonic clock
	 * @param received the time after the call, including retries of the SDK
	 */
	private void note(String date, long sent, long received) {
		try {
			Instant second = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
			ServiceTime time = new ServiceTime(second, second.plusNanos(SECOND_NANOS + received - sent));
			Known before = this.known;
			this.known = new Known((before != null) ? narrowed(before.at(received), time) : time, received);
		}
		catch (DateTimeException notADate) {
			// Treated like an answer without a date.
		}
	}

	/**
	 * Returns the intersection of both ranges. If they do not overlap, returns the later
	 * one: the monotonic clock has stopped during a suspension.
	 */
	private static ServiceTime narrowed(ServiceTime before, ServiceTime now) {
		Instant earliest = before.earliest().isAfter(now.earliest()) ? before.earliest() : now.earliest();
		Instant latest = before.latest().isBefore(now.latest()) ? before.latest() : now.latest();
		return latest.isBefore(earliest) ? now : new ServiceTime(earliest, latest);
	}

	/** Returns DynamoDB's present time, or empty before the first answer. */
	Optional<ServiceTime> now() {
		Known last = this.known;
		return (last == null) ? Optional.empty() : Optional.of(last.at(this.nanoTime.getAsLong()));
	}

	/**
	 * The range after an answer.
	 *
	 * @param received when the answer came, on the monotonic clock
	 */
	private record Known(ServiceTime time, long received) {

		ServiceTime at(long now) {
			long since = now - this.received;
			long drift = Math.abs(since) / RATE;
			return new ServiceTime(this.time.earliest().plusNanos(since - drift),
					this.time.latest().plusNanos(since + drift));
		}

	}

}
