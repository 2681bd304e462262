/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.lock.Holder;
import io.github.dynamodblock.server.lock.LockName;
import io.github.dynamodblock.server.lock.Locks;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "authentication.disabled=true",
				"dynamodb-lock.table.name=live-list-tests", "lock-server.page.refresh=100ms",
				"lock-server.page.most-locks=20", "lock-server.page.most-watchers=4" })
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the live list")
class LiveListTests {

	private static final int MOST_LOCKS = 20;

	private static final int MOST_WATCHERS = 4;

	/** So small that a reader who does not read is noticed after some events. */
	private static final int BUFFER = 32_768;

	private static final String INSTANCE = "an-instance-id";

	private final List<AutoCloseable> open = new ArrayList<>();

	@LocalServerPort
	private int port;

	@Autowired
	private Locks locks;

	@Autowired
	private TableCalls calls;

	@Autowired
	private LiveList list;

	private LockServerCalls service;

	@BeforeEach
	void call() {
		this.service = LockServerCalls.on(this.port);
	}

	@AfterEach
	void close() throws Exception {
		this.calls.failing(false);
		for (AutoCloseable one : this.open) {
			one.close();
		}
		// Who left is noticed at the next write.
		Awaitility.await().until(() -> {
			this.list.keepAlive();
			return !this.list.isWatched();
		});
	}

	@Test
	void theFirstEventHasAllLocksThatAreHeldAndNothingThatTellsTheInstance() {
		Answer acquired = this.service.acquire("first", "held", INSTANCE, 60);
		this.service.acquire("first", "released", INSTANCE, 60);
		this.service.release("first", "released", INSTANCE);

		EventStream stream = watch("first");

		Awaitility.await().until(() -> !stream.events().isEmpty());
		assertThat(stream.latest().name()).isEqualTo("locks");
		JsonNode data = stream.latest().data();
		assertThat(data.path("leftOut").asInt()).isZero();
		assertThat(data.path("complete").asBoolean()).isTrue();
		assertThat(data.path("nowMillis").asLong()).isGreaterThan(1_700_000_000_000L);
		assertThat(data.path("locks")).hasSize(1);
		JsonNode lock = data.path("locks").path(0);
		assertThat(lock.propertyNames()).containsExactly("namespace", "lockName", "owner", "since", "expiry",
				"fencingToken");
		assertThat(lock.path("namespace").asString()).isEqualTo("first");
		assertThat(lock.path("lockName").asString()).isEqualTo("held");
		assertThat(lock.path("owner").asString()).isEqualTo("anonymous");
		assertThat(lock.path("expiry").asLong()).isEqualTo(acquired.number("expiry"));
		assertThat(lock.path("since").asLong()).isBetween(acquired.number("expiry") - 61,
				acquired.number("expiry") - 59);
		assertThat(lock.path("fencingToken").asLong()).isEqualTo(acquired.number("fencingToken"));
	}

	@Test
	void anEventComesOnlyWhenSomethingChanged() {
		EventStream stream = watch("changes");
		Awaitility.await().until(() -> stream.events().size() == 1);

		this.service.acquire("changes", "one", INSTANCE, 60);
		Awaitility.await().until(() -> stream.lockNames().equals(List.of("one")));
		long looks = this.calls.queries();
		Awaitility.await().until(() -> this.calls.queries() > looks + 2);
		assertThat(stream.events()).hasSize(2);

		long expiry = stream.latest().data().path("locks").path(0).path("expiry").asLong();
		this.service.renew("changes", "one", INSTANCE, 60);
		Awaitility.await()
			.until(() -> stream.latest().data().path("locks").path(0).path("expiry").asLong() == expiry + 60);
		this.service.release("changes", "one", INSTANCE);
		Awaitility.await().until(() -> stream.lockNames().isEmpty());
		assertThat(stream.events()).hasSize(4);
	}

	@Test
	void anExpiredLockVanishesThoughNobodyWrites() {
		EventStream stream = watch("expiring");
		Awaitility.await().until(() -> !stream.events().isEmpty());
		this.service.acquire("expiring", "short", INSTANCE, 3);

		Awaitility.await().until(() -> stream.lockNames().equals(List.of("short")));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> stream.lockNames().isEmpty());
		assertThat(stream.latest().name()).isEqualTo("locks");
	}

	@Test
	void eachSeesTheLocksOfTheNamespaceThatItAskedFor() {
		// First by name: the locks of other tests may be more than are shown.
		this.service.acquire("a-apples", "one", INSTANCE, 60);
		this.service.acquire("a-pears", "two", INSTANCE, 60);

		EventStream apples = watch("a-apples");
		EventStream pears = watch("a-pears");
		EventStream all = watch(null);

		Awaitility.await().until(() -> apples.lockNames().equals(List.of("one")));
		Awaitility.await().until(() -> pears.lockNames().equals(List.of("two")));
		Awaitility.await().until(() -> all.lockNames().containsAll(List.of("one", "two")));
	}

	@Test
	void theTableIsReadOnceHoweverManyWatchAndNotAtAllWhileNobodyDoes() {
		EventStream one = watch("looks");
		EventStream other = watch("looks");
		Awaitility.await().until(() -> !one.events().isEmpty() && !other.events().isEmpty());
		long scans = this.calls.scans();
		long queries = this.calls.queries();
		Awaitility.await().until(() -> this.calls.queries() >= queries + 3);
		assertThat(this.calls.scans()).as("one namespace is watched").isEqualTo(scans);

		EventStream all = watch(null);
		Awaitility.await().until(() -> !all.events().isEmpty());
		long queriesBefore = this.calls.queries();
		long scansBefore = this.calls.scans();
		Awaitility.await().until(() -> this.calls.scans() >= scansBefore + 3);
		assertThat(this.calls.queries()).as("one scan serves all").isEqualTo(queriesBefore);

		closeAllStreams();
		long after = this.calls.scans() + this.calls.queries();
		Awaitility.await()
			.during(Duration.ofMillis(500))
			.atMost(Duration.ofSeconds(5))
			.until(() -> this.calls.scans() + this.calls.queries() <= after + 1);
	}

	@Test
	void moreLocksThanAreShownAreCounted() throws InterruptedException {
		for (int lock = 0; lock < MOST_LOCKS + 2; lock++) {
			this.service.acquire("many", "lock-%02d".formatted(lock), INSTANCE, 60);
		}

		EventStream stream = watch("many");

		Awaitility.await().until(() -> !stream.events().isEmpty());
		assertThat(stream.lockNames()).hasSize(MOST_LOCKS).startsWith("lock-00").endsWith("lock-19");
		assertThat(stream.latest().data().path("leftOut").asInt()).isEqualTo(2);
	}

	@Test
	void whoWatchesIsToldWhenTheTableCannotBeReadAndWhenItCanAgain() {
		this.service.acquire("failing", "one", INSTANCE, 60);
		EventStream stream = watch("failing");
		Awaitility.await().until(() -> stream.lockNames().equals(List.of("one")));

		this.calls.failing(true);
		Awaitility.await().until(() -> stream.latest().name().equals("unavailable"));
		assertThat(stream.latest().data().path("message").asString()).contains("cannot be read");
		EventStream late = watch("failing");
		Awaitility.await().until(() -> late.latest().name().equals("unavailable"));

		this.calls.failing(false);
		Awaitility.await().until(() -> stream.lockNames().equals(List.of("one")));
		Awaitility.await().until(() -> late.lockNames().equals(List.of("one")));
		assertThat(stream.events()).extracting(EventStream.Event::name)
			.containsExactly("locks", "unavailable", "locks");
	}

	@Test
	void whoComesAfterATimeWithoutWatchersIsNotToldWhatWasKnownBefore() {
		this.service.acquire("long-ago", "one", INSTANCE, 60);
		EventStream before = watch("long-ago");
		Awaitility.await().until(() -> before.lockNames().equals(List.of("one")));
		closeAllStreams();

		this.calls.failing(true);
		List<EventStream> streams = List.of(watch("long-ago"), watch("long-ago"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(streams).flatExtracting(EventStream::events)
				.extracting(EventStream.Event::name)
				.containsExactly("unavailable", "unavailable"));
	}

	@Test
	void whoReadsSlowlyHoldsNobodyUpAndIsToldTheLatestInTheEnd() throws Exception {
		Socket slow = connect("slow");
		EventStream quick = watch("slow");
		for (int round = 0; round < 12; round++) {
			holdWithLongOwner("slow", "lock-%02d".formatted(round));
			int held = round + 1;
			Awaitility.await().until(() -> quick.lockNames().size() == held);
		}

		assertThat(eventsUntil(slow, "lock-11")).isLessThan(12);
	}

	@Test
	void whoVanishedGivesItsPlaceToAnother() throws Exception {
		Socket gone = connect("vanishing");
		for (int watcher = 1; watcher < MOST_WATCHERS; watcher++) {
			watch("vanishing");
		}
		Awaitility.await().until(() -> this.list.isFull());
		Answer refused = this.service.raw("GET", "/v1/locks", null);
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.header("Retry-After")).isNotNull();

		gone.setSoLinger(true, 0);
		gone.close();

		Awaitility.await().until(() -> {
			this.list.keepAlive();
			return !this.list.isFull();
		});
		EventStream next = watch("vanishing");
		Awaitility.await().until(() -> !next.events().isEmpty());
	}

	@Test
	void aNamespaceThatIsNoneIsRefusedAsElsewhere() {
		Answer answer = this.service.raw("GET", "/v1/locks?namespace=a", null);

		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text()).isEqualTo("{\"message\":\"Validation failed\",\"details\":[\"Parameter 'namespace' "
				+ "failed validation: Namespace must be between 3 and 64 characters long\"]}");
	}

	@Test
	void aLookAtTheHeadersAloneOpensNoStream() throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/v1/locks");
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
					BodyHandlers.ofString());

		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
		assertThat(this.list.isWatched()).isFalse();
	}

	private EventStream watch(@Nullable String namespace) {
		EventStream stream = EventStream.open(this.port, namespace);
		this.open.add(stream);
		return stream;
	}

	private void closeAllStreams() {
		this.open.stream().filter(EventStream.class::isInstance).forEach((stream) -> ((EventStream) stream).close());
		Awaitility.await().until(() -> {
			this.list.keepAlive();
			return !this.list.isWatched();
		});
	}

	/** A reader that reads nothing yet, of a version of HTTP that has no chunks. */
	private Socket connect(String namespace) throws IOException {
		Socket socket = new Socket();
		this.open.add(socket);
		socket.setSoTimeout(10_000);
		socket.setReceiveBufferSize(BUFFER);
		socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
		socket.getOutputStream()
			.write(("GET /v1/locks?namespace=" + namespace + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static int eventsUntil(Socket socket, String text) throws IOException {
		BufferedReader reader = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
		int events = 0;
		String line;
		do {
			line = reader.readLine();
			assertThat(line).as("the stream goes on").isNotNull();
			events += line.startsWith("data: ") ? 1 : 0;
		}
		while (!line.contains(text));
		return events;
	}

	/** An owner as long as this fills the buffers on the way to a slow reader. */
	private void holdWithLongOwner(String namespace, String lockName) throws InterruptedException {
		Holder holder = new Holder("o".repeat(20_000), INSTANCE);
		assertThat(this.locks.acquire(new LockName(namespace, lockName), holder, 60, null, () -> true)).isPresent();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class TableConfiguration {

		@Bean
		WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> smallBuffers() {
			return (tomcat) -> tomcat.addConnectorCustomizers(
					(connector) -> connector.setProperty("socket.txBufSize", Integer.toString(BUFFER)));
		}

		@Bean
		TableCalls tableCalls() {
			return new TableCalls();
		}

		@Bean
		EmbeddedDynamoDb embeddedDynamoDb() {
			return EmbeddedDynamoDb.start();
		}

		@Bean(destroyMethod = "")
		DynamoDbClient dynamoDbClient(EmbeddedDynamoDb dynamoDb, TableCalls calls) {
			return dynamoDb
				.newClient((client) -> client.overrideConfiguration((all) -> all.addExecutionInterceptor(calls)));
		}

	}

}
