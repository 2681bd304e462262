/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.RawCalls;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of requests that Tomcat refuses before the application sees them.
 */
@RunningLockServer
class ContainerErrorTests {

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@ValueSource(strings = { "GET /v1/shop/lock/a%2Fb HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"GET /v1/shop/lock/a%zzb HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"GET /v1/shop/lock/a|b HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /v1/shop/lock/a-lock HTTP/1.1\r\n\r\n",
			"GET /v1/shop/lock/a-lock HTTP/1.1\r\nHost: a b\r\n\r\n", "nonsense\r\n\r\n" })
	void aMalformedRequestIsAnsweredWithAnErrorThatHasAnId(String request) {
		assertThat(answer(request)).matches("(?s)HTTP/1.1 400 .*Content-Type: application/json.*"
				+ "\\{\"message\":\"Bad request\",\"errorId\":\"[0-9a-f-]{36}\"}");
	}

	@ParameterizedTest
	@ValueSource(ints = { 9_000, 100_000 })
	void headersThatAreTooLongAreAnsweredWithAnErrorThatHasAnId(int length) {
		assertThat(answer(
				"GET /v1/shop/lock/a-lock HTTP/1.1\r\nHost: localhost\r\nLong: " + "x".repeat(length) + "\r\n\r\n"))
			.matches("(?s)HTTP/1.1 4\\d\\d .*\\{\"message\":\"[A-Za-z ]+\",\"errorId\":\"[0-9a-f-]{36}\"}");
	}

	private String answer(String request) {
		try (RawCalls caller = RawCalls.to(this.port)) {
			return caller.send(request).answer();
		}
	}

}
