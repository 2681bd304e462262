/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.DefaultCandidate;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class LeaderElectionConfigurerTests {

	@Test
	void aCandidateForAnotherRoleEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withBean("worker", Candidate.class, () -> new DefaultCandidate("node-1", "imports"))
			.run((context) -> assertRefusal(context.getStartupFailure(), "role", DefaultCandidate.class.getName(),
					"stands for the role 'imports'", "return 'reports'"));
	}

	@Test
	void anIdBesideACandidateWithAnotherEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=reports")
			.withBean("worker", Candidate.class, () -> new DefaultCandidate("node-1", "reports"));
		node.withPropertyValues("dynamodb-lock.leader.id=node-2")
			.run((context) -> assertRefusal(context.getStartupFailure(), "id", DefaultCandidate.class.getName(),
					"has the id 'node-1'", "Leave the property out"));
		node.withPropertyValues("dynamodb-lock.leader.id=node-1").run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					heartbeat-period=0s   | | must be from 1ms to 1d
					heartbeat-period=-1s  | | must be from 1ms to 1d
					heartbeat-period=4s   | | not shorter than dynamodb-lock.lease-duration, which is 4 s
					heartbeat-period=2s   | dynamodb-lock.registry.lease-duration=2s | not shorter than dynamodb-lock.registry.lease-duration, which is 2 s
					heartbeat-period=25h  | dynamodb-lock.registry.lease-duration=3d | must be from 1ms to 1d
					retry-delay=0s        | | must be from 1ms to 1d
					retry-delay=999us     | | must be from 1ms to 1d
					retry-delay=25h       | | must be from 1ms to 1d
					""")
	void aRefusedValueNamesItsProperty(String property, @Nullable String other, String reason,
			EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader." + property,
					(other != null) ? other : "unrelated=true")
			.run((context) -> assertRefusal(context.getStartupFailure(), property.substring(0, property.indexOf('=')),
					reason));
	}

	@Test
	void theLeaseOfTheApplicationsOwnClientIsItsOwnAffair(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		ApplicationContextRunner node = node(dynamoDb)
			.withPropertyValues("dynamodb-lock.leader.role=reports", "dynamodb-lock.leader.heartbeat-period=5s")
			.withBean("own", LockClient.class,
					() -> LockClient.builder(dynamoDb.client())
						.tableName(table)
						.leaseDuration(Duration.ofSeconds(30))
						.build());
		// The properties say four seconds, and nobody heeds them.
		node.run(DynamoDbLockLeaderAutoConfigurationTests::awaitLeader);
		node.withPropertyValues("dynamodb-lock.registry.lease-duration=5s")
			.run((context) -> assertRefusal(context.getStartupFailure(), "heartbeat-period",
					"not shorter than dynamodb-lock.registry.lease-duration, which is 5 s"));
	}

	@Test
	void aRoleThatCannotBeAKeyIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.leader.role=" + "r".repeat(2048))
			.run((context) -> assertRefusal(context.getStartupFailure(), "role", "2048"));
	}

	private static void assertRefusal(@Nullable Throwable failure, String property, String... reasons) {
		assertThat(failure).isNotNull();
		assertThat(failure).rootCause()
			.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (refused) -> {
				assertThat(refused.getName()).isEqualTo("dynamodb-lock.leader." + property);
				assertThat(refused.getReason()).contains(reasons);
			});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockRegistryAutoConfiguration.class,
					DynamoDbLockLeaderAutoConfiguration.class));
	}

}
