/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an instance that is not configured to admit any client.
 */
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class NoClientTests {

	@Test
	void noClientMayCallUntilItIsConfiguredWhoMay(CapturedOutput output) {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=",
				"spring.security.oauth2.resourceserver.jwt.issuer-uri=",
				"spring.security.oauth2.resourceserver.jwt.jwk-set-uri= ",
				"spring.security.oauth2.resourceserver.jwt.audiences=")) {
			for (String verb : new String[] { "GET", "POST", "PUT", "DELETE", "OPTIONS" }) {
				for (String path : new String[] { "/v1/no-client/lock/a-lock", "/v1/no-client/lock/a-lock/acquire",
						"/v1/locks", "/v1", "/v1/nothing/here" }) {
					Answer answer = service.calls().raw(verb, path, null);
					assertThat(answer.status()).as("%s %s", verb, path).isEqualTo(403);
					assertThat(answer.body().path("message").asString())
						.isEqualTo("Forbidden: the service is not configured to admit any client");
				}
			}
			assertThat(service.calls("nonsense").get("no-client", "a-lock").status()).isEqualTo(403);
			assertThat(service.management().raw("GET", "/actuator/health", null).status()).isEqualTo(200);
		}
		assertThat(output).doesNotContain("password");
	}

}
