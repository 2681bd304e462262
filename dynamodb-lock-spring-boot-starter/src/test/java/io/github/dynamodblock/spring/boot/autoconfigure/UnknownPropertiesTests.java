/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Map;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A property under the prefix that has no effect fails startup.
 */
class UnknownPropertiesTests {

	@ParameterizedTest
	@ValueSource(strings = { "lease-duraton", "tablename", "something", "events.enable", "registry.leaseduraton",
			"clients.reports.table.name" })
	void aPropertyThatDoesNotExistFailsStartup(String property) {
		node("dynamodb-lock." + property + "=1").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessage("The elements [dynamodb-lock." + property + "] were left unbound."));
	}

	@Test
	void aDurationThatIsBlankFailsStartup() {
		node("dynamodb-lock.hold-at-most=").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("[dynamodb-lock.hold-at-most]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lease-duration=9s", "leaseDuration=9s", "lease_duration=9s", "owner-name=",
			"dynamodb.region=local", "registry.enabled=true", "events.enabled=true", "embedded.enabled=true",
			"advice.order=5", "enabled=false" })
	void aPropertyThatExistsIsKnownHoweverItIsWritten(String property) {
		node("dynamodb-lock." + property).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void othersAreNone() {
		node("dynamodb-lockers.other=a", "dynamodb.lock=b").run((context) -> assertThat(context).hasNotFailed());
	}

	/** Kubernetes sets some for a service of this name. */
	@Test
	void environmentVariablesAreNotChecked() {
		String source = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		node()
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(source,
						new SystemEnvironmentPropertySource(source,
								Map.of("DYNAMODB_LOCK_SERVICE_HOST", "10.0.0.1", "DYNAMODBLOCK_PORT",
										"tcp://10.0.0.1:80", "DYNAMODBLOCK_OWNERNAME", "node"))))
			.run((context) -> assertThat(context.getBean(DynamoDbLockProperties.class).ownerName()).isEqualTo("node"));
	}

	private static ApplicationContextRunner node(String... properties) {
		return LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withPropertyValues(properties);
	}

}
