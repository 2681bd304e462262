/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients compare the texts of a refusal: they are the same everywhere.
 */
@RunningLockServer
class LanguageTests {

	private static final String INVALID = "{\"instanceId\":\"one\",\"leaseDuration\":0}";

	private static final String VIOLATION = "$.leaseDuration: must have a minimum value of 1";

	@LocalServerPort
	private int port;

	@Test
	void whatTheClientSpeaksDoesNotChangeTheTexts() {
		LockServerCalls calls = LockServerCalls.on(this.port);

		Answer answer = calls.call("POST", "/v1/language/lock/refused/acquire", INVALID,
				(request) -> request.header("Accept-Language", "de-DE, de;q=0.9"));

		assertThat(answer.text())
			.isEqualTo("{\"message\":\"JSON validation failed\",\"details\":[\"" + VIOLATION + "\"]}");
	}

}
