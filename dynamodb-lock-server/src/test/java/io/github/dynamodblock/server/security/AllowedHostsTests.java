/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import io.github.dynamodblock.server.RunningLockServer;
import io.github.dynamodblock.server.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the host name in requests.
 */
@RunningLockServer
class AllowedHostsTests {

	private static final String PATH = "/v1/allowed-hosts/lock/some-lock";

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@CsvSource({ "localhost,200", "localhost:8080,200", "LOCALHOST,200", "service.localhost,200", "127.0.0.1:1,200",
			"10.1.2.3,200", "[::1]:8080,200", "rebound.example,403", "localhost.rebound.example,403",
			"127.0.0.1.rebound.example:8080,403" })
	void aPageThatReboundItsNameToTheServiceIsRefused(String host, int status) throws IOException {
		assertThat(statusOf(this.port, PATH, host)).isEqualTo(status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/openapi.yaml", "/swagger-ui/", "/actuator/health", "/actuator/prometheus" })
	void noPageOfTheServiceIsServedUnderAReboundName(String path) throws IOException {
		assertThat(statusOf(this.port, path, "rebound.example")).isEqualTo(403);
	}

	@Test
	void theAnswerNamesTheSettingAndIsAnErrorLikeAnyOther() throws IOException {
		assertThat(answer(this.port, PATH, "rebound.example"))
			.contains("Forbidden: the host name of the request is not in authentication.allowed-hosts")
			.contains("\"errorId\"");
	}

	@Test
	void aConfiguredNameIsAllowed() throws IOException {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true",
				"authentication.allowed-hosts=Locks.internal, other.internal")) {
			assertThat(statusOf(service.port(), PATH, "LOCKS.internal:8080")).isEqualTo(200);
			assertThat(statusOf(service.port(), PATH, "other.internal")).isEqualTo(200);
			assertThat(statusOf(service.port(), PATH, "rebound.example")).isEqualTo(403);
		}
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true",
				"authentication.allowed-hosts=*")) {
			assertThat(statusOf(service.port(), PATH, "any.example")).isEqualTo(200);
		}
	}

	@Test
	void whereTokensAreRequiredTheHostIsCheckedOnlyIfNamesAreConfigured() throws IOException {
		try (TokenIssuer issuer = TokenIssuer.start();
				ServiceInstance any = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING);
				ServiceInstance named = ServiceInstance.start(issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
						"authentication.allowed-hosts=locks.internal")) {
			assertThat(statusOf(any.port(), PATH, "any.example")).isEqualTo(401);
			assertThat(statusOf(named.port(), PATH, "locks.internal")).isEqualTo(401);
			assertThat(statusOf(named.port(), PATH, "any.example")).isEqualTo(403);
			assertThat(statusOf(named.port(), "/actuator/prometheus", "any.example")).isEqualTo(403);
		}
	}

	@Test
	void theManagementPortIsNotServedUnderAReboundName() throws IOException {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true", "management.server.port=0",
				"management.server.address=127.0.0.1")) {
			int management = Integer
				.parseInt(service.bean(Environment.class).getRequiredProperty("local.management.port"));
			assertThat(statusOf(management, "/actuator/health", "127.0.0.1")).isEqualTo(200);
			assertThat(statusOf(management, "/actuator/health", "rebound.example")).isEqualTo(403);
		}
	}

	private static int statusOf(int port, String path, String host) throws IOException {
		return Integer.parseInt(answer(port, path, host).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
	}

	/** The JDK's client does not let a test set this header. */
	private static String answer(int port, String path, String host) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
