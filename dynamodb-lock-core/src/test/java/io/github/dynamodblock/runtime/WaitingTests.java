/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class WaitingTests {

	@ParameterizedTest
	@MethodSource
	void threadsThatWaitForOneFailureAreEachToldByAnExceptionOfTheirOwn(LockException failure) {
		CompletableFuture<Void> result = CompletableFuture.failedFuture(failure);
		LockException first = catchThrowableOfType(LockException.class, () -> Waiting.uninterruptibly(result));
		LockException second = catchThrowableOfType(LockException.class, () -> Waiting.uninterruptibly(result));
		assertThat(first).isNotSameAs(second).isNotSameAs(failure);
		for (LockException told : new LockException[] { first, second }) {
			assertThat(told).isExactlyInstanceOf(failure.getClass())
				.hasMessage(failure.getMessage())
				.hasCause(failure.getCause());
			assertThat(told.getStackTrace()).anyMatch((frame) -> frame.getClassName().equals(getClass().getName()));
		}
	}

	static Stream<LockException> threadsThatWaitForOneFailureAreEachToldByAnExceptionOfTheirOwn() {
		LockKey key = LockKey.of("k");
		return Stream.of(new LockStoreException("no answer", new IllegalStateException("the network is down")),
				new LockTableException("locks", LockTableException.Problem.MISSING, "no table", null),
				new LockLostException(key, LossReason.STOLEN, 7), new LockClientClosedException("me"));
	}

}
