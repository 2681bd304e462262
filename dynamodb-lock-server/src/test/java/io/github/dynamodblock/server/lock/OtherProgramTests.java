/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program that locks on the service's table without the service: what the service wrote
 * there before is none of the program's.
 */
@InstrumentedLockServer
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtherProgramTests {

	private static final String NAMESPACE = "other-program";

	@LocalServerPort
	private int port;

	@Autowired
	private DynamoDbClient dynamoDb;

	@Value("${dynamodb-lock.table.name}")
	private String table;

	private LockServerCalls calls;

	private LockClient otherProgram;

	@BeforeEach
	void start() {
		this.calls = LockServerCalls.on(this.port);
		this.otherProgram = LockClient.builder(this.dynamoDb)
			.tableName(this.table)
			.partitionKeyName("namespace")
			.sortKeyName("lockName")
			.ownerName("other-program")
			.build();
	}

	@AfterEach
	void stop() {
		this.otherProgram.close();
	}

	@Test
	void whatAHolderReleasedAndAnotherProgramTookIsTheOtherPrograms() throws Exception {
		assertThat(acquire("released").status()).isEqualTo(200);
		assertThat(this.calls.release(NAMESPACE, "released", "one").status()).isEqualTo(200);

		take("released");

		itIsTheOtherPrograms("released");
	}

	@Test
	void whatAHolderLetExpireAndAnotherProgramTookIsTheOtherPrograms() throws Exception {
		assertThat(this.calls.acquire(NAMESPACE, "expired", "one", 1).status()).isEqualTo(200);
		assertThat(this.calls.renew(NAMESPACE, "expired", "one", 1, "key").status()).isEqualTo(200);

		take("expired");

		itIsTheOtherPrograms("expired");
		assertThat(this.calls.renew(NAMESPACE, "expired", "one", 1, "key").status()).isEqualTo(423);
	}

	@Test
	void whatTheOtherProgramReleasesIsAcquiredAndHeldAsEver() throws Exception {
		acquire("back");
		this.calls.release(NAMESPACE, "back", "one");
		take("back");
		this.otherProgram.held().forEach((held) -> held.close());

		assertThat(acquire("back").status()).isEqualTo(200);

		assertThat(this.calls.renew(NAMESPACE, "back", "one", 5).number("leaseDuration")).isEqualTo(65);
		assertThat(this.calls.get(NAMESPACE, "back").body().path("owner").asString()).isEqualTo("anonymous");
		assertThat(this.calls.release(NAMESPACE, "back", "one").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.5", "1e100", "-99999999999999999999", "999999999999999999" })
	void aNumberThatTheServiceWouldNotWriteHidesNoLock(String number) {
		String lockName = "number" + number.replaceAll("[^0-9a-z]", "-");
		assertThat(acquire(lockName).status()).isEqualTo(200);
		this.dynamoDb.updateItem((request) -> request.tableName(this.table)
			.key(Map.of("namespace", AttributeValue.fromS(NAMESPACE), "lockName", AttributeValue.fromS(lockName)))
			.updateExpression("SET leaseSeconds = :n, expiry = :n, calls = :c")
			.expressionAttributeValues(Map.of(":n", AttributeValue.fromN(number), ":c",
					AttributeValue.fromL(List.of(AttributeValue.fromS("nonsense"))))));

		assertThat(this.calls.get(NAMESPACE, lockName).status()).isEqualTo(200);
		assertThat(listed(lockName, (owner) -> true).path("lockName").asString()).isEqualTo(lockName);
	}

	private Answer acquire(String lockName) {
		return this.calls.acquire(NAMESPACE, lockName, "one", 60);
	}

	private void take(String lockName) throws InterruptedException {
		this.otherProgram.acquire(LockRequest.of(LockKey.of(NAMESPACE, lockName)).waitTime(Duration.ofSeconds(30)));
	}

	private void itIsTheOtherPrograms(String lockName) {
		long now = Instant.now().getEpochSecond();
		assertThat(acquire(lockName).status()).isEqualTo(423);
		assertThat(this.calls.renew(NAMESPACE, lockName, "one", 60).status()).isEqualTo(423);
		assertThat(this.calls.release(NAMESPACE, lockName, "one").status()).isEqualTo(423);
		for (JsonNode shown : new JsonNode[] { this.calls.get(NAMESPACE, lockName).body(),
				listed(lockName, this.otherProgram.ownerName()::equals) }) {
			assertThat(shown.path("owner").asString()).isEqualTo(this.otherProgram.ownerName())
				.startsWith("other-program");
			assertThat(shown.path("expiry").asLong()).isGreaterThanOrEqualTo(now);
		}
	}

	/**
	 * The lock, in the first event of the live list that has it as the other program's:
	 * an event may be older than the lock by one refresh.
	 */
	private JsonNode listed(String lockName, Predicate<String> owner) {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/v1/locks?namespace=" + NAMESPACE))
			.timeout(Duration.ofSeconds(30))
			.build();
		try (Stream<String> lines = HttpClient.newHttpClient().send(request, BodyHandlers.ofLines()).body()) {
			return lines.filter((line) -> line.startsWith("data: "))
				.map((line) -> JsonMapper.shared().readTree(line.substring("data: ".length())))
				.flatMap((event) -> event.path("locks").valueStream())
				.filter((lock) -> lock.path("lockName").asString().equals(lockName)
						&& owner.test(lock.path("owner").asString()))
				.findFirst()
				.orElseThrow();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
