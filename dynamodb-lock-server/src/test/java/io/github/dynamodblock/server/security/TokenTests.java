/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Tests of calls with tokens, where issuer and audience are set and the keys are found by
 * discovery.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenTests {

	private static final String NAMESPACE = "token-tests";

	private final TokenIssuer issuer = TokenIssuer.start();

	private @Nullable ServiceInstance service;

	@BeforeAll
	void start() {
		this.service = ServiceInstance.start(this.issuer.issuerSetting(), TokenIssuer.AUDIENCE_SETTING);
	}

	@AfterAll
	void stop() {
		service().close();
		this.issuer.close();
	}

	private ServiceInstance service() {
		return Objects.requireNonNull(this.service);
	}

	private LockServerCalls as(String subject) {
		return service().calls(this.issuer.token(subject));
	}

	@Test
	void theSubjectIsTheOwner() {
		Answer granted = as("alice").acquire(NAMESPACE, "owned", "instance", 60);
		assertThat(granted.status()).isEqualTo(200);
		assertThat(granted.body().path("owner").asString()).isEqualTo("alice");
		assertThat(as("bob").get(NAMESPACE, "owned").body().path("owner").asString()).isEqualTo("alice");
	}

	@Test
	void theLongestSubjectIsTheOwnerInFull() {
		String longest = "s".repeat(255);
		Answer granted = as(longest).acquire(NAMESPACE, "long-owned", "instance", 60);
		assertThat(granted.body().path("owner").asString()).isEqualTo(longest);
	}

	@Test
	void theSameInstanceIdOfAnotherSubjectIsAnotherHolder() {
		assertThat(as("alice").acquire(NAMESPACE, "kept-apart", "instance", 60).status()).isEqualTo(200);
		assertThat(as("bob").acquire(NAMESPACE, "kept-apart", "instance", 60).status()).isEqualTo(423);
		assertThat(as("bob").renew(NAMESPACE, "kept-apart", "instance", 60).status()).isEqualTo(423);
		assertThat(as("bob").release(NAMESPACE, "kept-apart", "instance").status()).isEqualTo(423);
		assertThat(as("alice").release(NAMESPACE, "kept-apart", "instance").status()).isEqualTo(200);
	}

	/** Nobody looks for a token among the fields of a form, which would use it up. */
	@Test
	void aBodyThatIsSaidToBeAFormIsReadAllTheSame() {
		Answer granted = as("alice").call("POST", "/v1/" + NAMESPACE + "/lock/form/acquire",
				"{\"instanceId\":\"instance\",\"leaseDuration\":60}",
				(request) -> request.setHeader("Content-Type", "application/x-www-form-urlencoded"));

		assertThat(granted.status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "JWT", "at+jwt" })
	void bothTypesOfTokensAreTaken(String type) {
		String token = this.issuer.tokenOfType(type, "alice");
		assertThat(service().calls(token).get(NAMESPACE, "looked-at").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "LOCK", "ANYTHING" })
	void withoutATokenEveryVerbIsUnauthenticated(String verb) {
		for (String path : new String[] { "/v1/token-tests/lock/a-lock", "/v1/token-tests/lock/a-lock/acquire",
				"/v1/locks", "/v1", "/v1/there/is/nothing/here" }) {
			Answer answer = service().calls().raw(verb, path, null);
			assertThat(answer.status()).as(path).isEqualTo(401);
			assertThat(answer.header("WWW-Authenticate")).as(path).startsWith("Bearer");
		}
	}

	@Test
	void withoutATokenALookAtTheHeadersIsUnauthenticated() {
		assertThat(service().calls().raw("HEAD", "/v1", null).status()).isEqualTo(401);
	}

	@Test
	void aMissingTokenIsToldWithAnErrorId() {
		Answer answer = service().calls().get(NAMESPACE, "a-lock");
		assertThat(answer.body().path("message").asString()).isEqualTo("Unauthorized");
		assertThat(answer.body().path("errorId").asString()).hasSize(36);
		assertThat(answer.header("Content-Type")).startsWith("application/json");
	}

	@Test
	void aChallengeNamesNoDocumentThatDoesNotExist() {
		assertThat(service().calls().get(NAMESPACE, "a-lock").header("WWW-Authenticate")).isEqualTo("Bearer");
		assertThat(service().calls("nonsense").get(NAMESPACE, "a-lock").header("WWW-Authenticate"))
			.startsWith("Bearer error=\"invalid_token\", error_description=\"")
			.doesNotContain("resource_metadata");
	}

	Stream<Arguments> badTokens() {
		Date past = Date.from(Instant.now().minus(Duration.ofHours(2)));
		return Stream.of(argumentSet("expired", this.issuer.token((claims) -> claims.expirationTime(past))),
				argumentSet("not valid yet", this.issuer
					.token((claims) -> claims.notBeforeTime(Date.from(Instant.now().plus(Duration.ofMinutes(30)))))),
				argumentSet("of another issuer", this.issuer.token((claims) -> claims.issuer("https://other.example"))),
				argumentSet("of no issuer", this.issuer.token((claims) -> claims.issuer(null))),
				argumentSet("for another audience", this.issuer.token((claims) -> claims.audience("other"))),
				argumentSet("for no audience", this.issuer.token((claims) -> claims.audience((String) null))),
				argumentSet("without an expiry", this.issuer.token((claims) -> claims.expirationTime(null))),
				argumentSet("without a subject", this.issuer.token((claims) -> claims.subject(null))),
				argumentSet("with a blank subject", this.issuer.token(" ")),
				argumentSet("with an overlong subject", this.issuer.token("s".repeat(256))),
				argumentSet("signed by another key", this.issuer.forged("alice")),
				argumentSet("not signed", this.issuer.unsigned("alice")),
				argumentSet("of another kind", this.issuer.tokenOfType("logout+jwt", "alice")),
				argumentSet("tampered with", this.issuer.token("alice").replaceFirst("\\.[^.]+\\.", ".e30.")),
				argumentSet("no token", "nonsense"));
	}

	@ParameterizedTest
	@MethodSource("badTokens")
	void aBadTokenIsUnauthenticated(String token) {
		Answer answer = service().calls(token).acquire(NAMESPACE, "never-granted", "instance", 60);
		assertThat(answer.status()).isEqualTo(401);
		assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer").contains("invalid_token");
		assertThat(answer.text()).doesNotContain(token);
	}

	@Test
	void aTokenIsNotTakenFromTheAddress() {
		Answer answer = service().calls()
			.raw("GET", "/v1/token-tests/lock/a-lock?access_token=" + this.issuer.token("alice"), null);
		assertThat(answer.status()).isEqualTo(401);
	}

	@Test
	void whoIsAuthenticatedLearnsThatAPathDoesNotExist() {
		assertThat(as("alice").raw("GET", "/v1/there/is/nothing/here", null).status()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PROPFIND", "LOCK", "ANYTHING" })
	void whoIsAuthenticatedLearnsThatAVerbIsNotAllowedAndNoMeterIsNamedByIt(String verb) {
		Answer answer = as("alice").raw(verb, "/v1/token-tests/lock/a-lock", null);
		assertThat(answer.status()).isEqualTo(405);
		assertThat(answer.body().path("message").asString()).isEqualTo("Method not allowed");
		assertThat(answer.body().path("errorId").asString()).hasSize(36);
		assertThat(service().management().raw("GET", "/actuator/prometheus", null).text()).doesNotContain(verb + "\"");
	}

	@Test
	void noSessionIsKept() {
		Answer answer = as("alice").get(NAMESPACE, "looked-at");
		assertThat(answer.header("Set-Cookie")).isNull();
	}

}
