/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

import io.github.dynamodblock.LockException;
import org.slf4j.Logger;

/**
 * How the log says things.
 */
final class LogText {

	private LogText() {
	}

	/** A duration for people, such as "20 s" or "1.5 min". */
	static String of(Duration duration) {
		long millis = duration.toMillis();
		if (millis < 1000) {
			return millis + " ms";
		}
		if (millis < 120_000) {
			return rounded(millis, 1000) + " s";
		}
		return (millis < 7_200_000) ? rounded(millis, 60_000) + " min" : rounded(millis, 3_600_000) + " h";
	}

	/** What went wrong; the type, too, where the message alone may say little. */
	static String of(Throwable failure) {
		return (failure instanceof LockException) ? String.valueOf(failure.getMessage()) : failure.toString();
	}

	private static String rounded(long millis, long unit) {
		BigDecimal value = BigDecimal.valueOf(millis).divide(BigDecimal.valueOf(unit), 1, RoundingMode.HALF_UP);
		return value.stripTrailingZeros().toPlainString();
	}

	/**
	 * Logs a failure in one line. Its stack, with every attempt of the SDK, is of use to
	 * whoever asks for it only.
	 */
	static void warn(Logger logger, Throwable failure) {
		logger.warn("{}", of(failure));
		logger.debug("Stack trace of the failure above", failure);
	}

}
