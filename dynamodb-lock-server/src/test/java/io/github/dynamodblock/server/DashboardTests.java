/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.boot.actuate.JobMeters;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.JobStartedEvent;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The dashboard and the alert rules of the documentation name metrics, labels and values
 * that an application has. It stands here because this module has Prometheus' registry.
 */
class DashboardTests {

	private static final Path FILES = Path.of("..", "docs", "dashboards");

	private static final String RUNBOOK = "https://github.com/dynamodblock/dynamodb-lock/blob/main/docs/operations.md#";

	private static final Duration SOON = Duration.ofSeconds(30);

	private static final Pattern SELECTOR = Pattern
		.compile("\\b(dynamodb_lock_(?!(?:client|name|outcome|reason)\\b)[a-z_]+)(?:\\{([^}]*)})?");

	private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

	private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

	private static final Pattern TEMPLATE = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?([a-z_]+)\\s*}}");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(dynamodb_lock_[a-z_]+)\\{([^}]*)}");

	/** Prometheus adds them when it scrapes. */
	private static final Set<String> LABELS_OF_THE_SCRAPE = Set.of("job", "instance");

	private static EmbeddedDynamoDb dynamoDb;

	/** The labels and their values, by metric. */
	private static Map<String, Map<String, List<String>>> metrics = Map.of();

	@BeforeAll
	static void scrapeAnApplication() {
		dynamoDb = EmbeddedDynamoDb.start();
		Denial denial = new Denial();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockClientAutoConfiguration.class,
					DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
			.withBean("dynamoDbClient", DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> client
						.overrideConfiguration((configuration) -> configuration.addExecutionInterceptor(denial))))
			.withPropertyValues("dynamodb-lock.table.name=locks-" + UUID.randomUUID(),
					"dynamodb-lock.table.create=if-missing", "dynamodb-lock.lease-duration=5m",
					"dynamodb-lock.heartbeat-period=200ms")
			.run((context) -> {
				PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
				LockClient client = context.getBean(LockClient.class);
				JobClock clock = new JobClock(InstantSource.system(), Duration.ofSeconds(30));
				new JobMeters(() -> registry, clock).onEvent(new JobStartedEvent(job(client), Instant.now(), 1, false));
				metrics = metrics(run(client, registry, denial));
			});
	}

	@AfterAll
	static void stop() {
		dynamoDb.close();
	}

	private static LockedJob job(LockClient client) {
		return new LockedJob("nightly-report", LockKey.of("nightly-report"), false, "Reports.nightly",
				JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC), 3, OnMissed.SKIP, null, client);
	}

	/** Everything that a metric shows happens once. */
	private static String run(LockClient client, PrometheusMeterRegistry registry, Denial denial)
			throws InterruptedException {
		client.acquire(LockRequest.of("order-1").name("orders")).release();
		try (HeldLock held = client.acquire(LockRequest.of("order-2").name("orders"))) {
			assertThat(client.tryAcquire(LockRequest.of("order-2").name("orders"))).isEmpty();
			await().atMost(SOON).until(() -> registry.scrape().contains("outcome=\"confirmed\""));
			denial.denied = true;
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> client.acquire(LockRequest.of("order-3").name("orders")));
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(registry.scrape())
					.containsPattern("dynamodb_lock_heartbeats_total\\{[^}]*outcome=\"failed\""));
			denial.denied = false;
			await().atMost(SOON)
				.until(() -> registry.scrape().contains("dynamodb_lock_hold_seconds_count")
						&& registry.scrape().contains("dynamodb_lock_hold_active_seconds_max"));
			assertThat(held.isHeld()).isTrue();
			return registry.scrape();
		}
	}

	private static Map<String, Map<String, List<String>>> metrics(String scrape) {
		Map<String, Map<String, List<String>>> metrics = new TreeMap<>();
		SAMPLE.matcher(scrape).results().forEach((sample) -> {
			Map<String, List<String>> labels = metrics.computeIfAbsent(sample.group(1), (name) -> new TreeMap<>());
			MATCHER.matcher(sample.group(2))
				.results()
				.forEach((label) -> labels.computeIfAbsent(label.group(1), (name) -> new ArrayList<>())
					.add(label.group(3)));
		});
		return metrics;
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.json", "dynamodb-lock-alerts.yml" })
	void everyMetricLabelAndValueExists(String file) {
		List<String> problems = queries(load(file)).distinct().flatMap(DashboardTests::problems).toList();
		assertThat(problems).isEmpty();
	}

	@Test
	void everyPanelHasAQueryWhoseLegendNamesALabelOfIt() {
		assertThat(objects(load("dynamodb-lock.json")).filter((object) -> object.containsKey("legendFormat")))
			.hasSizeGreaterThan(10)
			.allSatisfy((target) -> assertThat(grouping(String.valueOf(target.get("expr"))))
				.containsAll(templates(target.get("legendFormat"))));
	}

	@Test
	void everyAlertHasASeverityAndATextThatNamesItsLabels() {
		assertThat(objects(load("dynamodb-lock-alerts.yml")).filter((object) -> object.containsKey("alert")))
			.hasSizeGreaterThan(5)
			.allSatisfy((alert) -> {
				assertThat(alert.get("labels")).asString().matches("\\{severity=(critical|warning|info)}");
				assertThat(String.valueOf(alert.get("annotations"))).startsWith("{summary=").contains(", description=");
				assertThat(grouping(String.valueOf(alert.get("expr"))))
					.containsAll(templates(alert.get("annotations")));
			});
	}

	@Test
	void theRunbookOfEveryAlertIsItsRowInTheDocumentation() throws IOException {
		String operations = Files.readString(Path.of("..", "docs", "operations.md"));
		assertThat(objects(load("dynamodb-lock-alerts.yml")).filter((object) -> object.containsKey("alert")))
			.allSatisfy((alert) -> {
				String name = String.valueOf(alert.get("alert"));
				String anchor = name.toLowerCase(Locale.ROOT);
				assertThat(alert.get("annotations")).extracting("runbook_url").isEqualTo(RUNBOOK + anchor);
				Object severity = ((Map<?, ?>) Objects.requireNonNull(alert.get("labels"))).get("severity");
				assertThat(operations)
					.containsOnlyOnce("\n| <a id=\"" + anchor + "\"></a>`" + name + "` | " + severity + " | ");
			});
	}

	@Test
	void aNameThatDoesNotExistIsFound() {
		assertThat(problems("rate(dynamodb_lock_lost_total{dynamodb_lock_reason=\"stolen\"}[5m])")).isEmpty();
		assertThat(problems("dynamodb_lock_losses_total")).hasSize(1);
		assertThat(problems("dynamodb_lock_takeovers_total{lock=\"orders\"}")).hasSize(1);
		assertThat(problems("dynamodb_lock_lost_total{dynamodb_lock_reason=\"forgotten\"}")).hasSize(1);
		assertThat(problems("sum by (node) (dynamodb_lock_takeovers_total)")).hasSize(1);
	}

	private static Stream<String> problems(String query) {
		List<MatchResult> selectors = SELECTOR.matcher(query).results().toList();
		Stream<String> unknown = selectors.stream().flatMap((selector) -> {
			Map<String, List<String>> labels = metrics.get(selector.group(1));
			if (labels == null) {
				return Stream.of("no metric " + selector.group(1) + " in: " + query);
			}
			return Stream
				.concat(grouping(query).stream().filter((label) -> !isLabel(labels, label)),
						MATCHER.matcher((selector.group(2) != null) ? selector.group(2) : "")
							.results()
							.filter((matcher) -> !isMatched(labels, matcher))
							.map(MatchResult::group))
				.map((part) -> selector.group(1) + " has no " + part + ", in: " + query);
		});
		return selectors.isEmpty() ? Stream.of("no metric in: " + query) : unknown;
	}

	private static boolean isLabel(Map<String, List<String>> labels, String label) {
		return LABELS_OF_THE_SCRAPE.contains(label) || labels.containsKey(label);
	}

	/** A variable of the dashboard stands for any value. */
	private static boolean isMatched(Map<String, List<String>> labels, MatchResult matcher) {
		String value = matcher.group(3);
		return isLabel(labels, matcher.group(1))
				&& (value.startsWith("$") || labels.getOrDefault(matcher.group(1), List.of())
					.stream()
					.anyMatch((existing) -> existing.matches(value)));
	}

	private static Set<String> grouping(String query) {
		return GROUPING.matcher(query)
			.results()
			.flatMap((group) -> Stream.of(group.group(1).split(",\\s*")))
			.collect(Collectors.toSet());
	}

	private static Set<String> templates(@Nullable Object text) {
		Matcher matcher = TEMPLATE.matcher(String.valueOf(text));
		return matcher.results().map((label) -> label.group(1)).collect(Collectors.toSet());
	}

	/** JSON is YAML, too. */
	private static Object load(String file) {
		try {
			return new Yaml().load(Files.readString(FILES.resolve(file)));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	private static Stream<String> queries(Object file) {
		return objects(file).flatMap((object) -> Stream.of("expr", "definition", "query")
			.map(object::get)
			.filter((query) -> query instanceof String text && !text.equals("prometheus"))
			.map(String::valueOf));
	}

	private static Stream<Map<?, ?>> objects(Object node) {
		if (node instanceof Map<?, ?> object) {
			return Stream.concat(Stream.of(object), object.values().stream().flatMap(DashboardTests::objects));
		}
		return (node instanceof List<?> list) ? list.stream().flatMap(DashboardTests::objects) : Stream.empty();
	}

	/** Answers as a missing permission does. */
	private static final class Denial implements ExecutionInterceptor {

		private volatile boolean denied;

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			if (this.denied) {
				throw DynamoDbException.builder()
					.statusCode(400)
					.awsErrorDetails(AwsErrorDetails.builder()
						.errorCode("AccessDeniedException")
						.errorMessage("not authorized")
						.build())
					.build();
			}
		}

	}

}
