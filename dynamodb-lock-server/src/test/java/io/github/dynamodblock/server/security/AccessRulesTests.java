/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import io.github.dynamodblock.server.ServiceInstance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which namespaces a token may use, and of administrators.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class AccessRulesTests {

	private final TokenIssuer issuer = TokenIssuer.start();

	private @Nullable ServiceInstance service;

	@BeforeAll
	void start() {
		this.service = ServiceInstance.start(this.issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
				"lock-server.rules[0].claim=scope", "lock-server.rules[0].value=billing",
				"lock-server.rules[0].namespaces=billing, billing-*", "lock-server.rules[1].claim=roles",
				"lock-server.rules[1].value=operator", "lock-server.rules[1].namespaces=*",
				"lock-server.rules[1].administrator=true", "lock-server.rules[2].claim=department",
				"lock-server.rules[2].value=billing", "lock-server.rules[2].namespaces=department",
				"lock-server.rules[3].claim=roles", "lock-server.rules[3].value=billing-operator",
				"lock-server.rules[3].namespaces=billing", "lock-server.rules[3].administrator=true",
				"lock-server.rules[4].claim=department", "lock-server.rules[4].value=null",
				"lock-server.rules[4].namespaces=no-department");
	}

	@AfterAll
	void stop() {
		service().close();
		this.issuer.close();
	}

	private ServiceInstance service() {
		return Objects.requireNonNull(this.service);
	}

	private LockServerCalls with(String claim, Object value) {
		return service().calls(this.issuer.token((claims) -> claims.subject("alice").claim(claim, value)));
	}

	private LockServerCalls billing() {
		return with("scope", "openid billing email");
	}

	private LockServerCalls operator() {
		return service().calls(
				this.issuer.token((claims) -> claims.subject("olivia").claim("roles", List.of("reader", "operator"))));
	}

	private static Answer forceRelease(LockServerCalls calls, String namespace, String lockName, long fencingToken) {
		return calls.raw("POST", "/v1/" + namespace + "/lock/" + lockName + "/force-release",
				"{\"fencingToken\":" + fencingToken + "}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "billing", "billing-invoices" })
	void aTokenMayUseTheNamespacesOfItsRule(String namespace) {
		assertThat(billing().acquire(namespace, "allowed", "instance", 60).status()).isEqualTo(200);
		assertThat(billing().get(namespace, "allowed").status()).isEqualTo(200);
		assertThat(billing().renew(namespace, "allowed", "instance", 60).status()).isEqualTo(200);
		assertThat(billing().release(namespace, "allowed", "instance").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders", "billings", "my-billing", "department" })
	void everyCallForAnotherNamespaceIsForbiddenAndTheMessageNamesIt(String namespace) {
		for (Answer answer : List.of(billing().acquire(namespace, "a-lock", "instance", 60),
				billing().get(namespace, "a-lock"), billing().renew(namespace, "a-lock", "instance", 60),
				billing().release(namespace, "a-lock", "instance"))) {
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.body().path("message").asString()).isEqualTo(
					"Forbidden: no rule in lock-server.rules allows this token the namespace '" + namespace + "'");
		}
		assertThat(operator().get(namespace, "a-lock").body().has("owner")).isFalse();
	}

	@Test
	void aTokenThatNoRuleMentionsMayUseNoNamespace() {
		assertThat(service().calls(this.issuer.token("alice")).get("billing", "a-lock").status()).isEqualTo(403);
	}

	@Test
	void withoutATokenACallIsStillUnauthenticated() {
		assertThat(service().calls().get("billing", "a-lock").status()).isEqualTo(401);
	}

	@Test
	void aTokenWithoutTheClaimHasNoValueOfIt() {
		assertThat(billing().get("no-department", "a-lock").status()).isEqualTo(403);
		assertThat(with("department", "null").get("no-department", "a-lock").status()).isEqualTo(200);
	}

	@Test
	void aClaimMayBeAListAndOnlyAScopeIsAListOfWords() {
		assertThat(with("roles", List.of("operator")).get("orders", "a-lock").status()).isEqualTo(200);
		assertThat(with("roles", "operator").get("orders", "a-lock").status()).isEqualTo(200);
		assertThat(with("scope", List.of("email", "billing")).get("billing", "a-lock").status()).isEqualTo(200);
		assertThat(with("department", "billing").get("department", "a-lock").status()).isEqualTo(200);
		assertThat(with("department", "not billing").get("department", "a-lock").status()).isEqualTo(403);
		assertThat(with("scope", "billing-admin").get("billing", "a-lock").status()).isEqualTo(403);
	}

	@ParameterizedTest
	@CsvSource({ "/v1/%6Frders/lock/a-lock,403", "/%76%31/orders/lock/a-lock,403", "/v1/%62illing/lock/a-lock,200",
			"/%76%31/billing/lock/a-lock,200", "/v1/orders/lock/billing,403", "/v1/orders/nothing/here,403" })
	void theDecodedPathDecides(String path, int status) {
		assertThat(billing().raw("GET", path, null).status()).isEqualTo(status);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/v1/locks", "/v1/locks?namespace=orders", "/v1/locks?namespace=orders&namespace=billing",
			"/v1/locks?other=billing", "/v1/locks?namespace=" })
	void theListOfOtherNamespacesIsForbidden(String path) throws Exception {
		assertThat(billing().statusOfStream("GET", path)).isEqualTo(403);
	}

	@Test
	void theListIsServedForTheNamespacesOfARule() throws Exception {
		assertThat(billing().statusOfStream("GET", "/v1/locks?namespace=billing")).isEqualTo(200);
		assertThat(billing().statusOfStream("HEAD", "/v1/locks?namespace=billing")).isEqualTo(200);
		assertThat(operator().statusOfStream("GET", "/v1/locks")).isEqualTo(200);
		assertThat(operator().statusOfStream("GET", "/v1/locks?namespace=orders")).isEqualTo(200);
		// The service sees one value, and it is not the allowed one.
		assertThat(billing().statusOfStream("GET", "/v1/locks?namespace=billing&namespace=orders")).isEqualTo(400);
	}

	@Test
	void anAdministratorBreaksALockAndThatIsLogged(CapturedOutput output) {
		Answer granted = billing().acquire("billing", "broken", "instance", 600);
		Answer broken = forceRelease(operator(), "billing", "broken", granted.number("fencingToken"));
		assertThat(broken.status()).isEqualTo(200);
		assertThat(billing().renew("billing", "broken", "instance", 60).status()).isEqualTo(423);
		assertThat(output.getOut().lines().filter((line) -> line.contains("forced the release"))).singleElement()
			.asString()
			.contains("\"WARN\"", "'olivia'", "'broken'", "'billing'", "'alice'",
					String.valueOf(granted.number("fencingToken")));
		assertThat(forceRelease(operator(), "billing", "broken", granted.number("fencingToken")).status())
			.as("A repeated request")
			.isEqualTo(200);
	}

	@Test
	void anAdministratorDoesNotBreakTheNextHold(CapturedOutput output) {
		Answer first = billing().acquire("billing", "next", "first", 600);
		billing().release("billing", "next", "first");
		billing().acquire("billing", "next", "second", 600);
		Answer refused = forceRelease(operator(), "billing", "next", first.number("fencingToken"));
		assertThat(refused.status()).isEqualTo(423);
		assertThat(billing().renew("billing", "next", "second", 60).status()).isEqualTo(200);
		assertThat(output).doesNotContain("forced the release");
	}

	@Test
	void theTokenOfTheHoldIsRequired() {
		assertThat(operator().raw("POST", "/v1/billing/lock/a-lock/force-release", "{}").status()).isEqualTo(400);
	}

	@Test
	void onlyAnAdministratorOfTheNamespaceBreaksLocks() {
		long token = billing().acquire("billing", "kept", "instance", 600).number("fencingToken");
		Answer refused = forceRelease(billing(), "billing", "kept", token);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.body().path("message").asString()).contains("administrator of the namespace 'billing'");
		LockServerCalls billingOperator = with("roles", List.of("billing-operator"));
		assertThat(forceRelease(billingOperator, "orders", "kept", token).status()).isEqualTo(403);
		assertThat(billing().renew("billing", "kept", "instance", 60).status()).isEqualTo(200);
		assertThat(forceRelease(billingOperator, "billing", "kept", token).status()).isEqualTo(200);
	}

	@Test
	void withoutRulesEachTokenMayUseEveryNamespaceAndBreakNoLock() {
		try (ServiceInstance open = ServiceInstance.start(this.issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING)) {
			LockServerCalls alice = open.calls(this.issuer.token("alice"));
			long token = alice.acquire("anything", "held", "instance", 60).number("fencingToken");
			assertThat(token).isPositive();
			assertThat(forceRelease(alice, "anything", "held", token).status()).isEqualTo(403);
		}
	}

	/** Tests of an instance that asks for no tokens. */
	@Nested
	@RunningLockServer
	class WithoutAuthentication {

		@LocalServerPort
		private int port;

		@Test
		void noClientBreaksLocks() {
			LockServerCalls calls = LockServerCalls.on(this.port);
			long token = calls.acquire("access-rules", "kept", "instance", 60).number("fencingToken");
			assertThat(forceRelease(calls, "access-rules", "kept", token).status()).isEqualTo(403);
		}

	}

}
