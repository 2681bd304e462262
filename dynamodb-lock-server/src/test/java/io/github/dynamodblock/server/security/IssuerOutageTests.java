/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.server.Crowd;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.security.TokenConfiguration.KeyTimes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Tests of tokens whose issuer hangs, fails, or changes its keys, and of callers who make
 * up keys.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("issuers")
class IssuerOutageTests {

	private static final String NAMESPACE = "issuer-outage-tests";

	private static final KeyTimes SHORT = new KeyTimes(Duration.ofSeconds(2), Duration.ofMillis(500),
			Duration.ofMillis(50));

	/** Longer than a request to an issuer that hangs. */
	private static final KeyTimes PATIENT = new KeyTimes(Duration.ofSeconds(9), Duration.ofSeconds(4),
			Duration.ofMillis(50));

	private final TokenIssuer issuer = TokenIssuer.start();

	@AfterEach
	void stop() {
		this.issuer.close();
	}

	private JwtDecoder timed(KeyTimes times) {
		try {
			OAuth2ResourceServerProperties properties = new OAuth2ResourceServerProperties();
			properties.getJwt().setJwsAlgorithms(List.of("RS256", "ES256"));
			return new TokenConfiguration().jwtDecoder(TokenConfiguration
				.keys(URI.create(this.issuer.keysAddress()).toURL(), TokenConfiguration.HTTP, times),
					TokenConfiguration.tokenValidator(properties), properties);
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aCrowdOfCallersOfAHangingIssuerIsUnavailableAndTheIssuerIsNotAskedByEachOfThem() throws Exception {
		this.issuer.hangs();
		try (ServiceInstance service = ServiceInstance.start(this.issuer.issuerSetting(),
				TokenIssuer.AUDIENCE_SETTING)) {
			assertThat(service.calls("nonsense").get(NAMESPACE, "a-lock").status()).isEqualTo(401);
			assertThat(service.calls(this.issuer.unsigned("alice")).get(NAMESPACE, "a-lock").status()).isEqualTo(401);
			assertThat(this.issuer.requests()).as("What is no signed token asks nobody").isZero();

			String token = this.issuer.token("alice");
			List<Answer> answers = Crowd.of(8, (number) -> service.calls(token).get(NAMESPACE, "a-lock"));
			assertThat(answers).extracting(Answer::status).containsOnly(503);
			assertThat(answers).extracting((answer) -> answer.header("Retry-After")).containsOnly("1");
			assertThat(this.issuer.requests()).isPositive().isLessThan(4);
		}
	}

	@Test
	void whoWaitsInVainForTheCallerThatAsksIsToldThatTheKeysAreMissing() throws Exception {
		this.issuer.hangs();
		JwtDecoder tokens = timed(SHORT);
		String token = this.issuer.token("alice");
		List<Throwable> failures = Crowd.of(4, (number) -> catchThrowable(() -> tokens.decode(token)));
		assertThat(failures)
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(OAuth2AuthenticationException.class)
				.hasMessageContaining("keys are not available"));
	}

	@Test
	void knownKeysOutliveTheirIssuer() {
		JwtDecoder tokens = timed(SHORT);
		String token = this.issuer.token("alice");
		assertThat(tokens.decode(token).getSubject()).isEqualTo("alice");
		this.issuer.down(true);
		int before = this.issuer.requests();
		await().atMost(Duration.ofSeconds(30))
			.during(SHORT.fresh().multipliedBy(2))
			.untilAsserted(() -> assertThat(tokens.decode(token).getSubject()).isEqualTo("alice"));
		assertThat(this.issuer.requests()).isGreaterThan(before);
	}

	@Test
	void knownKeysAreUsedWhileTheIssuerHangs() {
		JwtDecoder tokens = timed(PATIENT);
		String token = this.issuer.token("alice");
		tokens.decode(token);
		this.issuer.hangs();
		int before = this.issuer.requests();
		await().until(() -> {
			tokens.decode(token);
			return this.issuer.requests() > before;
		});
		assertThat(tokens.decode(token).getSubject()).isEqualTo("alice");
	}

	@Test
	void unknownKeysDoNotMakeTheIssuerBeAskedForEachToken() {
		JwtDecoder tokens = timed(KeyTimes.DEFAULTS);
		String good = this.issuer.token("alice");
		assertThat(tokens.decode(good).getSubject()).isEqualTo("alice");
		String unknown = this.issuer.ofUnknownKey("alice");
		int before = this.issuer.requests();
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> tokens.decode(unknown));
		}
		assertThat(this.issuer.requests() - before).isLessThan(5);
		assertThat(tokens.decode(good).getSubject()).isEqualTo("alice");
	}

	@Test
	void unknownKeysAreStillUnknownWhileTheIssuerFails() {
		JwtDecoder tokens = timed(SHORT);
		String good = this.issuer.token("alice");
		tokens.decode(good);
		String unknown = this.issuer.ofUnknownKey("alice");
		this.issuer.down(true);
		int before = this.issuer.requests();
		await().until(() -> {
			assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> tokens.decode(unknown));
			return this.issuer.requests() > before;
		});
		assertThat(tokens.decode(good).getSubject()).isEqualTo("alice");
	}

	@Test
	void aKeyOfAnotherKindIsTakenWithoutARestart() {
		JwtDecoder tokens = timed(SHORT);
		String old = this.issuer.token("alice");
		tokens.decode(old);
		this.issuer.changeToEllipticCurve();
		String next = this.issuer.token("alice");
		await().untilAsserted(() -> assertThat(tokens.decode(next).getHeaders().get("alg")).isEqualTo("ES256"));
		assertThatExceptionOfType(BadJwtException.class).isThrownBy(() -> tokens.decode(old));
	}

}
