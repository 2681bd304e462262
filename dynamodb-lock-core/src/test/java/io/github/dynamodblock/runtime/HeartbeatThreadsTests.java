/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.store.LockStore;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.TableSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many locks whose heartbeats are slow or hang, on real threads in real time.
 */
@Isolated("what else runs would take time from a thousand heartbeats")
class HeartbeatThreadsTests {

	private static final Duration LEASE = Duration.ofSeconds(8);

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	@Test
	void heartbeatsThatHangLoseTheirOwnLocksOnly() {
		try (DefaultLockClient client = client((key) -> key.startsWith("hung-") ? LEASE : Duration.ofMillis(5))) {
			List<HeldLock> hung = acquire(client, "hung-", 200);
			List<HeldLock> healthy = acquire(client, "healthy-", 900);
			await().atMost(PATIENCE).until(() -> hung.stream().noneMatch(HeldLock::isHeld));
			assertThat(hung).allSatisfy((lock) -> assertThat(lock.lossReason()).hasValue(LossReason.EXPIRED));
			awaitAHeartbeatOfEach(healthy);
		}
	}

	@Test
	void slowHeartbeatsKeepManyLocks() {
		try (DefaultLockClient client = client((key) -> Duration.ofMillis(50))) {
			List<HeldLock> locks = acquire(client, "slow-", 1500);
			awaitAHeartbeatOfEach(locks);
			awaitAHeartbeatOfEach(locks);
		}
	}

	private static List<HeldLock> acquire(DefaultLockClient client, String prefix, int count) {
		List<CompletableFuture<HeldLock>> locks = IntStream.range(0, count)
			.mapToObj((i) -> client.acquireAsync(LockRequest.of(prefix + i), Runnable::run))
			.toList();
		return locks.stream().map(CompletableFuture::join).toList();
	}

	private static void awaitAHeartbeatOfEach(List<HeldLock> locks) {
		List<String> before = versions(locks);
		await().failFast("a lock was lost", () -> !locks.stream().allMatch(HeldLock::isHeld))
			.atMost(PATIENCE)
			.until(() -> Collections.disjoint(new HashSet<>(before), versions(locks)));
	}

	private static List<String> versions(List<HeldLock> locks) {
		return locks.stream().map((lock) -> lock.record().recordVersionNumber()).toList();
	}

	private static DefaultLockClient client(Function<String, Duration> heartbeats) {
		LeaseTerms terms = new LeaseTerms(LEASE, LEASE.dividedBy(4), null, LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE,
				null, null);
		ClientSettings usual = VirtualClient.settings("stressed", TableSchema.of("locks"));
		ClientSettings settings = new ClientSettings("stressed", terms, PATIENCE, null, false, null,
				usual.observationCapacity(), false, List.of(), usual.rules());
		return new DefaultLockClient(
				new ClientState(settings, new ThreadedEnvironment(new SlowTable(heartbeats), null, null)));
	}

	/**
	 * A table whose answers to heartbeats take their time; longer than the limit of a
	 * call, it hangs until then.
	 */
	private static final class SlowTable implements LockStore {

		private final SimulatedTable table = new SimulatedTable();

		private final Function<String, Duration> heartbeats;

		SlowTable(Function<String, Duration> heartbeats) {
			this.heartbeats = heartbeats;
		}

		@Override
		public Answer send(Step.Call call) {
			if (call instanceof Step.Write write && write.write() instanceof LockWrite.Renew renew) {
				long nanos = this.heartbeats.apply(renew.key().partition()).toNanos();
				takeTime(Math.min(nanos, call.limitNanos()));
				if (nanos >= call.limitNanos()) {
					return new Answer.Unknown(new IllegalStateException("the test let this call hang"));
				}
			}
			synchronized (this.table) {
				return this.table.send(call);
			}
		}

		private static void takeTime(long nanos) {
			try {
				new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public Spliterator<List<LockRecord>> list(ListRequest request, Runnable openCheck, Consumer<Runnable> slots) {
			throw new UnsupportedOperationException();
		}

	}

}
