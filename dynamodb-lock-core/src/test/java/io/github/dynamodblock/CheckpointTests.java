/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;

import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A client whose process is checkpointed and restored.
 */
class CheckpointTests {

	private final TableSchema table = TestDynamoDb.newTable();

	private final Collection<Thread> threads = new ConcurrentLinkedQueue<>();

	private final DynamoDbClient dynamoDb = TestDynamoDb.client();

	private final LockClientBuilder builder = LockClient.builder(this.dynamoDb)
		.tableName(this.table.tableName())
		.ownerName("node")
		.leaseDuration(Duration.ofMinutes(5))
		.waitTime(Duration.ZERO)
		.threadFactory(this::thread);

	private final LockClient client = this.builder.build();

	private final LockClient other = this.builder.build();

	@AfterEach
	void close() {
		this.client.close();
		this.other.close();
	}

	@Test
	void leasesEndBeforeTheCheckpoint() throws Exception {
		HeldLock lock = this.client.acquire("k");
		this.client.beforeCheckpoint();
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(this.client.held()).isEmpty();
		assertThat(this.client.holds("k")).isFalse();
		assertThat(this.other.tryAcquire("k")).isPresent();
	}

	@Test
	void waitsAndThreadsEndBeforeTheCheckpoint() throws Exception {
		this.other.acquire("k");
		CompletableFuture<HeldLock> waiting = this.client
			.acquireAsync(LockRequest.of("k").waitTime(Duration.ofMinutes(5)));
		await().until(() -> this.client.waiting().size() == 1);
		List<Thread> before = List.copyOf(this.threads);
		this.client.beforeCheckpoint();
		assertThat(waiting).failsWithin(Duration.ofSeconds(10))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockClientClosedException.class);
		assertThat(this.client.waiting()).isEmpty();
		this.other.close();
		await().until(() -> before.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void callsFailUntilTheRestoreAndSaySo() {
		this.client.beforeCheckpoint();
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.acquire("k"))
			.withMessageContaining("closed for a checkpoint")
			.withMessageContaining("afterRestore()");
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.find("k"));
		assertThat(this.other.find("k")).isEmpty();
	}

	@Test
	void aRestoredClientHasAnotherOwnerNameAndLocksAgain() throws Exception {
		String before = this.client.ownerName();
		this.client.beforeCheckpoint();
		this.client.afterRestore();
		assertThat(this.client.ownerName()).startsWith("node-").isNotEqualTo(before);
		try (HeldLock lock = this.client.acquire("k")) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(this.other.find("k").orElseThrow().ownerName()).isEqualTo(this.client.ownerName());
		}
	}

	@Test
	void everyRestoreOfOneCheckpointHasAnotherOwnerName() throws Exception {
		// A restore of a clone runs the same code on a copy of the same state.
		LockClient clone = this.builder.build();
		this.client.beforeCheckpoint();
		clone.beforeCheckpoint();
		this.client.afterRestore();
		clone.afterRestore();
		assertThat(clone.ownerName()).isNotEqualTo(this.client.ownerName());
		this.client.acquire("k");
		assertThat(clone.tryAcquire("k")).isEmpty();
		clone.close();
	}

	@Test
	void aHandleFromBeforeTheCheckpointDoesNotReleaseTheLockOfTheRestoredClient() throws Exception {
		HeldLock before = this.client.acquire("k");
		this.client.beforeCheckpoint();
		this.client.afterRestore();
		try (HeldLock after = this.client.acquire("k")) {
			before.close();
			after.renew();
			assertThat(this.client.held()).containsExactly(after);
		}
	}

	@Test
	void aRestoredClientHasForgottenWhatItSawOfOtherOwners() throws Exception {
		LockClient crashed = this.builder.leaseDuration(Duration.ofSeconds(2)).build();
		crashed.acquire("a");
		crashed.acquire("b");
		crashed.closeWithoutReleasing();
		assertThat(this.client.tryAcquire("a")).isEmpty();
		assertThat(this.other.tryAcquire("b")).isEmpty();
		this.client.beforeCheckpoint();
		this.client.afterRestore();
		await().until(() -> this.other.tryAcquire("b").isPresent());
		// The other client saw its lock unchanged for a lease; this one sees it anew.
		assertThat(this.client.tryAcquire("a")).isEmpty();
		await().until(() -> this.client.tryAcquire("a").isPresent());
	}

	@Test
	void optionsOfTheBuilderThatChangeLaterDoNotChangeTheRestoredClient() {
		this.builder.ownerName("another").tableName("another");
		this.client.beforeCheckpoint();
		this.client.afterRestore();
		assertThat(this.client.ownerName()).startsWith("node-");
		assertThat(this.client.tableName()).isEqualTo(this.table.tableName());
		assertThat(this.client.find("k")).isEqualTo(Optional.empty());
	}

	@Test
	void listenersAreNotifiedAfterTheRestoreToo() throws Exception {
		Collection<String> events = new ConcurrentLinkedQueue<>();
		try (LockClient observed = this.builder.listener(new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				events.add("acquired " + lock.fencingToken());
			}

			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				events.add("lost " + reason);
			}
		}).build()) {
			long first = observed.acquire("k").fencingToken();
			observed.beforeCheckpoint();
			assertThat(events).containsExactly("acquired " + first, "lost CLOSED");
			observed.afterRestore();
			observed.acquire("k");
			await().untilAsserted(() -> assertThat(events).endsWith("acquired " + (first + LockWrite.Claim.TOKENS)));
		}
	}

	@Test
	void aClosedClientStaysClosed() {
		this.client.close();
		String owner = this.client.ownerName();
		this.client.beforeCheckpoint();
		this.client.afterRestore();
		assertThat(this.client.ownerName()).isEqualTo(owner);
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.acquire("k"))
			.withMessageEndingWith("is closed");
	}

	@Test
	void aClientThatIsClosedBetweenCheckpointAndRestoreStaysClosed() {
		this.client.beforeCheckpoint();
		this.client.close();
		this.client.afterRestore();
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.acquire("k"))
			.withMessageEndingWith("is closed");
	}

	@Test
	void aRestoreWithoutACheckpointChangesNothing() throws Exception {
		String owner = this.client.ownerName();
		try (HeldLock lock = this.client.acquire("k")) {
			this.client.afterRestore();
			assertThat(this.client.ownerName()).isEqualTo(owner);
			assertThat(lock.isHeld()).isTrue();
		}
	}

	private Thread thread(Runnable task) {
		Thread thread = new Thread(task, "checkpoint-test-" + this.threads.size());
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

}
