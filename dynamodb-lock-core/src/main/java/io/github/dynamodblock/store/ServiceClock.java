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
 * Notes the time that DynamoDB's answers carry. Each of them narrows the range in which
 * DynamoDB's time is, so that a clock that was found to be off is not trusted again only
 * because the next answer is less exact. Thread-safe.
 */
final class ServiceClock {

	private static final long SECOND_NANOS = 1_000_000_000L;

	/** The rates of the two clocks differ by less than one in this many. */
	private static final int RATE = 1_000;

	private final LongSupplier nanoTime;

	/** A concurrent answer that is not noted only leaves the range wider. */
	private volatile @Nullable Known known;

	/** Reads the monotonic clock, which shows the time since an answer. */
	ServiceClock(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Makes a call and notes the date of its answer, that of an error as well. */
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

	/** The SDK's clients have the HTTP response; tables in memory and proxies do not. */
	private void answered(@Nullable SdkHttpResponse response, long sent) {
		String date = (response != null) ? response.firstMatchingHeader("Date").orElse(null) : null;
		if (date != null) {
			note(date, sent, this.nanoTime.getAsLong());
		}
	}

	/**
	 * Notes a date.
	 * @param date the date in HTTP's format, without fractions of its second
	 * @param sent before the call, by the monotonic clock
	 * @param received after the call: retries of the SDK are included
	 */
	private void note(String date, long sent, long received) {
		try {
			Instant second = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
			ServiceTime time = new ServiceTime(second, second.plusNanos(SECOND_NANOS + received - sent));
			Known before = this.known;
			this.known = new Known((before != null) ? narrowed(before.at(received), time) : time, received);
		}
		catch (DateTimeException notADate) {
			// As if the answer had none.
		}
	}

	/**
	 * What both say; the later one alone if they contradict each other, as after a
	 * suspension, in which the monotonic clock stops.
	 */
	private static ServiceTime narrowed(ServiceTime before, ServiceTime now) {
		Instant earliest = before.earliest().isAfter(now.earliest()) ? before.earliest() : now.earliest();
		Instant latest = before.latest().isBefore(now.latest()) ? before.latest() : now.latest();
		return latest.isBefore(earliest) ? now : new ServiceTime(earliest, latest);
	}

	/** DynamoDB's time by its answers and the time since; empty without one. */
	Optional<ServiceTime> now() {
		Known last = this.known;
		return (last == null) ? Optional.empty() : Optional.of(last.at(this.nanoTime.getAsLong()));
	}

	/**
	 * What was known after an answer.
	 *
	 * @param time DynamoDB's time then
	 * @param received when the answer came, by the monotonic clock
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
