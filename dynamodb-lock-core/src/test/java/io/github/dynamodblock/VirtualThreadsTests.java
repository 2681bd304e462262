/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import io.github.dynamodblock.testing.VirtualThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock belongs to its handle, whichever threads there are.
 */
class VirtualThreadsTests {

	private final TableSchema table = TestDynamoDb.newTable();

	@Test
	void anyThreadMayRenewAndReleaseALockThatAnotherAcquired() throws Exception {
		try (LockClient client = client(Thread::new)) {
			HeldLock lock = on(Thread::new, () -> client.acquire("k")).get();
			lock.renew();
			assertThat(on(Thread::new, lock::isHeld).get()).isTrue();
			assertThat(client.tryAcquire("k")).isEmpty();
			assertThat(on(Thread::new, lock::release).get()).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreadsExcludeEachOtherAsOthersDo() throws Exception {
		ThreadFactory virtual = VirtualThreads.factory();
		AtomicInteger holders = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		try (LockClient client = client(virtual); LockClient other = client(virtual)) {
			List<CompletableFuture<ReleaseOutcome>> workers = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				LockClient mine = (i % 2 == 0) ? client : other;
				workers.add(on(virtual, () -> {
					HeldLock lock = mine.acquire(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
					overlaps.addAndGet(holders.getAndIncrement());
					lock.renew();
					holders.decrementAndGet();
					return lock.release();
				}));
			}
			for (CompletableFuture<ReleaseOutcome> worker : workers) {
				assertThat(worker.get()).isEqualTo(ReleaseOutcome.RELEASED);
			}
		}
		assertThat(overlaps).hasValue(0);
	}

	private LockClient client(ThreadFactory threads) {
		return LockClient.builder(TestDynamoDb.client())
			.tableName(this.table.tableName())
			.threadFactory(threads)
			.build();
	}

	private static <T> CompletableFuture<T> on(ThreadFactory threads, Work<T> work) {
		CompletableFuture<T> result = new CompletableFuture<>();
		threads.newThread(() -> {
			try {
				result.complete(work.run());
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		}).start();
		return result;
	}

	/**
	 * What a thread does.
	 */
	private interface Work<T> {

		T run() throws Exception;

	}

}
