/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What every lock client does for its callers, whatever its DynamoDB is: two clients,
 * {@code client} and {@code other}, of one table.
 */
abstract class LockClientContract {

	private static final Duration SOON = Duration.ofMinutes(1);

	/** Its lease is to end while the test waits. */
	private static final LockRequest SHORT = LockRequest.of("k").leaseDuration(Duration.ofSeconds(2));

	/**
	 * Its lease outlasts a machine that stalls for seconds, and ends while the test
	 * waits.
	 */
	private static final LockRequest STURDY = LockRequest.of("k").leaseDuration(Duration.ofSeconds(4));

	private static final ItemChange PAUSED = ItemChange.none().attribute("paused", AttributeValue.fromBool(true));

	private final String tableName = TestDynamoDb.newTableName();

	private final List<LockClient> clients = new ArrayList<>();

	/** The DynamoDB whose lock clients are tested. */
	final DynamoDbClient dynamoDb;

	private final LockClient client;

	private final LockClient other;

	LockClientContract(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
		this.client = newClient(newBuilder());
		this.other = newClient(newBuilder());
	}

	private LockClientBuilder newBuilder() {
		return LockClient.builder(this.dynamoDb).tableName(this.tableName);
	}

	private LockClient newClient(LockClientBuilder builder) {
		LockClient made = builder.build();
		this.clients.add(made);
		return made;
	}

	@BeforeEach
	void createTable() {
		LockTable.of(this.dynamoDb, this.tableName).createIfMissing();
	}

	@AfterEach
	void close() {
		this.clients.forEach(LockClient::close);
	}

	@Test
	void aHeldLockIsGrantedToNoOtherClient() throws Exception {
		HeldLock held = this.client.acquire("k");
		assertThat(held.isHeld()).isTrue();
		assertThat(this.other.tryAcquire("k")).isEmpty();
		assertThat(this.other.tryAcquire("another")).isPresent();
		assertThatExceptionOfType(LockNotGrantedException.class)
			.isThrownBy(() -> this.other.acquire(LockRequest.of("k").waitTime(Duration.ofMillis(50))))
			.satisfies((ex) -> assertThat(ex.record().orElseThrow().ownerName()).isEqualTo(this.client.ownerName()));
	}

	@Test
	void aWaiterIsGrantedTheLockOnceItIsReleased() throws Exception {
		HeldLock held = this.client.acquire("k");
		CompletableFuture<HeldLock> waiter = this.other.acquireAsync("k");
		await().until(() -> !this.other.waiting().isEmpty());
		assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(waiter).succeedsWithin(SOON).matches(HeldLock::isHeld);
	}

	@Test
	void fencingTokensIncreaseFromOwnerToOwner() throws Exception {
		List<Long> tokens = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			try (HeldLock lock = ((i % 2 == 0) ? this.client : this.other).acquire("k")) {
				tokens.add(lock.fencingToken());
			}
		}
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void ofManyThreadsOneAtATimeHoldsTheLock() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		int[] count = new int[1];
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			for (Future<?> worker : IntStream.range(0, 4).<Future<?>>mapToObj((number) -> threads.submit(() -> {
				LockClient mine = (number % 2 == 0) ? this.client : this.other;
				for (int i = 0; i < 10; i++) {
					try (HeldLock lock = mine.acquire(LockRequest.of("k").waitTime(Duration.ofMinutes(1)))) {
						assertThat(inside.incrementAndGet()).as("holders").isOne();
						count[0]++;
						inside.decrementAndGet();
						lock.ensureHeld();
					}
				}
				return null;
			})).toList()) {
				worker.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(count[0]).isEqualTo(40);
	}

	@Test
	void theLockOfAClientThatStoppedIsTakenOverAfterItsLease() throws Exception {
		HeldLock abandoned = this.client.acquire(SHORT);
		this.client.closeWithoutReleasing();
		assertThat(this.other.tryAcquire("k")).isEmpty();
		HeldLock next = this.other.acquire(LockRequest.of("k").waitTime(SOON));
		assertThat(next.fencingToken()).isGreaterThan(abandoned.fencingToken());
		assertThat(abandoned.isHeld()).isFalse();
	}

	@Test
	void heartbeatsKeepALockLongerThanItsLease() throws Exception {
		AtomicInteger heartbeats = new AtomicInteger();
		HeldLock held = this.client.acquire(STURDY.heartbeatPeriod(Duration.ofMillis(500)).listener(new LockListener() {
			@Override
			public void onRenewed(HeldLock lock) {
				heartbeats.incrementAndGet();
			}
		}));
		CompletableFuture<HeldLock> waiter = this.other
			.acquireAsync(LockRequest.of("k").waitTime(Duration.ofMinutes(2)));
		await().until(() -> heartbeats.get() >= 9);
		assertThat(held.isHeld()).isTrue();
		assertThat(waiter).isNotDone();
		held.release();
		assertThat(waiter).succeedsWithin(SOON);
	}

	@Test
	void aLockThatIsNotRenewedIsLostOnce() throws Exception {
		Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
		HeldLock held = this.client.acquire(SHORT.automaticRenewal(false).listener(new LockListener() {
			@Override
			public void onLost(HeldLock lock, LossReason reason) {
				losses.add(reason);
			}
		}));
		assertThat(this.other.tryAcquire("k", SOON)).isPresent();
		assertThat(held.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(held::ensureHeld);
		assertThat(held.release()).isEqualTo(ReleaseOutcome.LOST);
		await().until(() -> !losses.isEmpty());
		assertThat(losses).containsExactly(LossReason.EXPIRED);
		assertThat(this.client.tryAcquire("k")).isEmpty();
	}

	@Test
	void anAdministratorsReleaseIsALossOfTheHolder() throws Exception {
		HeldLock held = this.client.acquire("k");
		assertThat(this.other.forceRelease(LockKey.of("k"), "another owner")).isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
		assertThat(this.other.forceRelease(LockKey.of("k"), this.client.ownerName()))
			.isEqualTo(ReleaseOutcome.RELEASED);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(held::renew);
		assertThat(held.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(this.other.tryAcquire("k")).isPresent();
	}

	@Test
	void aReleasedHandleReleasesNoOtherOwnersLock() throws Exception {
		HeldLock first = this.client.acquire("k");
		first.release();
		HeldLock second = this.other.acquire("k");
		assertThat(first.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		assertThatIllegalStateException().isThrownBy(first::ensureHeld);
		second.renew();
		assertThat(second.isHeld()).isTrue();
	}

	@Test
	void aLockThatIsHeldAtLeastStaysBusyAfterItsRelease() throws Exception {
		HeldLock held = this.client.acquire(LockRequest.of("k").holdAtLeast(Duration.ofMinutes(1)));
		assertThat(held.release()).isEqualTo(ReleaseOutcome.KEPT);
		assertThat(this.other.tryAcquire("k")).isEmpty();
		assertThat(this.client.tryAcquire("k")).isEmpty();
	}

	@Test
	void aLockThatIsHeldAtMostIsLostThen() throws Exception {
		HeldLock held = this.client.acquire(LockRequest.of("k")
			.leaseDuration(Duration.ofMinutes(10))
			.holdAtMost(Duration.ofMillis(500))
			.keptItem(KeptItem.create().changeAtLimit(PAUSED)));
		HeldLock next = this.other.acquire(LockRequest.of("k").waitTime(SOON));
		assertThat(held.lossReason()).hasValue(LossReason.HELD_TOO_LONG);
		assertThat(next.record().attributes()).isEqualTo(PAUSED.attributes());
		assertThat(held.release()).isEqualTo(ReleaseOutcome.LOST);
		next.renew();
	}

	@Test
	void aDetachedLockContinuesInAnotherClient() throws Exception {
		LockToken token = this.client.acquire(LockRequest.of("k").data(new byte[] { 1 })).detach();
		LockToken renewed = this.other.renew(LockToken.fromText(token.toText()));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.client.adopt(token));
		HeldLock adopted = this.other.adopt(renewed);
		assertThat(adopted.fencingToken()).isGreaterThan(token.fencingToken());
		assertThat(adopted.record().data()).hasValue(new byte[] { 1 });
		LockToken again = adopted.detach();
		assertThat(this.client.release(again)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(this.client.release(again)).isEqualTo(ReleaseOutcome.ALREADY_FREE);
	}

	@Test
	void dataAndAttributesAreSeenByOtherClients() throws Exception {
		ItemChange change = ItemChange.none().data(new byte[] { 7 }).attribute("node", AttributeValue.fromS("blue"));
		HeldLock held = this.client.acquire(LockRequest.of("k").name("orders").change(change));
		LockRecord found = this.other.find("k").orElseThrow();
		assertThat(found.data()).hasValue(new byte[] { 7 });
		assertThat(found.attributes()).containsEntry("node", AttributeValue.fromS("blue"));
		assertThat(found.name()).hasValue("orders");
		assertThat(found.fencingToken()).hasValue(held.fencingToken());
		held.renew(RenewRequest.create().change(ItemChange.none().removeData().removeAttributes("node")));
		assertThat(this.other.find("k").orElseThrow().data()).isEmpty();
		assertThat(this.other.find("k").orElseThrow().attributes()).doesNotContainKey("node");
	}

	@Test
	void anAcquisitionCopiesWhatItReplaces() throws Exception {
		AttributeValue none = AttributeValue.fromS("none");
		for (String run : new String[] { "one", "two" }) {
			this.client
				.acquire(LockRequest.of("k")
					.change(ItemChange.none().copy("run", "before", none).attribute("run", AttributeValue.fromS(run))))
				.release();
		}
		assertThat(this.other.find("k").orElseThrow().attributes())
			.isEqualTo(Map.of("run", AttributeValue.fromS("two"), "before", AttributeValue.fromS("one")));
	}

	@Test
	void anotherClientChangesTheItemOfAHeldLockWithoutDisturbingItsHolder() throws Exception {
		HeldLock held = this.client.acquire("k");
		LockRecord before = this.other.find("k").orElseThrow();
		LockRecord changed = this.other.change(held.key(), PAUSED);
		assertThat(changed).usingRecursiveComparison()
			.isEqualTo(before.toBuilder().attributes(PAUSED.attributes()).build());
		held.renew();
		assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(this.client.find("k").orElseThrow().attributes()).isEqualTo(PAUSED.attributes());
	}

	@Test
	void aChangeOfALockWithoutAnItemLeavesItFree() throws Exception {
		LockRecord changed = this.other.change(LockKey.of("k"), PAUSED);
		assertThat(changed).returns(true, LockRecord::isReleased)
			.returns(this.other.ownerName(), LockRecord::ownerName);
		assertThat(this.client.tryAcquire("k").orElseThrow().record().attributes()).isEqualTo(PAUSED.attributes());
	}

	@Test
	void aLockThatIsNotReleasedOnCloseIsLeftToItsLease() throws Exception {
		this.client.acquire("released");
		HeldLock left = this.client.acquire(STURDY.releaseOnClose(false));
		this.client.close();
		assertThat(left.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(this.other.tryAcquire("released")).isPresent();
		assertThat(this.other.tryAcquire("k")).isEmpty();
		assertThat(this.other.tryAcquire("k", SOON)).isPresent();
	}

	@Test
	void releasedLocksAreListedUnlessTheirItemsAreDeleted() throws Exception {
		this.client.acquire("kept").release();
		this.client.acquire(LockRequest.of("deleted").deleteOnRelease(true)).release();
		HeldLock held = this.client.acquire("held");
		assertThat(this.other.list().map(LockRecord::key)).containsExactlyInAnyOrder(LockKey.of("kept"), held.key());
		assertThat(this.other.list().filter((lock) -> !lock.isReleased()).map(LockRecord::key))
			.containsExactly(held.key());
		assertThat(this.other.find("deleted")).isEmpty();
	}

	@Test
	void aRequestForAnExistingItemIsNotGrantedWithoutOne() throws Exception {
		LockRequest existing = LockRequest.of("k").onlyIfItemExists(true);
		assertThat(this.client.tryAcquire(existing)).isEmpty();
		this.other.acquire("k").release();
		assertThat(this.client.tryAcquire(existing)).isPresent();
	}

	@Test
	void threadsOfOneClientAreServedFirstInFirstOut() throws Exception {
		HeldLock held = this.client.acquire("k");
		Queue<Integer> order = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> waiters = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			int number = i;
			waiters.add(this.client.acquireAsync("k").thenAccept((lock) -> {
				order.add(number);
				lock.release();
			}));
		}
		held.release();
		assertThat(waiters).allSatisfy((waiter) -> assertThat(waiter).succeedsWithin(SOON));
		assertThat(order).containsExactly(0, 1, 2, 3, 4);
	}

	@Test
	void aCancelledAcquisitionLeavesNothingLocked() throws Exception {
		HeldLock held = this.client.acquire("k");
		CompletableFuture<HeldLock> waiter = this.other.acquireAsync("k");
		await().until(() -> !this.other.waiting().isEmpty());
		waiter.cancel(false);
		held.release();
		assertThat(this.client.acquire("k").isHeld()).isTrue();
	}

	@Test
	void anInterruptEndsTheWait() throws Exception {
		HeldLock held = this.client.acquire("k");
		CompletableFuture<Void> waited = new CompletableFuture<>();
		Thread waiter = new Thread(() -> {
			try {
				this.other.acquire(LockRequest.of("k").waitTime(Duration.ofHours(1)));
				waited.complete(null);
			}
			catch (Throwable ex) {
				waited.completeExceptionally(ex);
			}
		});
		waiter.start();
		await().until(() -> !this.other.waiting().isEmpty());
		waiter.interrupt();
		assertThat(waited).failsWithin(SOON).withThrowableThat().havingCause().isInstanceOf(InterruptedException.class);
		assertThat(held.isHeld()).isTrue();
	}

	@Test
	void closingReleasesLocksAndEndsWaits() throws Exception {
		HeldLock blocking = this.other.acquire("busy");
		HeldLock held = this.client.acquire("k");
		CompletableFuture<HeldLock> waiter = this.client.acquireAsync("busy");
		await().until(() -> !this.client.waiting().isEmpty());
		this.client.close();
		assertThat(held.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(waiter).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockClientClosedException.class);
		assertThat(this.other.tryAcquire("k")).isPresent();
		assertThat(blocking.isHeld()).isTrue();
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> this.client.acquire("free"));
	}

	@Test
	void sortKeysAndNamespacesSeparateLocks() throws Exception {
		String sortedTable = this.tableName + "-sorted";
		LockTable.of(this.dynamoDb, sortedTable).sortKeyName("sort").createIfMissing();
		LockClient sorted = newClient(newBuilder().tableName(sortedTable).sortKeyName("sort"));
		sorted.acquire(LockKey.of("orders", "1"));
		assertThat(sorted.tryAcquire(LockKey.of("orders", "2"))).isPresent();
		assertThat(sorted.listPartition("orders").map(LockRecord::key)).containsExactly(LockKey.of("orders", "1"),
				LockKey.of("orders", "2"));
		LockClient named = newClient(newBuilder().namespace("reports"));
		this.client.acquire("k");
		assertThat(named.tryAcquire("k")).isPresent();
		assertThat(named.list().map(LockRecord::key)).containsExactly(LockKey.of("k"));
	}

}
