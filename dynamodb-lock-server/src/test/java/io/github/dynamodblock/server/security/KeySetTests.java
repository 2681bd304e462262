/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of calls with tokens, where the address of the keys is set, and where the issuer
 * does not answer.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("key sets")
class KeySetTests {

	private static final String NAMESPACE = "key-set-tests";

	private final TokenIssuer issuer = TokenIssuer.start();

	@AfterEach
	void stop() {
		this.issuer.close();
	}

	@Test
	void keysWithoutAnIssuerAcceptTokensFromAnyAndAnyAudienceIfThatIsSet() {
		try (ServiceInstance service = ServiceInstance.start(this.issuer.keysSetting(),
				"spring.security.oauth2.resourceserver.jwt.issuer-uri= ", "authentication.any-audience=true")) {
			String token = this.issuer
				.token((claims) -> claims.subject("alice").issuer("https://other.example").audience("other"));
			Answer answer = service.calls(token).acquire(NAMESPACE, "a-lock", "instance", 60);
			assertThat(answer.body().path("owner").asString()).isEqualTo("alice");
			assertThat(service.calls(this.issuer.forged("alice")).get(NAMESPACE, "a-lock").status()).isEqualTo(401);
			assertThat(service.calls(this.issuer.unsigned("alice")).get(NAMESPACE, "a-lock").status()).isEqualTo(401);
		}
	}

	@Test
	void theStartDoesNotNeedTheIssuerAndCallsWaitForIt() {
		this.issuer.down(true);
		try (ServiceInstance service = ServiceInstance.start(this.issuer.issuerSetting(),
				TokenIssuer.AUDIENCE_SETTING)) {
			String token = this.issuer.token("alice");
			Answer unavailable = service.calls(token).get(NAMESPACE, "a-lock");
			assertThat(unavailable.status()).isEqualTo(503);
			assertThat(unavailable.header("Retry-After")).isEqualTo("1");
			assertThat(unavailable.body().path("message").asString()).isEqualTo("Service unavailable");
			assertThat(unavailable.body().path("errorId").asString()).isNotBlank();
			assertThat(service.calls().get(NAMESPACE, "a-lock").status()).isEqualTo(401);
			this.issuer.down(false);
			awaitStatus(200, service, token);
		}
	}

	@Test
	void keysThatCannotBeHadAreNoFaultOfTheToken() {
		this.issuer.down(true);
		// The keys come from the one address, the issuer is only compared.
		try (ServiceInstance service = ServiceInstance.start(this.issuer.keysSetting(), TokenIssuer.AUDIENCE_SETTING,
				"spring.security.oauth2.resourceserver.jwt.issuer-uri=https://issuer.example")) {
			assertThat(service.calls(this.issuer.token("alice")).get(NAMESPACE, "a-lock").status()).isEqualTo(503);
			this.issuer.down(false);
			awaitStatus(401, service, this.issuer.token("alice"));
			String token = this.issuer.token((claims) -> claims.issuer("https://issuer.example"));
			assertThat(service.calls(token).get(NAMESPACE, "a-lock").status()).isEqualTo(200);
		}
	}

	/** An issuer that failed is not asked again at once. */
	private static void awaitStatus(int status, ServiceInstance service, String token) {
		await()
			.untilAsserted(() -> assertThat(service.calls(token).get(NAMESPACE, "a-lock").status()).isEqualTo(status));
	}

}
