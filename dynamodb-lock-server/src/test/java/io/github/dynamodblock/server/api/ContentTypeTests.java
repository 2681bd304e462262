/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.nio.charset.StandardCharsets;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A body is JSON, whatever it is said to be: many a simple client says that it sends a
 * form.
 */
@RunningLockServer
class ContentTypeTests {

	private static final String LOCK = "/v1/content-type/lock/taken";

	private static final String LEASE = "{\"instanceId\":\"one\",\"leaseDuration\":60}";

	private static final String INSTANCE = "{\"instanceId\":\"one\"}";

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/json", "application/json;charset=UTF-8", "application/vnd.locks+json",
			"application/x-www-form-urlencoded", "text/plain", "application/xml", "application/octet-stream",
			"multipart/form-data", "multipart/form-data;boundary=x", "nonsense" })
	void anyContentTypeIsTaken(String contentType) {
		Answer granted = call("/acquire", LEASE, contentType);

		assertThat(granted.status()).isEqualTo(200);
		assertThat(granted.number("leaseDuration")).isEqualTo(60);
		assertThat(call("/renew", LEASE, contentType).number("leaseDuration")).isEqualTo(120);
		assertThat(call("/release", INSTANCE, contentType).status()).isEqualTo(200);
	}

	@Test
	void noContentTypeIsTakenToo() {
		assertThat(this.calls.send("POST", LOCK + "/acquire", LEASE.getBytes(StandardCharsets.UTF_8)).status())
			.isEqualTo(200);
		assertThat(this.calls.send("POST", LOCK + "/release", INSTANCE.getBytes(StandardCharsets.UTF_8)).status())
			.isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/x-www-form-urlencoded", "text/plain", "multipart/form-data;boundary=x" })
	void whatIsNoJsonIsMalformedWhateverItIsSaidToBe(String contentType) {
		Answer answer = call("/acquire", "instanceId=one&leaseDuration=60", contentType);

		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body().path("message").asString()).isEqualTo("JSON validation failed");
	}

	private Answer call(String path, String body, String contentType) {
		return this.calls.call("POST", LOCK + path, body, (request) -> request.setHeader("Content-Type", contentType));
	}

}
