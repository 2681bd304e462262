/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfTable;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import org.skyscreamer.jsonassert.JSONAssert;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoint over HTTP, in a web application with everything that Boot configures. What
 * can be tested in the same application is here, since its start takes seconds.
 */
@Order(1)
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LocksEndpointTests extends LocksEndpointApplication {

	private static final LockRequest REQUEST = LockRequest.of("orders:42").name("orders");

	private static final Pattern JSON_BLOCK = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL);

	@Test
	void whatIsHeldAndWhoWaitsIsShownAsDocumented(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		try (LockClient other = other(dynamoDb)) {
			other.acquire("stock:7");
			client().acquire(REQUEST);
			CompletableFuture<HeldLock> waiting = client()
				.acquireAsync(LockRequest.of("stock:7").name("stock").waitTime(Duration.ofMinutes(1)), Runnable::run);
			await().until(() -> !client().waiting().isEmpty());
			String body = get("/actuator/locks", 200);
			assertThat(body).contains("\"fencingToken\":")
				.contains(client().ownerName())
				.contains(table())
				.as("milliseconds")
				.doesNotContainPattern("PT[\\dHM]*\\.\\d{4}");
			JSONAssert.assertEquals(documented(0), comparable(body), true);
			waiting.cancel(true);
		}
	}

	@Test
	void oneLockOfTheTableIsShownAsDocumentedWhoeverHoldsIt(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		try (LockClient other = other(dynamoDb)) {
			HeldLock lock = other.acquire(LockRequest.of("stock:7").name("stock"));
			String body = get(CLIENT + "?key=stock:7", 200);
			assertThat(body).contains("\"fencingToken\":" + lock.fencingToken())
				.contains("\"ownerName\":\"" + other.ownerName() + "\"")
				.contains("\"released\":false")
				.contains("\"heldHere\":false");
			JSONAssert.assertEquals(documented(2), comparable(body), true);
			lock.release();
			assertThat(get(CLIENT + "?key=stock:7", 200)).contains("\"released\":true");
		}
	}

	@Test
	void allLocksOfTheTableAreListedAsDocumentedThoseOfSilentOwnersFirst(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		client().acquire("released").release();
		client().acquire(REQUEST);
		try (LockClient other = other(dynamoDb)) {
			other.acquire(LockRequest.of("stock:7").name("stock").automaticRenewal(false));
			await().untilAsserted(() -> assertThat(get(CLIENT, 200)).contains("\"ownerSilent\":true"));
			String body = get(CLIENT, 200);
			JSONAssert.assertEquals(documented(1), comparable(body), false);
			assertThat(body.indexOf("stock:7")).isLessThan(body.indexOf("orders:42"));
			assertThat(body).contains("\"truncated\":false").doesNotContain("\"key\":\"released\"");
			get("/actuator/locks/another", 404);
		}
	}

	@Test
	void aListOfAllLocksIsBounded() {
		LockClient client = Mockito.mock(LockClient.class);
		AtomicInteger read = new AtomicInteger();
		Mockito.when(client.list(ArgumentMatchers.any(ListRequest.class)))
			.thenReturn(Stream.generate(() -> LockRecord
				.builder(LockKey.of("k" + read.incrementAndGet()), "owner", Duration.ofSeconds(20), "v")
				.build()));
		Mockito.when(client.tableName()).thenReturn("locks");
		LocksOfTable locks = LocksOfTable.all(client, Instant.now());
		assertThat(read).hasValue(10_000);
		assertThat(locks.locks()).hasSize(1_000);
		assertThat(locks.truncated()).isTrue();
	}

	@Test
	void dataIsNotShown(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		client().acquire(REQUEST.data("secret".getBytes(StandardCharsets.UTF_8)));
		assertThat(get(CLIENT + "?key=orders:42", 200)).contains("\"heldHere\":true")
			.doesNotContain("secret", "data", "c2VjcmV0");
	}

	@Test
	void aLockThatTheTableDoesNotHaveIsNotListed(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		assertThat(get(CLIENT + "?key=another", 200)).contains("\"locks\":[]");
	}

	@Test
	void aTableThatDoesNotAnswerIsAnErrorWhoseCauseStaysInTheLog(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(application(dynamoDb));
		dynamoDb.client().deleteTable((delete) -> delete.tableName(table()));
		assertThat(get(CLIENT + "?key=k", 500)).doesNotContain(table());
		get("/actuator/locks", 200);
	}

	@Test
	void aForcedReleaseIsLoggedAndPublished(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		start(dynamoDb, "management.endpoint.locks.access=unrestricted");
		List<AuditEvent> events = new CopyOnWriteArrayList<>();
		application().addApplicationListener((event) -> {
			if (event instanceof AuditApplicationEvent audit) {
				events.add(audit.getAuditEvent());
			}
		});
		try (LockClient other = other(dynamoDb)) {
			other.acquire("stock:8");
			delete(CLIENT + "?key=stock:8&owner=another", 409);
			assertThat(events).isEmpty();
			delete(CLIENT + "?key=stock:8&owner=" + other.ownerName(), 200);
			assertThat(events).singleElement().satisfies((event) -> {
				assertThat(event.getType()).isEqualTo("DYNAMODB_LOCK_FORCE_RELEASE");
				assertThat(event.getPrincipal()).isEmpty();
				assertThat(event.getData()).isEqualTo(Map.of("client", "dynamoDbLockClient", "table", table(), "key",
						"stock:8", "owner", other.ownerName()));
			});
			assertThat(log).containsOnlyOnce("Lock 'stock:8' in table '" + table() + "' was forcibly released")
				.contains(other.ownerName());
		}
	}

	@Test
	void whatIsAnsweredCanBeReadByReflectionInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, LocksEndpoint.class);
		assertThat(LockDescriptors.class.getDeclaredClasses()).hasSize(7)
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints));
	}

	@Test
	void aSortKeyIsAParameter(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "dynamodb-lock.table.sort-key-name=sort");
		client().acquire(LockRequest.of(LockKey.of("orders", "42")));
		assertThat(get("/actuator/locks", 200)).contains("\"sortKey\":\"42\"");
		assertThat(get(CLIENT + "?key=orders&sortKey=42", 200)).contains("\"sortKey\":\"42\"");
		get(CLIENT + "?key=orders", 400);
	}

	@Test
	void forcedReleaseFreesTheLockOfTheOwnerThatIsGiven(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoint.locks.access=unrestricted");
		try (LockClient other = other(dynamoDb)) {
			HeldLock lock = other.acquire("stock:7");
			delete(CLIENT + "?key=stock:7", 400);
			assertThat(delete(CLIENT + "?key=stock:7&owner=another", 409)).contains("HELD_BY_ANOTHER")
				.contains("\"ownerName\":\"" + other.ownerName() + "\"");
			assertThat(lock.isHeld()).isTrue();
			assertThat(delete(CLIENT + "?key=stock:7&owner=" + other.ownerName(), 200))
				.isEqualTo("{\"outcome\":\"RELEASED\"}");
			await().untilAsserted(() -> assertThat(lock.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR));
			assertThat(delete(CLIENT + "?key=stock:7&owner=" + other.ownerName(), 200)).contains("ALREADY_FREE");
		}
	}

	@Test
	void eachClientIsShownByItsName(EmbeddedDynamoDb dynamoDb) throws Exception {
		LockTable.of(dynamoDb.client(), table()).createIfMissing();
		start(application(dynamoDb).initializers((context) -> {
			for (String name : List.of("first", "second")) {
				((GenericApplicationContext) context).registerBean(name, LockClient.class,
						() -> LockClient.builder(dynamoDb.client()).tableName(table()).build(),
						(bean) -> ((AbstractBeanDefinition) bean).setDefaultCandidate(name.equals("first")));
			}
		}));
		application().getBean("first", LockClient.class).acquire("k");
		assertThat(get("/actuator/locks", 200)).contains("\"first\":{", "\"second\":{");
		assertThat(get("/actuator/locks/first?key=k", 200)).contains("\"heldHere\":true");
		assertThat(get("/actuator/locks/second?key=k", 200)).contains("\"heldHere\":false");
	}

	@Test
	void aLockThatIsKeptAfterItsReleaseIsShownByTheTableAlone(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(application(dynamoDb));
		client().acquire(REQUEST.holdAtLeast(Duration.ofMinutes(1))).release();
		assertThat(get("/actuator/locks", 200)).contains("\"held\":[]");
		assertThat(get(CLIENT + "?key=orders:42", 200)).contains("\"released\":false", "\"heldHere\":false",
				"\"ownerName\":\"" + client().ownerName() + "\"");
		assertThat(get("/actuator/health", 200)).contains("\"held\":0");
	}

	@Test
	void theEndpointIsNotThereUnlessItIsExposed(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoints.web.exposure.include=health");
		assertThat(application().getBeanProvider(LocksEndpoint.class).getIfAvailable()).isNull();
		get("/actuator/locks", 404);
	}

	@Test
	void metersHealthAndObservationsAreThereWithoutAWord(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		client().acquire(REQUEST);
		assertThat(get("/actuator/metrics/dynamodb.lock.acquire", 200)).contains("\"dynamodb.lock.outcome\"",
				"\"orders\"", "\"acquired\"");
		assertThat(get("/actuator/health", 200)).contains("\"dynamoDbLock\":", "\"table\":\"" + table() + "\"");
	}

	@Test
	void aKeyThatIsGivenAsParameterIsTakenAsItIs(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		client().acquire("a/b");
		for (String key : List.of("a//b", "/a/b", "a/b/")) {
			assertThat(get(CLIENT + "?key=" + key, 200)).contains("\"locks\":[]");
			client().acquire(key);
			assertThat(get(CLIENT + "?key=" + key, 200)).contains("\"key\":\"" + key + "\"");
		}
		assertThat(get(CLIENT + "?key=a%2Fb", 200)).contains("\"key\":\"a/b\"");
	}

	@Test
	void aForcedReleaseByParameterFreesThatLockAndNoOther(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "management.endpoint.locks.access=unrestricted");
		try (LockClient other = other(dynamoDb)) {
			HeldLock meant = other.acquire("a//b");
			HeldLock alike = other.acquire("a/b");
			String owner = "&owner=" + other.ownerName();
			assertThat(delete(CLIENT + "?key=a//b" + owner, 200)).isEqualTo("{\"outcome\":\"RELEASED\"}");
			await().untilAsserted(() -> assertThat(meant.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR));
			assertThat(other.find("a/b")).hasValueSatisfying((record) -> assertThat(record.isReleased()).isFalse());
			assertThat(alike.isHeld()).isTrue();
			delete(CLIENT + "?owner=" + other.ownerName(), 400);
		}
	}

	@Test
	void aKeyThatIsEmptyIsNoKey(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		get(CLIENT + "?key=", 400);
	}

	@Test
	void aSortKeyGoesWithAKeyThatIsAParameter(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb, "dynamodb-lock.table.sort-key-name=sort");
		client().acquire(LockRequest.of(LockKey.of("orders/", "42")));
		assertThat(get(CLIENT + "?key=orders/&sortKey=42", 200)).contains("\"sortKey\":\"42\"");
	}

	@Test
	void unlessAccessIsUnrestrictedNothingIsReleased(EmbeddedDynamoDb dynamoDb) throws Exception {
		start(dynamoDb);
		HeldLock lock = client().acquire("k");
		assertThat(get("/actuator/locks", 200)).contains("\"key\":\"k\"");
		assertThat(get(CLIENT + "?key=k", 200)).contains("\"heldHere\":true");
		String owner = "owner=" + client().ownerName();
		delete(CLIENT + "?key=k&" + owner, 405);
		assertThat(client().find("k")).hasValueSatisfying((record) -> assertThat(record.isReleased()).isFalse());
		assertThat(lock.isHeld()).isTrue();
	}

	/** An example of the documentation. */
	private static String documented(int index) throws IOException {
		String page = Files.readString(Path.of("..", "docs", "endpoints.md"));
		return comparable(JSON_BLOCK.matcher(page).results().toList().get(index).group(1));
	}

	/** What differs from run to run is left out. */
	private static String comparable(String json) {
		return json.replaceAll("\"(fencingToken)\"( ?): ?\\d+", "\"$1\": 1")
			.replaceAll("\"(ownerName|table)\" ?: ?\"[^\"]*\"", "\"$1\": \"\"")
			.replaceAll("\"(since|acquiredAt|renewedAt|leaseEnds)\" ?: ?\"\\d{4}-[^\"]*Z\"", "\"$1\": \"instant\"")
			.replaceAll("\"(remaining|waited|notRenewedFor|leaseDuration)\" ?: ?\"PT[^\"]*\"", "\"$1\": \"duration\"");
	}

}
