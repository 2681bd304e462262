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

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
		assertThat(pages(this.unique, 10)).singleElement().satisfies((page) -> {
			assertThat(page.locks()).isEmpty();
			assertThat(page.notLocks()).isEmpty();
		});
	}

	@Test
	void aPartitionGivesItsLocksAsAReadShowsThem() {
		LockKey key = claim(key(this.unique, 1));
		claim(key(this.unique + "-other", 1));
		assertThat(locks(pages(this.unique, 10))).singleElement()
			.usingRecursiveComparison()
			.isEqualTo(((Answer.Found) store().read(key, true, LIMIT)).record());
	}

	@Test
	void allLocksAreThoseOfEveryPartitionOnceEachWithAnyPageSize() {
		List<LockKey> keys = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			keys.add(claim(key(this.unique + "-" + i, i)));
		}
		for (int size : new int[] { 1, 2, 3, 1000 }) {
			List<PageAnswer.Page> pages = pages(null, size);
			assertThat(pages).allSatisfy((page) -> assertThat(page.locks()).hasSizeLessThanOrEqualTo(size));
			assertThat(ours(pages)).containsExactlyInAnyOrderElementsOf(keys);
		}
	}

	@Test
	void releasedLocksAreListedAndDeletedOnesAreNot() {
		LockKey released = claim(key(this.unique + "-released", 1));
		LockKey deleted = claim(key(this.unique + "-deleted", 1));
		release(released, false);
		release(deleted, true);
		assertThat(ours(pages(null, 100))).containsExactly(released);
		assertThat(locks(pages(released.partition(), 100))).singleElement().matches(LockRecord::isReleased);
		assertThat(locks(pages(deleted.partition(), 100))).isEmpty();
	}

	@Test
	void anItemThatIsNotALockIsReportedAndHidesNoOther() {
		LockKey key = claim(key(this.unique + "-lock", 1));
		LockKey foreign = key(this.unique + "-foreign", 1);
		putForeignItem(foreign);
		assertThat(ours(pages(null, 1))).containsExactly(key);
		for (String partition : new String[] { null, foreign.partition() }) {
			assertThat(notLocks(pages(partition, 1))).singleElement().satisfies((problem) -> {
				assertThat(problem.problem()).isEqualTo(LockTableException.Problem.NOT_A_LOCK);
				assertThat(problem).hasMessageContaining(foreign.toString()).hasMessageContaining("ownerName");
			});
		}
	}

	@Test
	void bothKindsOfReadListTheLock() {
		LockKey key = claim(key(this.unique, 1));
		for (boolean consistent : new boolean[] { true, false }) {
			for (String partition : new String[] { null, this.unique }) {
				PageAnswer answer = store().list(new PageRequest(partition, 1000, consistent, null), LIMIT);
				assertThat(answer).isInstanceOfSatisfying(PageAnswer.Page.class,
						(page) -> assertThat(page.locks()).extracting(LockRecord::key).contains(key));
			}
		}
	}

	/** Every page of the listing. */
	final List<PageAnswer.Page> pages(@Nullable String partition, int size) {
		List<PageAnswer.Page> pages = new ArrayList<>();
		PageRequest request = new PageRequest(partition, size, true, null);
		while (true) {
			PageAnswer answer = store().list(request, LIMIT);
			assertThat(answer).isInstanceOf(PageAnswer.Page.class);
			PageAnswer.Page page = (PageAnswer.Page) answer;
			pages.add(page);
			if (page.last() == null) {
				return pages;
			}
			request = request.next(page.last());
		}
	}

	final LockKey claim(LockKey key) {
		LockRecord wanted = LockRecord.builder(key, "alice", Duration.ofSeconds(20), "v1").build();
		assertThat(store().write(Writes.claim(wanted, 1, null, null), LIMIT)).isInstanceOf(Answer.Applied.class);
		return key;
	}

	private void release(LockKey key, boolean delete) {
		assertThat(store().write(Writes.release(key, "v2", Set.of("v1"), null, delete), LIMIT))
			.isInstanceOf(Answer.Applied.class);
	}

	private List<LockKey> ours(List<PageAnswer.Page> pages) {
		return locks(pages).stream()
			.map(LockRecord::key)
			.filter((key) -> key.partition().startsWith(this.unique))
			.toList();
	}

	static List<LockRecord> locks(List<PageAnswer.Page> pages) {
		return pages.stream().flatMap((page) -> page.locks().stream()).toList();
	}

	private List<LockTableException> notLocks(List<PageAnswer.Page> pages) {
		return pages.stream()
			.flatMap((page) -> page.notLocks().stream())
			.filter((problem) -> String.valueOf(problem.getMessage()).contains(this.unique))
			.toList();
	}

}
