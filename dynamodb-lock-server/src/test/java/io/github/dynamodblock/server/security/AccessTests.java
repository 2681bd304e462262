/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.List;

import io.github.dynamodblock.server.ServiceInstance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of what the settings say of who may call.
 */
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class AccessTests {

	@ParameterizedTest
	@CsvSource({ "true,,,,EVERYBODY", "true,' ','','\t',EVERYBODY", "false,,,,NOBODY", "false,'',' ',' ',NOBODY",
			"false,https://issuer.example,,,BY_TOKEN", "false,,https://issuer.example/jwks.json,,BY_TOKEN",
			"false,http://localhost:8081,http://127.0.0.1/jwks.json,locks,BY_TOKEN" })
	void settingsThatAgreeSayWhoMayCall(boolean disabled, @Nullable String issuer, @Nullable String jwks,
			@Nullable String audience, Access expected) {
		assertThat(access(disabled, issuer, jwks, audience, false)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "true,https://issuer.example,,,'authentication.disabled,jwt.issuer'",
			"true,,https://issuer.example/jwks.json,,'authentication.disabled,jwt.jwks'",
			"true,,,locks,'authentication.disabled,jwt.audience'", "false,,,locks,'jwt.audience'",
			"false,issuer,,,'jwt.issuer'", "false,http://issuer.example,,,'jwt.issuer'",
			"false,https://issuer.example,http://keys.example/jwks.json,,'jwt.jwks'",
			"false,,file:/jwks.json,,'jwt.jwks'", "false,'https://a b',,,'jwt.issuer'" })
	void settingsThatCannotBeMeantAreNamed(boolean disabled, @Nullable String issuer, @Nullable String jwks,
			@Nullable String audience, String named) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> access(disabled, issuer, jwks, audience, false))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(named.split(",")))
			.satisfies((ex) -> assertThat(ex.getReason()).contains("jwt.").endsWith("."));
	}

	@Test
	void keysAreReadOverHttpFromOtherMachinesOnlyWhereThatIsAllowed() {
		assertThat(access(false, "http://issuer.example", null, null, true)).isEqualTo(Access.BY_TOKEN);
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> access(false, "http://issuer.example", null, null, false))
			.satisfies((ex) -> assertThat(ex.getReason()).contains("https").contains("jwt.allow-http=true"));
	}

	private static Access access(boolean disabled, @Nullable String issuer, @Nullable String jwks,
			@Nullable String audience, boolean allowHttp) {
		return Access.of(new AuthenticationProperties(disabled, List.of()),
				new JwtProperties(issuer, jwks, audience, allowHttp));
	}

	@Test
	void settingsThatContradictEachOtherEndTheStartWithTheWayToMendThem(CapturedOutput output) {
		assertThatThrownBy(
				() -> ServiceInstance.start("authentication.disabled=true", "jwt.issuer=https://issuer.example"))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("It admits every client without a token, but tokens are required by jwt.issuer")
			.contains("Remove authentication.disabled if clients must have a token");
	}

}
