/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How every lock store lists.
 */
abstract class LockListingContract {

	private static final long LIMIT = Duration.ofSeconds(20).toNanos();

	private final String unique = UUID.randomUUID().toString();

	/** The store under test. It may hold other locks, but none under new keys. */
	abstract LockStore store();

	/** The key of a lock of this partition; one of several, if the table has such. */
	abstract LockKey key(String partition, int number);

	/** Puts something under the key that is not a lock. */
	abstract void putForeignItem(LockKey key);

	@Test
	void aPartitionWithoutLocksIsOneEmptyPage() {
		Listing listing = list(this.unique, 10);
		assertThat(listing.pages()).singleElement().asInstanceOf(InstanceOfAssertFactories.LIST).isEmpty();
		assertThat(listing.notLocks()).isEmpty();
	}

	@Test
	void aPartitionGivesItsLocksAsAReadShowsThem() {
		LockKey key = claim(key(this.unique, 1));
		claim(key(this.unique + "-other", 1));
		assertThat(list(this.unique, 10).locks()).singleElement()
			.usingRecursiveComparison()
			.isEqualTo(((Answer.Found) store().send(new Step.Read(key, true, LIMIT))).record());
	}

	@Test
	void allLocksAreThoseOfEveryPartitionOnceEachWithAnyPageSize() {
		List<LockKey> keys = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			keys.add(claim(key(this.unique + "-" + i, i)));
		}
		for (int size : new int[] { 1, 2, 3, 1000 }) {
			Listing listing = list(null, size);
			assertThat(listing.pages()).allSatisfy((page) -> assertThat(page).hasSizeLessThanOrEqualTo(size));
			assertThat(ours(listing)).containsExactlyInAnyOrderElementsOf(keys);
		}
	}

	@Test
	void releasedLocksAreListedAndDeletedOnesAreNot() {
		LockKey released = claim(key(this.unique + "-released", 1));
		LockKey deleted = claim(key(this.unique + "-deleted", 1));
		release(released, false);
		release(deleted, true);
		assertThat(ours(list(null, 100))).containsExactly(released);
		assertThat(list(released.partition(), 100).locks()).singleElement().matches(LockRecord::isReleased);
		assertThat(list(deleted.partition(), 100).locks()).isEmpty();
	}

	@Test
	void anItemThatIsNotALockIsReportedAndHidesNoOther() {
		LockKey key = claim(key(this.unique + "-lock", 1));
		LockKey foreign = key(this.unique + "-foreign", 1);
		putForeignItem(foreign);
		assertThat(ours(list(null, 1))).containsExactly(key);
		for (String partition : new String[] { null, foreign.partition() }) {
			assertThat(notLocks(list(partition, 1))).singleElement().satisfies((problem) -> {
				assertThat(problem.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK);
				assertThat(problem).hasMessageContaining(foreign.toString()).hasMessageContaining("ownerName");
			});
		}
	}

	@Test
	void bothKindsOfReadListTheLock() {
		LockKey key = claim(key(this.unique, 1));
		for (String partition : new String[] { null, this.unique }) {
			assertThat(list(partition, 1000).locks()).extracting(LockRecord::key).contains(key);
			// An eventually consistent read may be behind.
			await().untilAsserted(() -> assertThat(list(request(partition, 1000).consistentRead(false)).locks())
				.extracting(LockRecord::key)
				.contains(key));
		}
	}

	/** Every page of a listing by strongly consistent reads. */
	final Listing list(@Nullable String partition, int size) {
		return list(request(partition, size).consistentRead(true));
	}

	private static ListRequest request(@Nullable String partition, int size) {
		return ((partition == null) ? ListRequest.all() : ListRequest.partition(partition)).pageSize(size);
	}

	private Listing list(ListRequest request) {
		List<LockTableException> notLocks = new ArrayList<>();
		List<List<LockRecord>> pages = new ArrayList<>();
		store().list(request.onNotALock(notLocks::add), () -> {
		}, Runnable::run).forEachRemaining(pages::add);
		return new Listing(pages, notLocks);
	}

	final LockKey claim(LockKey key) {
		LockRecord wanted = LockRecord.builder(key, "alice", Duration.ofSeconds(20), "v1").build();
		assertThat(store().send(new Step.Write(Writes.claim(wanted, 1, null, null), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
		return key;
	}

	private void release(LockKey key, boolean delete) {
		assertThat(store().send(new Step.Write(Writes.release(key, "v2", Set.of("v1"), null, delete), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
	}

	private List<LockKey> ours(Listing listing) {
		return listing.locks()
			.stream()
			.map(LockRecord::key)
			.filter((key) -> key.partition().startsWith(this.unique))
			.toList();
	}

	private List<LockTableException> notLocks(Listing listing) {
		return listing.notLocks()
			.stream()
			.filter((problem) -> String.valueOf(problem.getMessage()).contains(this.unique))
			.toList();
	}

	/**
	 * What a listing gave.
	 *
	 * @param pages the locks of each page
	 * @param notLocks the errors of items that are not locks
	 */
	record Listing(List<List<LockRecord>> pages, List<LockTableException> notLocks) {

		List<LockRecord> locks() {
			return this.pages.stream().flatMap(List::stream).toList();
		}

	}

}
