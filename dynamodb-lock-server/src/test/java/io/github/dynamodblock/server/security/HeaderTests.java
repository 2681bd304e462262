/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of where nobody needs a token, and of the headers of every answer.
 */
@RunningLockServer
class HeaderTests {

	@LocalServerPort
	private int port;

	@LocalManagementPort
	private int managementPort;

	private LockServerCalls calls() {
		return LockServerCalls.on(this.port);
	}

	@Test
	void allCallersAreOneOwnerAndTheirTokensAreNotLookedAt() {
		LockServerCalls withToken = new LockServerCalls(URI.create("http://127.0.0.1:" + this.port), "nonsense");
		Answer granted = withToken.acquire("header-tests", "everybodys", "instance", 60);
		assertThat(granted.body().path("owner").asString()).isEqualTo("anonymous");
		assertThat(calls().release("header-tests", "everybodys", "instance").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/swagger-ui/", "/openapi.yaml", "/actuator/health", "/actuator/prometheus",
			"/v1/header-tests/lock/a-lock", "/v1/nothing/here" })
	void nothingLoadsFromAnotherHostAndNothingFramesAnAnswer(String path) {
		int listening = path.startsWith("/actuator") ? this.managementPort : this.port;
		Answer answer = LockServerCalls.on(listening).raw("GET", path, null);
		assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'")
			.contains("script-src 'self';")
			.contains("style-src 'self';")
			.contains("connect-src 'self'")
			.contains("frame-ancestors 'none'")
			.doesNotContain("http", "*");
		assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
		assertThat(answer.header("Set-Cookie")).isNull();
	}

	@Test
	void whatIsToldOfALockIsNotStored() {
		assertThat(calls().get("header-tests", "a-lock").header("Cache-Control")).contains("no-store");
	}

	@Test
	void aPathThatMayBeMeantToDeceiveIsRefusedWithAnErrorId() {
		Answer answer = calls().raw("GET", "/v1//lock/a-lock", null);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body().path("errorId").asString()).hasSize(36);
	}

}
