/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.server.lock.LockName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the turns of calls that do not end well.
 */
class TurnsTests {

	private static final LockName LOCK = new LockName("turns", "a-lock");

	private final Turns turns = new Turns(5);

	@AfterEach
	void stop() {
		this.turns.destroy();
	}

	@Test
	void aCallThatThrowsTakesNoTurnAndNoPlaceFromOthers() throws Exception {
		for (int i = 0; i < 2000; i++) {
			CompletableFuture<Void> made = new CompletableFuture<>();
			this.turns.inTurn(LOCK, () -> {
				throw new IllegalStateException("The call ends badly");
			});
			this.turns.inTurn(LOCK, () -> made.complete(null));
			assertThat(made.get(30, TimeUnit.SECONDS)).isNull();
		}
	}

}
