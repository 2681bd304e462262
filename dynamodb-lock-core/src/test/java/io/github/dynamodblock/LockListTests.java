/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Listing locks, as an application sees it.
 */
class LockListTests {

	private final TableSchema table = TestDynamoDb.newTable("part");

	private final CallRecorder calls = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.calls);

	private final LockClient reader = builder(this.dynamoDb).build();

	private final LockClient owner = builder(TestDynamoDb.client()).build();

	private LockClientBuilder builder(DynamoDbClient client) {
		return LockClient.builder(client).tableName(this.table.tableName()).sortKeyName("part");
	}

	@AfterEach
	void close() {
		this.reader.close();
		this.owner.close();
		this.dynamoDb.close();
	}

	@Test
	void aTableWithoutLocksGivesNone() {
		assertThat(this.reader.list()).isEmpty();
		assertThat(this.reader.listPartition("orders")).isEmpty();
	}

	@Test
	void everyLockIsListedWithItsOwnerAndReleasedLocksAreMarked() throws Exception {
		HeldLock held = this.owner
			.acquire(LockRequest.of(LockKey.of("orders", "1")).name("order").data(new byte[] { 1, 2 }));
		HeldLock own = this.reader.acquire(LockRequest.of(LockKey.of("stock", "1")));
		this.owner.acquire(LockRequest.of(LockKey.of("orders", "2"))).release();
		List<LockRecord> listed = this.reader.list().toList();
		assertThat(listed).extracting(LockRecord::key)
			.containsExactlyInAnyOrder(held.key(), own.key(), LockKey.of("orders", "2"));
		assertThat(listed).filteredOn(LockRecord::isReleased)
			.extracting(LockRecord::key)
			.containsExactly(LockKey.of("orders", "2"));
		assertThat(listed).filteredOn((lock) -> lock.key().equals(held.key())).singleElement().satisfies((lock) -> {
			assertThat(lock.ownerName()).isEqualTo(this.owner.ownerName());
			assertThat(lock.fencingToken()).hasValue(held.fencingToken());
			assertThat(lock.name()).hasValue("order");
			assertThat(lock.renewedAt()).isPresent();
			assertThat(lock.data()).hasValue(new byte[] { 1, 2 });
		});
	}

	@Test
	void aPartitionIsListedInTheOrderOfItsSortKeysAndWithoutReadingOthers() throws Exception {
		List<LockKey> keys = acquire("orders", 5);
		acquire("stock", 2);
		assertThat(this.reader.listPartition("orders")).extracting(LockRecord::key).containsExactlyElementsOf(keys);
		assertThat(this.reader.list(ListRequest.partition("orders").pageSize(2))).extracting(LockRecord::key)
			.containsExactlyElementsOf(keys);
		assertThat(this.calls.operations()).containsOnly("Query");
	}

	@Test
	void nothingIsReadUntilTheStreamIsAndThenAPageAtATime() throws Exception {
		acquire("orders", 5);
		Iterator<LockRecord> locks = this.reader.list(ListRequest.all().pageSize(2)).iterator();
		assertThat(this.calls.operations()).isEmpty();
		for (int taken = 1; taken <= 5; taken++) {
			locks.next();
			assertThat(this.calls.operations()).hasSize((taken + 1) / 2);
		}
		assertThat(locks).isExhausted();
	}

	@Test
	void whoeverNeedsNoMoreLocksPaysForNoMorePages() throws Exception {
		acquire("orders", 7);
		ListRequest request = ListRequest.all().pageSize(2);
		assertThat(this.reader.list(request).findFirst()).isPresent();
		assertThat(this.calls.operations()).hasSize(1);
		this.calls.clear();
		assertThat(this.reader.list(request).limit(4)).hasSize(4);
		assertThat(this.calls.operations()).hasSize(2);
		this.calls.clear();
		assertThat(this.reader.list(request).anyMatch(LockRecord::isReleased)).isFalse();
		assertThat(this.calls.operations()).hasSizeGreaterThanOrEqualTo(4);
	}

	@Test
	void aStreamThatIsMadeParallelGivesEveryLockOnce() throws Exception {
		List<LockKey> keys = acquire("orders", 7);
		assertThat(this.reader.list(ListRequest.all().pageSize(2)).parallel().map(LockRecord::key).toList())
			.containsExactlyInAnyOrderElementsOf(keys);
	}

	@Test
	void readsAreEventuallyConsistentUnlessTheRequestPaysForMore() {
		assertThat(this.reader.list()).isEmpty();
		assertThat(this.reader.list(ListRequest.all().consistentRead(true))).isEmpty();
		assertThat(this.calls.calls()).extracting((call) -> ((ScanRequest) call.request()).consistentRead())
			.containsExactly(false, true);
	}

	@Test
	void itemsThatAreNotLocksAreReportedAndSkipped() throws Exception {
		List<LockKey> keys = acquire("orders", 3);
		putForeignItems();
		List<LockTableException> reported = new ArrayList<>();
		Stream<LockRecord> locks = this.reader.list(ListRequest.all().pageSize(1).onNotALock(reported::add));
		assertThat(locks).extracting(LockRecord::key).containsExactlyInAnyOrderElementsOf(keys);
		assertThat(reported).hasSize(2)
			.allSatisfy((row) -> assertThat(row.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK))
			.anySatisfy((row) -> assertThat(row).hasMessageContaining("prices/1").hasMessageContaining("is missing"))
			.anySatisfy((row) -> assertThat(row).hasMessageContaining("prices/2").hasMessageContaining("not a string"));
	}

	@Test
	void itemsThatAreNotLocksAreLoggedWithoutAConsumer() {
		putForeignItems();
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.dynamodblock");
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		try {
			assertThat(this.reader.list()).isEmpty();
			assertThat(this.reader.list(ListRequest.all().onNotALock((row) -> {
			}))).isEmpty();
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(List.copyOf(log.list))
			.filteredOn((line) -> line.getFormattedMessage().contains(this.table.tableName()))
			.hasSize(2)
			.allSatisfy((line) -> assertThat(line.getLevel()).isEqualTo(Level.WARN))
			.anySatisfy((line) -> assertThat(line.getFormattedMessage()).contains("prices/1"))
			.anySatisfy((line) -> assertThat(line.getFormattedMessage()).contains("prices/2"));
	}

	@Test
	void anExceptionOfTheConsumerReachesTheReader() {
		putForeignItems();
		Stream<LockRecord> locks = this.reader.list(ListRequest.all().onNotALock((row) -> {
			throw row;
		}));
		assertThatExceptionOfType(LockTableException.class).isThrownBy(locks::toList).withMessageContaining("prices/");
	}

	@Test
	void aMissingTableIsReportedByTheTerminalOperation() {
		try (LockClient client = LockClient.builder(this.dynamoDb).tableName("nowhere").build()) {
			Stream<LockRecord> all = client.list();
			Stream<LockRecord> partition = client.listPartition("orders");
			for (Stream<LockRecord> locks : List.of(all, partition)) {
				assertThatExceptionOfType(LockTableException.class).isThrownBy(locks::toList)
					.withMessageContaining("'nowhere'")
					.withMessageContaining("createIfMissing")
					.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(LockTableException.Problem.MISSING))
					.satisfies((ex) -> assertThat(ex.getStackTrace())
						.anyMatch((frame) -> frame.getClassName().equals(LockListTests.class.getName())));
			}
		}
	}

	@Test
	void anOutageIsReportedByTheTerminalOperationAndAnotherListingContinues() throws Exception {
		acquire("orders", 2);
		DynamoDbClient shortLived = TestDynamoDb.newClient(new CallRecorder());
		try (LockClient client = builder(shortLived).build()) {
			Iterator<LockRecord> locks = client.list(ListRequest.all().pageSize(1)).iterator();
			locks.next();
			shortLived.close();
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(locks::next)
				.withMessageContaining("Scan of table '" + this.table.tableName() + "'")
				.satisfies((ex) -> assertThat(ex.getCause()).isNotNull());
		}
		assertThat(this.reader.list()).hasSize(2);
	}

	@Test
	void aClosedClientListsNothingNotEvenTheRestOfAListing() throws Exception {
		acquire("orders", 2);
		Stream<LockRecord> unread = this.reader.list();
		Iterator<LockRecord> begun = this.reader.list(ListRequest.all().pageSize(1)).iterator();
		begun.next();
		this.reader.close();
		this.calls.clear();
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(this.reader::list)
			.withMessageContaining(this.reader.ownerName());
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(unread::toList);
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(begun::next);
		assertThat(this.calls.operations()).isEmpty();
	}

	@Test
	@Timeout(60)
	void aListingThatWaitsForDynamoDbWhileTheClientClosesFailsAsClosed() throws Exception {
		// Connections are accepted, but calls are not answered.
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				DynamoDbClient unanswered = TestDynamoDb.newClient(
						(settings) -> settings.endpointOverride(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
							.overrideConfiguration((override) -> override.addExecutionInterceptor(this.calls)))) {
			LockClient client = builder(unanswered).build();
			CompletableFuture<List<LockRecord>> listing = CompletableFuture.supplyAsync(() -> client.list().toList());
			await().until(() -> !this.calls.calls().isEmpty());
			client.close();
			assertThat(listing).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockClientClosedException.class);
		}
	}

	@Test
	void anInterruptEndsNoListingAndIsKept() throws Exception {
		acquire("orders", 3);
		Thread.currentThread().interrupt();
		try {
			assertThat(this.reader.list(ListRequest.all().pageSize(1)).count()).isEqualTo(3);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
	}

	@Test
	void theReadersThreadMakesTheCalls() throws Exception {
		acquire("orders", 2);
		List<Thread> threads = new ArrayList<>();
		ExecutionInterceptor recorder = new ExecutionInterceptor() {
			@Override
			public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
				threads.add(Thread.currentThread());
			}
		};
		try (DynamoDbClient recorded = TestDynamoDb.newClient(recorder);
				LockClient client = builder(recorded).build()) {
			FutureTask<List<LockRecord>> listing = new FutureTask<>(
					() -> client.list(ListRequest.all().pageSize(1)).toList());
			Thread reader = new Thread(listing);
			reader.start();
			assertThat(listing.get()).hasSize(2);
			assertThat(threads).hasSizeGreaterThanOrEqualTo(2).containsOnly(reader);
		}
	}

	private List<LockKey> acquire(String partition, int locks) throws InterruptedException {
		List<LockKey> keys = IntStream.range(0, locks)
			.mapToObj((number) -> LockKey.of(partition, Integer.toString(number)))
			.toList();
		for (LockKey key : keys) {
			this.owner.acquire(LockRequest.of(key));
		}
		return keys;
	}

	/** One row without the attributes of a lock, and one with another type of them. */
	private void putForeignItems() {
		put(Map.of("key", AttributeValue.fromS("prices"), "part", AttributeValue.fromS("1"), "price",
				AttributeValue.fromN("42")));
		put(Map.of("key", AttributeValue.fromS("prices"), "part", AttributeValue.fromS("2"), "ownerName",
				AttributeValue.fromN("42"), "leaseDuration", AttributeValue.fromS("20000"), "recordVersionNumber",
				AttributeValue.fromS("v1")));
	}

	private void put(Map<String, AttributeValue> item) {
		TestDynamoDb.client().putItem((request) -> request.tableName(this.table.tableName()).item(item));
	}

}
