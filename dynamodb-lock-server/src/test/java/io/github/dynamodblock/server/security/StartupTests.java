/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.List;

import io.github.dynamodblock.server.ServiceInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of what the log says of who may call when an instance starts.
 */
@ExtendWith(OutputCaptureExtension.class)
@Isolated("reads the log")
class StartupTests {

	private static List<String> lines(CapturedOutput output) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains(SecurityConfiguration.class.getName()) && line.contains(" may call"))
			.toList();
	}

	@Test
	void theLogNamesIssuerAudiencesAndTheNumberOfRules(CapturedOutput output) {
		ServiceInstance
			.start("spring.security.oauth2.resourceserver.jwt.issuer-uri=https://issuer.example",
					"spring.security.oauth2.resourceserver.jwt.audiences=locks,other",
					"lock-server.rules[0].claim=scope", "lock-server.rules[0].value=billing",
					"lock-server.rules[0].namespaces=billing,billing-*", "lock-server.rules[1].claim=sub",
					"lock-server.rules[1].value=root", "lock-server.rules[1].namespaces=*")
			.close();
		assertThat(lines(output)).singleElement()
			.asString()
			.contains("\"INFO\"", "https://issuer.example", "[locks, other]", "number of rules for namespaces: 2");
	}

	@Test
	void theLogSaysThatEachTokenMayUseEveryNamespaceWithoutRules(CapturedOutput output) {
		ServiceInstance
			.start("spring.security.oauth2.resourceserver.jwt.jwk-set-uri=https://issuer.example/keys",
					"authentication.any-audience=true")
			.close();
		assertThat(lines(output)).singleElement()
			.asString()
			.contains("\"INFO\"", "any issuer with the configured keys", "any audience",
					"without rules, each may use every namespace");
	}

	@Test
	void theLogWarnsThatEveryClientMayCall(CapturedOutput output) {
		ServiceInstance.start("authentication.disabled=true").close();
		assertThat(lines(output)).singleElement().asString().contains("\"WARN\"", "Every client may call");
	}

	@Test
	void theLogWarnsThatNoClientMayCall(CapturedOutput output) {
		ServiceInstance.start().close();
		assertThat(lines(output)).singleElement()
			.asString()
			.contains("\"WARN\"", "No client may call", "issuer-uri", "authentication.disabled=true");
	}

	@Test
	void tokensWithoutAnAudienceFailStartupWithBothWaysToFixIt(CapturedOutput output) {
		assertThatThrownBy(() -> ServiceInstance
			.start("spring.security.oauth2.resourceserver.jwt.issuer-uri=https://issuer.example"))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("spring.security.oauth2.resourceserver.jwt.audiences")
			.contains("tokens that the issuer created for other services")
			.contains("authentication.any-audience=true");
	}

	@ParameterizedTest
	@CsvSource({ "jwk-set-uri, nonsense, https://issuer.example",
			"jwk-set-uri, file:/keys.json, https://issuer.example",
			"issuer-uri, issuer.example, https://issuer.example", "issuer-uri, https://a b, https://issuer.example",
			"jws-algorithms, NONE, RS256" })
	void aSettingOfTokensThatIsWrongFailsStartupByItsNameWithTheWayToFixIt(String property, String value, String remedy,
			CapturedOutput output) {
		assertThatThrownBy(() -> ServiceInstance.start("authentication.any-audience=true",
				"spring.security.oauth2.resourceserver.jwt.jwk-set-uri=" + keysUnless(property),
				"spring.security.oauth2.resourceserver.jwt." + property + "=" + value))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("spring.security.oauth2.resourceserver.jwt." + property)
			.contains(value)
			.contains(remedy);
	}

	/** Keys are discovered only if no other address is set. */
	private static String keysUnless(String property) {
		return "issuer-uri".equals(property) ? "" : "https://issuer.example/keys";
	}

	@Test
	void settingsThatContradictEachOtherFailStartupWithTheWayToFixIt(CapturedOutput output) {
		assertThatThrownBy(() -> ServiceInstance.start("authentication.disabled=true",
				"spring.security.oauth2.resourceserver.jwt.issuer-uri=https://issuer.example"))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Remove authentication.disabled if clients must have a token");
	}

	@Test
	void aRuleThatIsIncompleteFailsStartup(CapturedOutput output) {
		assertThatThrownBy(() -> ServiceInstance.start("lock-server.rules[0].claim=scope",
				"lock-server.rules[0].value=billing", "lock-server.rules[0].namespaces=bill*ing"))
			.hasStackTraceContaining("namespaces such as billing, billing-* or *");
	}

}
