/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Action;
import io.github.dynamodblock.spring.boot.actuate.LockedJobsEndpoint;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEndpointAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockHealthContributorAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockRegistryAutoConfiguration;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.LockKey;
import java.time.ZoneOffset;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the rows of {@code docs/aws-setup.md} with the calls that an application with
 * the starter makes.
 */
@ExtendWith(DynamoDbExtension.class)
class IamPolicyTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+?) \\| (`.+?`) \\| (`.+?`) \\|$");

	private final CallRecorder calls = new CallRecorder();

	@Test
	void startCallsWhatTheCheckOfTheTableNeeds(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(actions()).isEqualTo(row("check of the table at startup"));
			});
	}

	@Test
	void startThatCreatesTheTableCallsWhatItsCreationNeeds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(actions()).isEqualTo(row("`dynamodb-lock.table.create=if-missing`"));
		});
	}

	@Test
	void startThatFindsTheTableCallsNoMoreThanItsCreationNeeds(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(actions()).isNotEmpty().isSubsetOf(row("`dynamodb-lock.table.create=if-missing`"));
		});
	}

	@Test
	void healthCallsWhatAHealthCheckNeeds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			this.calls.clear();
			assertThat(context.getBean(HealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
			assertThat(actions()).isEqualTo(row("a health check"));
		});
	}

	@Test
	void endpointThatShowsALockCallsWhatFindNeeds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			this.calls.clear();
			endpoint.locks();
			assertThat(actions()).as("what is held and waited for here").isEmpty();
			assertThat(endpoint.table("dynamoDbLockClient", "k", null)).isNotNull();
			assertThat(actions()).isEqualTo(row("one lock in the endpoint `locks`"));
			this.calls.clear();
			assertThat(endpoint.table("dynamoDbLockClient", null, null)).isNotNull();
			assertThat(actions()).isEqualTo(row("the list of all locks in the endpoint `locks`"));
		});
	}

	@Test
	void endpointOfJobsCallsWhatFindAndLocksNeed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(Scheduling.class).run((context) -> {
			LockedJobsEndpoint endpoint = new LockedJobsEndpoint(context.getBean(LockedJobs.class),
					context.getBean(JobClock.class), context);
			context.getBean(LockedJobs.class)
				.add(job(context.getBean(LockClient.class)), Mockito.mock(JobExecutor.class));
			this.calls.clear();
			assertThat(endpoint.jobs().jobs()).hasSize(1);
			assertThat(actions()).isEqualTo(row("the jobs in the endpoint `lockedjobs`"));
			endpoint.manage(new String[] { "report" }, Action.PAUSE, null, SecurityContext.NONE);
			endpoint.manage(new String[] { "report" }, Action.RESUME, null, SecurityContext.NONE);
			assertThat(actions()).isEqualTo(row("managing jobs with the endpoint `lockedjobs`"));
		});
	}

	@Test
	void forcedReleaseByTheEndpointCallsWhatForceReleaseNeeds(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			String table = context.getBean(LockClient.class).tableName();
			try (LockClient other = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
				other.acquire("k");
				this.calls.clear();
				assertThat(context.getBean(LocksEndpoint.class)
					.release("dynamoDbLockClient", "k", other.ownerName(), null, SecurityContext.NONE)
					.getStatus()).isEqualTo(200);
				assertThat(actions()).isEqualTo(row("the endpoint's forced release"));
			}
		});
	}

	@Test
	void aLockRegistryCallsWhatItsLocksAndTheirUnlockNeed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			String table = context.getBean(LockClient.class).tableName();
			DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
			this.calls.clear();
			try (LockClient other = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
				other.acquire("registry:k");
				assertThat(registry.obtain("k").tryLock(1, TimeUnit.SECONDS)).isFalse();
			}
			registry.executeLocked("k", () -> {
			});
			Set<String> allowed = row("locks of a [lock registry](lock-registry.md), leader election");
			allowed.addAll(row("the unlock of a lock registry"));
			assertThat(actions()).isEqualTo(allowed);
		});
	}

	@Test
	void aLockRegistryThatDeletesNothingCallsWhatItsLocksNeed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.registry.delete-on-release=false").run((context) -> {
			DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
			this.calls.clear();
			registry.executeLocked("k", () -> {
			});
			assertThat(actions()).isNotEmpty()
				.isSubsetOf(row("locks of a [lock registry](lock-registry.md), leader election"));
		});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEndpointAutoConfiguration.class,
					DynamoDbLockHealthContributorAutoConfiguration.class, DynamoDbLockRegistryAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=locks",
					"management.endpoint.locks.access=UNRESTRICTED");
	}

	private Set<String> actions() {
		return this.calls.calls()
			.stream()
			.map((call) -> call.substring(0, call.length() - "Request".length()))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The actions of the only row whose features have the given one among them. */
	private static Set<String> row(String feature) {
		List<MatchResult> rows = ROW.matcher(page())
			.results()
			.filter((row) -> List.of(row.group(1).split("; ", -1)).contains(feature))
			.toList();
		assertThat(rows).as("rows with " + feature).hasSize(1);
		return Arrays.stream(rows.get(0).group(2).split(", ", -1))
			.map((action) -> action.replace("`", ""))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String page() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("mvnw"))) {
			directory = Objects.requireNonNull(directory.getParent(), "The tests run outside the repository");
		}
		try {
			return Files.readString(directory.resolve("docs/aws-setup.md"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("docs/aws-setup.md cannot be read", ex);
		}
	}

	private static LockedJob job(LockClient client) {
		return new LockedJob("report", LockKey.of("report"), false, "Report.run",
				JobSchedule.cron("0 0 2 1 1 *", ZoneOffset.UTC), 3, OnMissed.SKIP, null, client);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
