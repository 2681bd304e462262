/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import io.github.dynamodblock.testing.VirtualThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the interceptors of the SDK's client see of the caller: its thread, and with it
 * its trace, its MDC and its other thread locals.
 */
class CallerContextTests {

	private static final ThreadLocal<String> TRACE = ThreadLocal.withInitial(() -> "none");

	private final TableSchema table = TestDynamoDb.newTable();

	private final Seen seen = new Seen();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.seen);

	/** Not the common pool: a thread that joins a task of that may run it. */
	private final ForkJoinPool pool = new ForkJoinPool(1);

	@AfterEach
	void closeClient() {
		this.pool.shutdown();
		this.dynamoDb.close();
	}

	@Test
	void everyBlockingMethodCallsDynamoDbOnTheThreadOfItsCaller() throws Exception {
		try (LockClient client = builder().build()) {
			blocking(Thread::new, client);
		}
		assertThat(this.seen.traces).isEqualTo(Map.of("UpdateItem", Set.of("the caller's"), "GetItem",
				Set.of("the caller's"), "Scan", Set.of("the caller's"), "TransactWriteItems", Set.of("the caller's")));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void aVirtualThreadCallsDynamoDbItself() throws Exception {
		try (LockClient client = builder().build()) {
			blocking(VirtualThreads.factory(), client);
		}
		assertThat(traces()).containsExactly("the caller's");
	}

	@Test
	void aWaiterCallsDynamoDbItselfWhenItsTurnComes() throws Exception {
		try (LockClient client = builder().build(); LockClient other = builder().build()) {
			HeldLock held = other.acquire("k");
			this.seen.traces.clear();
			FutureTask<HeldLock> waiter = start(Thread::new, () -> client.acquire("k"));
			this.seen.awaitOperation("GetItem");
			held.release();
			waiter.get(20, TimeUnit.SECONDS);
			// The release is this thread's.
			assertThat(this.seen.traces.get("GetItem")).containsExactly("the caller's");
			assertThat(this.seen.traces.get("UpdateItem")).contains("the caller's");
		}
	}

	@Test
	void aWaiterForAPermitCallsDynamoDbItself() throws Exception {
		LockRequest request = LockRequest.of("k").permits(3).waitTime(Duration.ofSeconds(20));
		try (LockClient client = builder().build();
				DynamoDbClient unseen = TestDynamoDb.newClient();
				LockClient other = LockClient.builder(unseen).tableName(this.table.tableName()).build()) {
			HeldLock held = other.acquire(request);
			other.acquire(request);
			client.acquire(request);
			this.seen.traces.clear();
			FutureTask<HeldLock> waiter = start(Thread::new, () -> client.acquire(request));
			this.seen.awaitOperation("GetItem");
			held.release();
			waiter.get(20, TimeUnit.SECONDS);
			assertThat(traces()).containsExactly("the caller's");
		}
	}

	@Test
	void theContextIsRestoredWhereTheClientsThreadsMakeTheCalls() throws Exception {
		try (LockClient client = builder().callersContext(CallerContextTests::withTrace).build()) {
			blocking((task) -> new Thread(() -> this.pool.submit(task).join()), client);
			start(Thread::new, () -> {
				HeldLock lock = client.acquireAsync("async").get();
				lock.renewAsync().get();
				return lock.releaseAsync().get();
			}).get(20, TimeUnit.SECONDS);
		}
		assertThat(traces()).containsExactly("the caller's");
	}

	@Test
	@SuppressWarnings("NullAway") // as an application may do it
	void aContextThatIsNoExecutorCostsNoLock() throws Exception {
		try (LockClient client = builder().callersContext((threads) -> null).build()) {
			HeldLock lock = client.acquireAsync("k").get(20, TimeUnit.SECONDS);
			assertThat(lock.releaseAsync().get(20, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	private Set<String> traces() {
		return this.seen.traces.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
	}

	private LockClientBuilder builder() {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName()).backgroundReads(false);
	}

	private static Executor withTrace(Executor threads) {
		String trace = TRACE.get();
		return (task) -> threads.execute(() -> {
			TRACE.set(trace);
			try {
				task.run();
			}
			finally {
				TRACE.remove();
			}
		});
	}

	private void blocking(ThreadFactory threads, LockClient client) throws Exception {
		start(threads, () -> {
			client.acquireUninterruptibly(LockRequest.of("k")).release();
			HeldLock lock = client.acquire("k");
			lock.renew();
			lock.transactWrite(put());
			client.find("k");
			assertThat(client.list()).isNotEmpty();
			LockToken token = client.renew(lock.detach());
			client.adopt(token).release();
			client.release(client.acquire("k").detach());
			client.change(LockKey.of("k"), ItemChange.none().attribute("a", AttributeValue.fromS("b")));
			client.acquire("k").detach();
			client.forceRelease(LockKey.of("k"), client.ownerName());
			return client.tryAcquire("k").orElseThrow().release();
		}).get(20, TimeUnit.SECONDS);
	}

	private TransactWriteItemsRequest put() {
		Put put = Put.builder()
			.tableName(this.table.tableName())
			.item(Map.of(this.table.partitionKeyName(), AttributeValue.fromS("no lock")))
			.build();
		return TransactWriteItemsRequest.builder().transactItems(TransactWriteItem.builder().put(put).build()).build();
	}

	private static <T> FutureTask<T> start(ThreadFactory threads, Callable<T> caller) {
		FutureTask<T> task = new FutureTask<>(() -> {
			TRACE.set("the caller's");
			try {
				return caller.call();
			}
			finally {
				TRACE.remove();
			}
		});
		threads.newThread(task).start();
		return task;
	}

	/**
	 * The traces in which each operation was called.
	 */
	private static final class Seen implements ExecutionInterceptor {

		private final Map<String, Set<String>> traces = new ConcurrentHashMap<>();

		@Override
		public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
			String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
			this.traces.computeIfAbsent(operation, (any) -> ConcurrentHashMap.newKeySet()).add(TRACE.get());
		}

		void awaitOperation(String operation) {
			await().until(() -> this.traces.containsKey(operation));
		}

	}

}
