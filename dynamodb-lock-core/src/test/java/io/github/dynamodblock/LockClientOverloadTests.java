/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * The short forms of {@link LockClient}: each does what the form with a request does.
 */
class LockClientOverloadTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final InMemoryDynamoDb dynamoDb = new InMemoryDynamoDb();

	private final LockClient client = sorted();

	private final LockClient other = sorted();

	private final LockClient unsorted = LockClient.builder(this.dynamoDb).tableName("unsorted").build();

	private LockClient sorted() {
		return LockClient.builder(this.dynamoDb).tableName("sorted").sortKeyName("sort").build();
	}

	@BeforeEach
	void createTables() {
		LockTable.of(this.dynamoDb, "sorted").sortKeyName("sort").createIfMissing();
		LockTable.of(this.dynamoDb, "unsorted").createIfMissing();
	}

	@AfterEach
	void close() {
		this.client.close();
		this.other.close();
		this.unsorted.close();
	}

	@Test
	void aLockIsAcquiredByItsKey() throws Exception {
		assertThat(this.client.acquire(KEY).key()).isEqualTo(KEY);
		assertThat(this.unsorted.acquire("k").key()).isEqualTo(LockKey.of("k"));
	}

	@Test
	void aRequestTakesPartitionAndSortKey() {
		assertThat(LockRequest.of("orders", "42").key()).isEqualTo(KEY);
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("orders", ""))
			.withMessageContaining("sort key");
	}

	@Test
	void aTryByKeyMakesOneAttempt() throws Exception {
		HeldLock held = this.client.tryAcquire(KEY).orElseThrow();
		assertThat(this.other.tryAcquire(KEY)).isEmpty();
		held.release();
		assertThat(this.other.tryAcquire(KEY)).isPresent();
	}

	@Test
	void aTryWithAWaitTimeWaitsForTheHolder() throws Exception {
		HeldLock held = this.client.acquire(KEY);
		CompletableFuture<Optional<HeldLock>> waiter = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				waiter.complete(this.other.tryAcquire(KEY, Duration.ofMinutes(1)));
			}
			catch (Throwable ex) {
				waiter.completeExceptionally(ex);
			}
		});
		thread.start();
		await().until(() -> !this.other.waiting().isEmpty());
		held.release();
		assertThat(waiter).succeedsWithin(Duration.ofSeconds(20)).satisfies((lock) -> assertThat(lock).isPresent());
		thread.join();
	}

	@Test
	void aTryWithAWaitTimeIsEmptyWhenItIsOver() throws Exception {
		try (LockClient third = LockClient.builder(this.dynamoDb).tableName("unsorted").build();
				HeldLock held = this.unsorted.acquire("k")) {
			assertThat(third.tryAcquire("k", Duration.ofMillis(20))).isEmpty();
			assertThat(held.isHeld()).isTrue();
			assertThatIllegalArgumentException().isThrownBy(() -> third.tryAcquire("k", Duration.ofMillis(-1)))
				.withMessageContaining("waitTime");
		}
	}

	@Test
	void aFutureOfALockNeedsNoExecutorAndIsNotCompletedOnAThreadOfTheClient() {
		assertThat(this.client.acquireAsync(KEY)).succeedsWithin(Duration.ofSeconds(20)).returns(KEY, HeldLock::key);
		LockRequest request = LockRequest.of("k").waitTime(Duration.ZERO);
		AtomicReference<String> thread = new AtomicReference<>();
		assertThat(this.unsorted.acquireAsync("k").thenApply((lock) -> {
			thread.set(Thread.currentThread().getName());
			return lock;
		})).succeedsWithin(Duration.ofSeconds(20)).returns(true, HeldLock::isHeld);
		assertThat(thread.get()).doesNotStartWith("dynamodb-lock");
		assertThat(this.unsorted.acquireAsync(request)).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockNotGrantedException.class);
	}

	@Test
	void holdsTakesAKeyAsText() throws Exception {
		HeldLock held = this.unsorted.acquire("k");
		assertThat(this.unsorted.holds("k")).isTrue();
		assertThat(this.unsorted.holds("other")).isFalse();
		held.release();
		assertThat(this.unsorted.holds("k")).isFalse();
	}

	@Test
	void codeRunsUnderTheLockAndItsResultIsReturned() throws Exception {
		long token = this.unsorted.execute("k", (lock) -> {
			assertThat(this.unsorted.holds("k")).isTrue();
			return lock.fencingToken();
		});
		assertThat(token).isPositive();
		boolean held = this.client.execute(LockRequest.of(KEY), HeldLock::isHeld);
		assertThat(held).isTrue();
		assertThat(this.unsorted.holds("k")).isFalse();
		assertThat(this.unsorted.find("k").orElseThrow().isReleased()).isTrue();
	}

	@Test
	void anExceptionOfTheCodeReachesTheCallerAndReleasesTheLock() {
		IllegalStateException own = new IllegalStateException("thrown by the code");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.unsorted.execute("k", (lock) -> {
			throw own;
		})).isSameAs(own);
		assertThat(this.unsorted.holds("k")).isFalse();
	}

	@Test
	void codeDoesNotRunWithoutTheLock() throws Exception {
		HeldLock held = this.client.acquire(KEY);
		LockRequest request = LockRequest.of(KEY).waitTime(Duration.ZERO);
		assertThatExceptionOfType(LockNotGrantedException.class)
			.isThrownBy(() -> this.other.execute(request, (lock) -> {
				throw new AssertionError("ran");
			}));
		assertThat(held.isHeld()).isTrue();
	}

}
