/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class UnknownPropertiesTests {

	private static final String NO_EFFECT = "has no effect, because ";

	@Test
	void aMistypedPropertyIsReportedAtStartup(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("dynamodb-lock.heartbeat-perid=1s")
			.run((context) -> assertThat(log).containsOnlyOnce("Property dynamodb-lock.heartbeat-perid")
				.contains(NO_EFFECT + "there is no such property"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.lease-duraton", "dynamodb-lock.tablename", "dynamodb-lock.something",
			"dynamodb-lock.events.enable", "dynamodb-lock.registry.leaseduraton" })
	void aPropertyThatDoesNotExistIsReported(String property, CapturedLog log) {
		report(Map.of(property, "value"));
		assertThat(log).containsOnlyOnce("Property " + property).contains(NO_EFFECT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "tabel.name", "clients.b.table.name", "advice.order", "table.check",
			"registry.lease-duration", "events.enabled" })
	void aPropertyThatASingleClientDoesNotHaveIsReported(String property, CapturedLog log) {
		report(Map.of("dynamodb-lock.clients.Reports." + property, "value"));
		assertThat(log).containsOnlyOnce("Property dynamodb-lock.clients.reports." + property).contains(NO_EFFECT);
	}

	@Test
	void everyPropertyThatExistsIsKnownHoweverItIsWritten(CapturedLog log) {
		for (String property : List.of("lease-duration=9s", "leaseDuration=9s", "lease_duration=9s", "lease-duration=",
				"dynamodb.region=local", "registry.enabled=true", "events.enabled=true", "embedded.enabled=true",
				"clients.reports.table.name=reports", "clients.Reports.leaseDuration=9s",
				"clients.reports.lease-duration=", "clients[my.reports].table.sort-key-name=sort")) {
			String[] parts = property.split("=", 2);
			report(Map.of("dynamodb-lock." + parts[0], parts[1]));
		}
		report(Map.of("dynamodb-lockers.other", "value", "lock-service.max-lease", "9s"));
		assertThat(log).doesNotContain(NO_EFFECT);
	}

	@Test
	void aMistypedEnvironmentVariableIsReported(CapturedLog log) {
		reportVariables(Map.of("DYNAMODBLOCK_LEASEDURATON", "9s"));
		assertThat(log).containsOnlyOnce("DYNAMODBLOCK_LEASEDURATON").contains(NO_EFFECT);
	}

	@Test
	void environmentVariablesThatAreBoundOrOfAnotherServiceAreNotReported(CapturedLog log) {
		reportVariables(Map.of("DYNAMODBLOCK_LEASEDURATION", "9s", "DYNAMODB_LOCK_LEASE_DURATION", "9s",
				"DYNAMODBLOCK_CLIENTS_REPORTS_TABLE_NAME", "reports", "DYNAMODB_LOCK_SERVICE_HOST", "10.0.0.1",
				"DYNAMODB_LOCK_PORT_8080_TCP_ADDR", "10.0.0.1", "DYNAMODBLOCK_PORT", "tcp://10.0.0.1:80",
				"DYNAMODBLOCK_SERVICE_HOST", "10.0.0.1", "DYNAMODBLOCK_PORT_80_TCP_ADDR", "10.0.0.1"));
		assertThat(log).doesNotContain(NO_EFFECT);
	}

	private static void report(Map<String, Object> properties) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
		report(environment);
	}

	private static void reportVariables(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		report(environment);
	}

	private static void report(StandardEnvironment environment) {
		ConfigurationPropertySources.attach(environment);
		new UnknownProperties(environment).afterSingletonsInstantiated();
	}

}
