/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class UnknownPropertiesTests {

	private static final String NO_EFFECT = "does not exist and has no effect";

	@Test
	void aMistypedPropertyIsReportedAtStartupWithTheNearestOne(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("dynamodb-lock.heartbeat-perid=1s")
			.run((context) -> assertThat(log).containsOnlyOnce("Property dynamodb-lock.heartbeat-perid")
				.contains(NO_EFFECT + "; did you mean dynamodb-lock.heartbeat-period?"));
	}

	@ParameterizedTest
	@CsvSource({ "dynamodb-lock.lease-duraton, did you mean dynamodb-lock.lease-duration?",
			"dynamodb-lock.tablename, did you mean dynamodb-lock.table.name?",
			"dynamodb-lock.clients.reports.tabel.name, did you mean dynamodb-lock.clients.reports.table.name?",
			"dynamodb-lock.clients.a.clients.b.table.name, has no effect", "dynamodb-lock.something, has no effect" })
	void aPropertyThatDoesNotExistIsReported(String property, String report, CapturedLog log) {
		report(Map.of(property, "value"));
		assertThat(log).containsOnlyOnce("Property " + property).contains(report).contains(NO_EFFECT);
	}

	@ParameterizedTest
	@CsvSource({ "clients.reports.advice.order, advice.order",
			"clients.reports.registry.lease-duration, " + "registry.lease-duration",
			"clients.reports.leader.role, leader.role", "clients.Reports.events.enabled, events.enabled" })
	void aPropertyThatIsForAllClientsIsReportedUnderTheNameOfOne(String property, String common, CapturedLog log) {
		report(Map.of("dynamodb-lock." + property, "value"));
		assertThat(log).containsOnlyOnce("Property dynamodb-lock." + property.toLowerCase(Locale.ROOT))
			.contains("has no effect, because a single lock client has no such property; set dynamodb-lock." + common);
	}

	@Test
	void aPropertyThatIsForAllClientsIsReportedInAVariableToo(CapturedLog log) {
		reportVariables(Map.of("DYNAMODBLOCK_CLIENTS_REPORTS_LEADER_ROLE", "reports"));
		assertThat(log).contains("set dynamodb-lock.leader.role");
	}

	@Test
	void everyPropertyThatExistsIsKnownHoweverItIsWritten(CapturedLog log) {
		for (String property : List.of("dynamodb-lock.lease-duration", "dynamodb-lock.leaseDuration",
				"dynamodb-lock.lease_duration", "dynamodb-lock.dynamodb.region", "dynamodb-lock.leader.role",
				"dynamodb-lock.registry.enabled", "dynamodb-lock.events.enabled", "dynamodb-lock.embedded.enabled",
				"dynamodb-lock.clients.reports.table.name", "dynamodb-lock.clients.Reports.leaseDuration",
				"dynamodb-lock.clients[my.reports].table.sort-key-name", "dynamodb-lock.clients.empty",
				"dynamodb-lockers.other", "lock-server.max-lease")) {
			report(Map.of(property, ""));
		}
		assertThat(log).doesNotContain(NO_EFFECT);
	}

	@Test
	void environmentVariablesAreReadAsTheyAreBound(CapturedLog log) {
		reportVariables(Map.of("DYNAMODBLOCK_LEASEDURATION", "9s", "DYNAMODB_LOCK_LEASE_DURATION", "9s",
				"DYNAMODB_LOCK_TABLE_PARTITION_KEY_NAME", "key", "DYNAMODBLOCK_CLIENTS_REPORTS_TABLE_NAME", "reports",
				"DYNAMODB_LOCK_CLIENTS_REPORTS_TABLE_NAME", "reports", "DYNAMODB_LOCK_CLIENTS_ORDER_LOG_LEASE_DURATION",
				"9s", "DYNAMODB_LOCK_SERVICE_HOST", "10.0.0.1", "DYNAMODB_LOCK_PORT_8080_TCP_ADDR", "10.0.0.1"));
		assertThat(log).doesNotContain(NO_EFFECT);
		reportVariables(Map.of("DYNAMODB_LOCK_CLIENTS_REPORTS_LEASE_DURATON", "9s"));
		assertThat(log).contains(NO_EFFECT);
		reportVariables(Map.of("DYNAMODB_LOCK_LEASE_DURATON", "9s"));
		assertThat(log).contains("did you mean dynamodb-lock.lease-duration?");
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
		KnownProperties known = KnownProperties.load();
		assertThat(known.names()).isNotEmpty();
		new UnknownProperties(environment, known).afterSingletonsInstantiated();
	}

}
