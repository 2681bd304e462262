/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every lock store does with the application's part of an item.
 */
abstract class ItemChangeContract extends KeptItemContract {

	private static final ItemChange COPY = ItemChange.none().copy("a", "b", TWO);

	private Answer change(boolean noItem, ItemChange change) {
		LockRecord created = LockRecord.builder(this.key, "carol", LEASE, "created").released(true).build();
		return store()
			.send(new Step.Write(new LockWrite.Change(this.key, "created", noItem ? created : null, change), LIMIT));
	}

	private LockRecord claimed(ItemChange change) {
		return applied(claim(wanted("alice", "v1").build(), change, Precondition.FREE));
	}

	@Test
	void aCopyOfAMissingAttributeIsTheGivenValue() {
		assertThat(claimed(COPY.attribute("a", ONE)).attributes()).isEqualTo(Map.of("a", ONE, "b", TWO));
	}

	@Test
	void aCopyIsTheValueFromBeforeTheWriteWhateverTheWriteChanges() {
		AttributeValue old = AttributeValue.fromS("old");
		ItemChange before = ItemChange.none().attribute("a", old).attribute("c", ONE);
		for (ItemChange copying : new ItemChange[] { COPY.attribute("a", TWO), COPY.removeAttributes("a") }) {
			claimed(before);
			store()
				.send(new Step.Write(new LockWrite.Release(this.key, "v2", Set.of("v1"), false, copying, null), LIMIT));
			Map<String, AttributeValue> after = new LinkedHashMap<>(copying.attributes());
			after.put("b", old);
			after.put("c", ONE);
			assertThat(found().attributes()).isEqualTo(after);
		}
	}

	@Test
	void twoCopiesExchangeTwoValues() {
		claimed(ItemChange.none().attribute("a", ONE).attribute("b", TWO));
		ItemChange exchange = COPY.copy("b", "a", ONE);
		assertThat(applied(claim(wanted("bob", "v2").build(), exchange, Precondition.only("v1"))).attributes())
			.isEqualTo(Map.of("a", TWO, "b", ONE));
	}

	@Test
	void asManyCopiesAsAChangeCanHaveFitIntoOneWrite() {
		ItemChange copies = ItemChange.none();
		for (int i = 0; i < 50; i++) {
			copies = copies.copy("from" + i, "to" + i, ONE);
		}
		assertThat(claimed(copies).attributes()).hasSize(50);
	}

	@Test
	void aChangeLeavesEverythingElseOfAHeldLock() {
		LockRecord held = claimed(ItemChange.none().data(bytes("one")).attribute("a", ONE).attribute("b", ONE));
		LockRecord changed = applied(change(false, ItemChange.none().attribute("a", TWO).removeAttributes("b")));
		assertThat(changed).usingRecursiveComparison().isEqualTo(held.toBuilder().attributes(Map.of("a", TWO)).build());
		assertThat(found()).usingRecursiveComparison().isEqualTo(changed);
		assertThat(renew("v2", "v1", LEASE)).isInstanceOf(Answer.Applied.class);
		assertThat(found().attributes()).isEqualTo(Map.of("a", TWO));
	}

	@Test
	void aChangeLeavesAReleasedLockReleased() {
		claimed(ItemChange.none().data(bytes("one")));
		release("v2", Set.of("v1"));
		LockRecord released = found();
		LockRecord changed = applied(change(false, ItemChange.none().removeData()));
		assertThat(changed).usingRecursiveComparison().isEqualTo(released.toBuilder().data(null).build());
		assertThat(applied(claim("bob", "v3", null)).fencingToken().orElseThrow())
			.isGreaterThan(released.fencingToken().orElseThrow());
	}

	@Test
	void aChangeOfNothingKeepsEverything() {
		LockRecord held = claimed(ItemChange.none().data(bytes("one")).attribute("a", ONE));
		assertThat(applied(change(false, ItemChange.none()))).usingRecursiveComparison().isEqualTo(held);
	}

	@Test
	void aChangeWithoutAnItemIsRefusedUnlessItCreatesAReleasedLock() {
		assertThat(change(false, ItemChange.none().attribute("a", ONE))).isEqualTo(new Answer.Refused(null));
		assertThat(read(true)).isEqualTo(new Answer.Found(null));
		LockRecord created = applied(change(true, ItemChange.none().attribute("a", ONE).removeAttributes("b")));
		assertThat(created).usingRecursiveComparison()
			.isEqualTo(LockRecord.builder(this.key, "carol", LEASE, "created")
				.released(true)
				.attributes(Map.of("a", ONE))
				.build());
		assertThat(found()).usingRecursiveComparison().isEqualTo(created);
		LockRecord taken = applied(claim("bob", "v3", null));
		assertThat(taken.fencingToken()).hasValue(SEED + 32);
		assertThat(taken.attributes()).isEqualTo(Map.of("a", ONE));
	}

	@Test
	void anItemIsNotCreatedTwice() {
		LockRecord held = claimed(ItemChange.none());
		assertThat(refused(change(true, ItemChange.none().attribute("a", ONE)))).usingRecursiveComparison()
			.isEqualTo(held);
		assertThat(found()).usingRecursiveComparison().isEqualTo(held);
	}

	@Test
	void aChangeLeavesAnItemAloneThatIsNotALock() {
		putForeignItem(this.key);
		assertNotALock(change(false, ItemChange.none().attribute("a", ONE)));
		assertNotALock(change(true, ItemChange.none().attribute("a", ONE)));
		assertNotALock(read(true));
	}

	@Test
	void aRenewalAfterAChangeKeepsWhatItDoesNotName() {
		claimed(ItemChange.none().attribute("a", ONE));
		change(false, ItemChange.none().attribute("b", TWO));
		LockWrite renewal = new LockWrite.Renew(this.key, "v2", "v1", LEASE, ItemChange.none().attribute("a", TWO),
				Timestamps.NONE);
		assertThat(store().send(new Step.Write(renewal, LIMIT))).isInstanceOf(Answer.Applied.class);
		assertThat(found().attributes()).isEqualTo(Map.of("a", TWO, "b", TWO));
	}

}
