/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import io.github.dynamodblock.testing.VirtualThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callbacks that use the client on its own threads, because the application's executor
 * runs tasks on the thread that submits them.
 */
class CallerRunsTests {

	private static final Executor CALLER_RUNS = Runnable::run;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int KEYS = 8;

	private final TableSchema table = TestDynamoDb.newTable();

	/** Every acquisition that was begun, by the test or by a callback. */
	private final List<CompletableFuture<HeldLock>> acquisitions = new CopyOnWriteArrayList<>();

	/** What became of them. */
	private final List<CompletableFuture<?>> ends = new CopyOnWriteArrayList<>();

	private volatile @Nullable LockClient client;

	@Test
	void callbacksMayCancelAcquireReleaseAndCloseOnPlatformThreads() throws Exception {
		callbacksMayCancelAcquireReleaseAndClose(Thread::new);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void callbacksMayCancelAcquireReleaseAndCloseOnVirtualThreads() throws Exception {
		callbacksMayCancelAcquireReleaseAndClose(VirtualThreads.factory());
	}

	private void callbacksMayCancelAcquireReleaseAndClose(ThreadFactory threads) throws Exception {
		try (LockClient other = client(Thread::new, new LockListener() {
		}); LockClient client = client(threads, new Meddler())) {
			this.client = client;
			HeldLock kept = client.acquire("kept");
			List<HeldLock> busy = new ArrayList<>();
			for (int key = 0; key < KEYS; key++) {
				busy.add(other.acquire("busy-" + key));
			}
			for (int round = 0; round < 5; round++) {
				for (int key = 0; key < KEYS; key++) {
					begin("busy-" + key, Duration.ofMillis(50 + 20 * round));
					begin("free-" + key, Duration.ofSeconds(30));
				}
			}
			busy.forEach(HeldLock::release);
			for (CompletableFuture<?> end : this.ends) {
				assertThat(end).succeedsWithin(LIMIT);
			}
			// Heartbeats go on.
			kept.renew();
			assertThat(kept.isHeld()).isTrue();
			CompletableFuture<Void> closed = client.acquireAsync(LockRequest.of("last"), CALLER_RUNS)
				.thenAccept((lock) -> client.close());
			assertThat(closed).succeedsWithin(LIMIT);
			assertThat(kept.lossReason()).contains(LossReason.CLOSED);
		}
	}

	private void begin(String key, Duration wait) {
		CompletableFuture<HeldLock> acquisition = client().acquireAsync(LockRequest.of(key).waitTime(wait),
				CALLER_RUNS);
		this.acquisitions.add(acquisition);
		this.ends.add(acquisition.handle((lock, problem) -> {
			cancelAnother();
			return (lock != null) ? lock.release() : null;
		}));
	}

	private void cancelAnother() {
		int which = this.acquisitions.size() * 7 / 11;
		this.acquisitions.stream().skip(which).limit(2).forEach((acquisition) -> acquisition.cancel(true));
	}

	private LockClient client() {
		LockClient client = this.client;
		if (client == null) {
			throw new IllegalStateException("the test has no client yet");
		}
		return client;
	}

	private LockClient client(ThreadFactory threads, LockListener listener) {
		return LockClient.builder(TestDynamoDb.client())
			.tableName(this.table.tableName())
			.threadFactory(threads)
			.listenerExecutor(CALLER_RUNS)
			.listener(listener)
			.build();
	}

	/**
	 * Uses the client in its callbacks for waits and refusals.
	 */
	private final class Meddler implements LockListener {

		@Override
		public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
			cancelAnother();
		}

		@Override
		public void onAcquireFailed(LockRequest request, Duration waited, LockException refusal) {
			try {
				Optional<HeldLock> lock = client().tryAcquire("meddled-" + request.key().partition());
				lock.ifPresent(HeldLock::release);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (LockClientClosedException ex) {
				// The last callback closes the client.
			}
		}

		@Override
		public void onReleased(HeldLock lock) {
			client().holds(lock.key());
			cancelAnother();
		}

	}

}
