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
 * Notes the time that DynamoDB's last answer carries. It decides nothing about locks.
 * Thread-safe.
 */
final class ServiceClock {

	private static final long SECOND_NANOS = 1_000_000_000L;

	/** The rates of the two clocks differ by less than one in this many. */
	private static final int RATE = 1_000;

	private final LongSupplier nanoTime;

	private volatile @Nullable Dated last;

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
			// Read when it is asked for, which is rarer than answers are.
			this.last = new Dated(date, sent, this.nanoTime.getAsLong());
		}
	}

	/** DynamoDB's time by its last answer and the time since; empty without one. */
	Optional<ServiceTime> now() {
		Dated dated = this.last;
		return (dated == null) ? Optional.empty() : dated.at(this.nanoTime.getAsLong());
	}

	/**
	 * An answer's date.
	 *
	 * @param date the date in HTTP's format, without fractions of its second
	 * @param sent before the call, by the monotonic clock
	 * @param received after the call: retries of the SDK are included
	 */
	private record Dated(String date, long sent, long received) {

		Optional<ServiceTime> at(long now) {
			try {
				Instant second = DateTimeFormatter.RFC_1123_DATE_TIME.parse(this.date, Instant::from);
				long drift = (now - this.received) / RATE;
				return Optional.of(new ServiceTime(second.plusNanos(now - this.received - drift),
						second.plusNanos(SECOND_NANOS + now - this.sent + drift)));
			}
			catch (DateTimeException notADate) {
				return Optional.empty();
			}
		}

	}

}
