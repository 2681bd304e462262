/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;

import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.SettableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@InstrumentedLockServer
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class InternalErrorTests {

	@LocalServerPort
	private int port;

	@Autowired
	private SettableClock clock;

	@AfterEach
	void mend() {
		this.clock.goOn(Duration.ZERO);
	}

	@Test
	void aFaultOfTheServiceIsToldByAnIdThatFindsItsCauseInTheLog(CapturedOutput output) {
		this.clock.breakDown();

		Answer answer = LockServerCalls.on(this.port).get("internal-errors", "lock");

		String id = answer.body().path("errorId").asString();
		assertThat(answer.status()).isEqualTo(500);
		assertThat(answer.text()).isEqualTo("{\"message\":\"Internal server error\",\"errorId\":\"" + id + "\"}");
		await().untilAsserted(() -> assertThat(output.getAll()).contains(id).contains("The clock is broken"));
	}

}
