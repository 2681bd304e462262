/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockServer
class ErrorAnswersTests {

	private static final String ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

	private static final String BODY = "{\"instanceId\":\"one\",\"leaseDuration\":60}";

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/errors/lock", "/v1/errors", "/v1/errors/lock/name/", "/v1/errors/lock/name/steal",
			"/v2/errors/lock/name", "/nothing-here" })
	void whatIsNotThereIsNotFound(String path) {
		Answer answer = this.calls.raw("GET", path, null);

		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.text()).matches("\\{\"message\":\"Resource not found\",\"errorId\":\"" + ID + "\"}");
	}

	@ParameterizedTest
	@CsvSource({ "GET,/v1/errors/lock/name/acquire,POST", "GET,/v1/errors/lock/name/renew,POST",
			"GET,/v1/errors/lock/name/release,POST", "POST,/v1/errors/lock/name,GET", "DELETE,/v1/errors/lock/name,GET",
			"PUT,/v1/errors/lock/name/acquire,POST" })
	void whatIsThereForAnotherVerbIsToldWithIt(String method, String path, String allowed) {
		Answer answer = this.calls.raw(method, path, null);

		assertThat(answer.status()).isEqualTo(405);
		assertThat(answer.text()).matches("\\{\"message\":\"Method not allowed\",\"errorId\":\"" + ID + "\"}");
		assertThat(answer.header("Allow")).contains(allowed);
	}

	@Test
	void whoTakesNoJsonIsRefusedBeforeItGetsALock() {
		Answer answer = this.calls.call("POST", "/v1/errors/lock/not-acceptable/acquire", BODY,
				(request) -> request.header("Accept", "text/html"));

		assertThat(answer.status()).isEqualTo(406);
		assertThat(answer.text()).matches("\\{\"message\":\"Not acceptable\",\"errorId\":\"" + ID + "\"}");
		assertThat(this.calls.get("errors", "not-acceptable").body().has("owner")).isFalse();
	}

	@Test
	void whoAcceptsProblemsGetsErrorsAsProblems() {
		Answer missing = get("/v1/errors/lock", "application/json, application/problem+json");
		assertThat(missing.status()).isEqualTo(404);
		assertThat(missing.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(missing.text())
			.matches("\\{\"detail\":\"Resource not found\",\"status\":404,\"title\":\"Not Found\",\"errorId\":\"" + ID
					+ "\"}");

		Answer invalid = get("/v1/errors/lock/x", "application/json, application/problem+json");
		assertThat(invalid.status()).isEqualTo(400);
		assertThat(invalid.text())
			.isEqualTo("{\"detail\":\"Validation failed\",\"status\":400,\"title\":\"Bad Request\",\"details\":"
					+ "[\"Parameter 'lockName' failed validation: Lock name must be between 3 and 64 characters long\"]}");

		Answer early = get("/v1/errors/lock/name;x=y", "application/problem+json");
		assertThat(early.status()).isEqualTo(400);
		assertThat(early.body().path("detail").asString()).isEqualTo("Bad request");
		assertThat(early.body().path("errorId").asString()).matches(ID);
	}

	@Test
	void whoAcceptsProblemsTooGetsItsLockAsJson() {
		Answer lock = get("/v1/errors/lock/a-lock", "application/json, application/problem+json");
		assertThat(lock.status()).isEqualTo(200);
		assertThat(lock.header("Content-Type")).isEqualTo("application/json");
	}

	@Test
	void whoAcceptsNothingButProblemsIsRefusedByOne() {
		Answer answer = get("/v1/errors/lock/a-lock", "application/problem+json");
		assertThat(answer.status()).isEqualTo(406);
		assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(answer.body().path("detail").asString()).isEqualTo("Not acceptable");
	}

	private Answer get(String path, String accept) {
		return this.calls.call("GET", path, null, (request) -> request.header("Accept", accept));
	}

	@Test
	void whatIsRefusedBeforeAnyControllerIsAnErrorOfTheSameKind() {
		Answer answer = this.calls.raw("GET", "/v1/errors/lock/name;x=y", null);

		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).matches("\\{\"message\":\"Bad request\",\"errorId\":\"" + ID + "\"}");
	}

}
