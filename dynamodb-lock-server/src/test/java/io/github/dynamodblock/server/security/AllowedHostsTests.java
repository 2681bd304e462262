/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the host name in requests, where no token is needed.
 */
@RunningLockServer
class AllowedHostsTests {

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@CsvSource({ "localhost,200", "localhost:8080,200", "LOCALHOST,200", "service.localhost,200", "127.0.0.1:1,200",
			"10.1.2.3,200", "[::1]:8080,200", "rebound.example,403", "localhost.rebound.example,403",
			"127.0.0.1.rebound.example:8080,403" })
	void aPageThatReboundItsNameToTheServiceIsRefused(String host, int status) throws IOException {
		assertThat(statusOf(host)).isEqualTo(status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks.internal", "LOCKS.internal:8080" })
	void aConfiguredNameIsAllowed(String host) {
		assertThat(new AllowedHosts(List.of(" Locks.Internal ")).allows(host)).isTrue();
		assertThat(new AllowedHosts(List.of("*")).allows(host)).isTrue();
		assertThat(new AllowedHosts(List.of("other.internal")).allows(host)).isFalse();
	}

	@Test
	void aRequestWithoutAHostIsNoBrowsersAndOneThatIsNoHostIsRefused() {
		assertThat(new AllowedHosts(List.of()).allows(null)).isTrue();
		assertThat(new AllowedHosts(List.of()).allows("")).isFalse();
		assertThat(new AllowedHosts(List.of()).allows("a b")).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "localhost,true", "127.0.0.1,true", "[::1],true", "10.1.2.3,false", "[2001:db8::1],false",
			"issuer.example,false" })
	void onlyThisMachineIsLoopback(String host, boolean expected) {
		assertThat(AllowedHosts.isLoopback(host)).isEqualTo(expected);
	}

	/** The JDK's client does not let a test set this header. */
	private int statusOf(String host) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream()
				.write(("GET /v1/allowed-hosts/lock/some-lock HTTP/1.1\r\nHost: " + host
						+ "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
		}
	}

}
