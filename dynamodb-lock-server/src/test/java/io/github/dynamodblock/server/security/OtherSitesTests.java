/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.Consumer;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what a browser sends for its pages, where nobody needs a token.
 */
@RunningLockServer
class OtherSitesTests {

	private static final String LOCK = "/v1/other-sites-tests/lock/";

	private static final String LEASE = "{\"instanceId\":\"page\",\"leaseDuration\":60}";

	@LocalServerPort
	private int port;

	private Answer acquire(String lockName, Consumer<HttpRequest.Builder> headers) {
		return LockServerCalls.on(this.port).call("POST", LOCK + lockName + "/acquire", LEASE, headers);
	}

	private void assertFree(String lockName) {
		assertThat(LockServerCalls.on(this.port).get("other-sites-tests", lockName).number("leaseDuration")).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "cross-site", "same-site", "" })
	void aPageOfAnotherSiteGetsNoLock(String site) {
		Answer answer = acquire("by-site", (request) -> request.header("Sec-Fetch-Site", site));
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.body().path("errorId").asString()).hasSize(36);
		assertFree("by-site");
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://other.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1",
			"null", "", "file://", "not an origin" })
	void aPageOfAnotherOriginGetsNoLock(String origin) {
		assertThat(acquire("by-origin", (request) -> request.header("Origin", origin)).status()).isEqualTo(403);
		assertFree("by-origin");
	}

	/** What a page may send without asking the service first. */
	@Test
	void aPostThatDoesNotSayWhatItIsGetsNoLock() throws Exception {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.port + LOCK + "simple/acquire"))
			.header("Origin", "https://other.example")
			.POST(BodyPublishers.ofString(LEASE))
			.build();
		assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(403);
		assertFree("simple");
	}

	@ParameterizedTest
	@CsvSource({ "same-origin,", "none,", "same-origin,https://behind.a.proxy.example", ",http://127.0.0.1:PORT" })
	void theServicesOwnPagesAreServed(@Nullable String site, @Nullable String origin) {
		Answer answer = acquire("by-own-page", (request) -> {
			if (site != null) {
				request.header("Sec-Fetch-Site", site);
			}
			if (origin != null) {
				request.header("Origin", origin.replace("PORT", String.valueOf(this.port)));
			}
		});
		assertThat(answer.status()).isEqualTo(200);
	}

}
