/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.jayway.jsonpath.JsonPath;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page without a browser: its stream, its files and its headers.
 */
@Timeout(120)
class LivePageTests {

	/** For the tests that need no tables. */
	private static EmbeddedDynamoDb empty;

	private final HttpClient http = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

	@BeforeAll
	static void start() {
		empty = EmbeddedDynamoDb.start();
	}

	@AfterAll
	static void stop() {
		empty.close();
	}

	@Test
	void streamShowsRunsLocksAndTimelineOfANodeAsTheyChange() throws Exception {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				LivePage page = LivePage.start(dynamoDb.endpoint().toString());
				Stream stream = new Stream(get(page, "state", HttpResponse.BodyHandlers.ofInputStream()).body())) {
			assertThat(stream.next()).containsKey("problem").containsKey("timeline").doesNotContainKey("jobs");
			page.addRow(List.of("10:00:00.000", "node-1", "<b>begins</b> \"quoted\"\n", "outbox", "", "", "42"));
			try (ConfigurableApplicationContext node = start("node-1", dynamoDb)) {
				Map<String, Object> job = stream.awaitJob("outbox", "FINISHED");
				assertThat(job).containsEntry("schedule", Job.OUTBOX.cron().toString())
					.containsEntry("node", "node-1")
					.containsEntry("attempt", 1)
					.containsEntry("outcome", "SUCCEEDED");
				assertThat(number(job, "next"))
					.isEqualTo(Job.OUTBOX.next(Instant.ofEpochMilli(number(stream.latest, "now"))).toEpochMilli());
				assertThat(number(stream.awaitAnotherTick("outbox"), "tick")).isGreaterThan(number(job, "tick"));
				Map<String, Object> account = stream.awaitLock(Traffic.lockOf("alice"));
				assertThat(account).containsEntry("owner", "node-1").containsKeys("since", "renewedAt");
				assertThat(Long.parseLong(String.valueOf(account.get("token")))).isPositive();
			}
			assertThat(stream.next().get("timeline")).isEqualTo(
					List.of(List.of("10:00:00.000", "node-1", "<b>begins</b> \"quoted\"\n", "outbox", "", "", "42")));
		}
	}

	@Test
	void streamShowsARunThatGoesOn() throws Exception {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				LivePage page = LivePage.start(dynamoDb.endpoint().toString());
				Stream stream = new Stream(get(page, "state", HttpResponse.BodyHandlers.ofInputStream()).body());
				ConfigurableApplicationContext node = start("node-1", dynamoDb)) {
			node.publishEvent(new ApplicationNode.Order(ObservedWork.LONG_REPORTS));

			Map<String, Object> job = stream.awaitJob(Job.REPORT.key(), "RUNNING");
			assertThat(job).containsEntry("node", "node-1").containsKeys("tick", "startedAt");
			assertThat(stream.awaitLock(Job.REPORT.key())).containsEntry("owner", "node-1");
		}
	}

	@Test
	void streamShowsARunWhoseNodeCrashed() throws Exception {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				DynamoDbClient client = DynamoDbLocal.client(dynamoDb.endpoint().toString())) {
			LockTable.of(client, LivePage.TABLE).createIfMissing();
			LockClient crashed = LockClient.builder(client)
				.tableName(LivePage.TABLE)
				.ownerName("node-1")
				.leaseDuration(Duration.ofSeconds(2))
				.heartbeatPeriod(Duration.ofMillis(500))
				.build();
			ItemChange started = ItemChange.none()
				.attribute("jobTick", AttributeValue.fromN("1000"))
				.attribute("jobAttempt", AttributeValue.fromN("2"))
				.attribute("jobStartedAt", AttributeValue.fromN("1500"));
			crashed.acquire(LockRequest.of(Job.REPORT.key()).change(started));
			crashed.closeWithoutReleasing();

			try (LivePage page = LivePage.start(dynamoDb.endpoint().toString());
					Stream stream = new Stream(get(page, "state", HttpResponse.BodyHandlers.ofInputStream()).body())) {
				assertThat(stream.awaitJob(Job.REPORT.key(), "CRASHED")).containsEntry("tick", 1000)
					.containsEntry("attempt", 2);
				assertThat(stream.awaitJob(Job.OUTBOX.key(), "NEVER_RUN")).doesNotContainKey("tick");
			}
		}
	}

	@Test
	void onlyTheLatestLinesOfTheTimelineAreSent() throws Exception {
		try (LivePage page = LivePage.start(empty.endpoint().toString())) {
			for (int i = 1; i <= LiveState.ROWS + 1; i++) {
				page.addRow(List.of("line " + i));
			}
			try (Stream stream = new Stream(get(page, "state", HttpResponse.BodyHandlers.ofInputStream()).body())) {
				List<?> rows = (List<?>) Objects.requireNonNull(stream.next().get("timeline"));
				assertThat(rows).hasSize(LiveState.ROWS).first().isEqualTo(List.of("line 2"));
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "index.html", "page.js", "page.css", "icon.svg", "state", "missing" })
	void everyAnswerHasTheHeadersThatProtectIt(String path) throws Exception {
		try (LivePage page = LivePage.start(empty.endpoint().toString())) {
			HttpResponse<InputStream> answer = get(page, path, HttpResponse.BodyHandlers.ofInputStream());
			answer.body().close();

			assertThat(answer.statusCode()).isEqualTo(path.equals("missing") ? 404 : 200);
			assertThat(answer.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
					(policy) -> assertThat(policy).contains("default-src 'none'").contains("frame-ancestors 'none'"));
			assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
			assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
		}
	}

	@Test
	void otherSitesAndOtherMethodsAreRefused() throws Exception {
		try (LivePage page = LivePage.start(empty.endpoint().toString())) {
			HttpRequest post = HttpRequest.newBuilder(URI.create(page.address()))
				.POST(HttpRequest.BodyPublishers.noBody())
				.build();

			assertThat(this.http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode()).isEqualTo(405);
			assertThat(statusFor(page, "rebound.example.org")).isEqualTo("HTTP/1.1 403 Forbidden");
			assertThat(statusFor(page, "localhost")).isEqualTo("HTTP/1.1 200 OK");
		}
	}

	/** The client of the JDK sets the header itself. */
	private static String statusFor(LivePage page, String host) throws IOException {
		URI address = URI.create(page.address());
		try (Socket socket = new Socket(address.getHost(), address.getPort());
				BufferedReader answer = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
			socket.getOutputStream()
				.write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.UTF_8));
			return String.valueOf(answer.readLine());
		}
	}

	private <T> HttpResponse<T> get(LivePage page, String path, HttpResponse.BodyHandler<T> handler)
			throws IOException, InterruptedException {
		return this.http.send(HttpRequest.newBuilder(URI.create(page.address() + path)).build(), handler);
	}

	private static ConfigurableApplicationContext start(String name, EmbeddedDynamoDb dynamoDb) {
		return LocalNode.start(name, dynamoDb, (event) -> {
		});
	}

	private static long number(Map<String, Object> values, String name) {
		return ((Number) Objects.requireNonNull(values.get(name), name)).longValue();
	}

	/** Reads server-sent events. */
	private static final class Stream implements AutoCloseable {

		private static final String DATA = "data: ";

		private final BufferedReader reader;

		private Map<String, Object> latest = Map.of();

		Stream(InputStream body) {
			this.reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
		}

		Map<String, Object> next() throws IOException {
			String line = this.reader.readLine();
			while (!line.startsWith(DATA)) {
				line = this.reader.readLine();
			}
			this.latest = JsonPath.parse(line.substring(DATA.length())).json();
			return this.latest;
		}

		Map<String, Object> awaitJob(String name, String state) throws IOException {
			return await("jobs", Map.of("name", name, "state", state));
		}

		Map<String, Object> awaitAnotherTick(String name) throws IOException {
			Object tick = find("jobs", Map.of("name", name)).get(0).get("tick");
			Map<String, Object> found;
			do {
				found = await("jobs", Map.of("name", name));
			}
			while (Objects.equals(tick, found.get("tick")));
			return found;
		}

		Map<String, Object> awaitLock(String key) throws IOException {
			return await("locks", Map.of("key", key));
		}

		private Map<String, Object> await(String list, Map<String, Object> entries) throws IOException {
			List<Map<String, Object>> found = List.of();
			while (found.isEmpty()) {
				next();
				found = find(list, entries);
			}
			return found.get(0);
		}

		@SuppressWarnings("unchecked")
		private List<Map<String, Object>> find(String list, Map<String, Object> entries) {
			List<Map<String, Object>> all = (List<Map<String, Object>>) this.latest.getOrDefault(list,
					new ArrayList<>());
			return all.stream().filter((one) -> one.entrySet().containsAll(entries.entrySet())).toList();
		}

		@Override
		public void close() throws IOException {
			this.reader.close();
		}

	}

}
