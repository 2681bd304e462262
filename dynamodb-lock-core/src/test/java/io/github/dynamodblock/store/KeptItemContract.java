/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Instant;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.LockWrite.Timestamps;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every lock store does with an item that is marked as kept: no write deletes it or
 * gives it a time to live, whatever its client knows.
 */
abstract class KeptItemContract extends LockStoreFixture {

	private static final Instant EXPIRES_AT = ACQUIRED_AT.plusSeconds(86_400);

	private static final Timestamps EXPIRING = new Timestamps(null, EXPIRES_AT, null);

	/** Whether time to live may delete the item at some time. */
	abstract boolean hasTimeToLive(LockKey key);

	@Test
	void everyWriteSetsTheTimeToLiveOfAnItemThatIsNotKept() {
		claim(false, "v1", null);
		assertThat(hasTimeToLive(this.key)).isTrue();
		renewExpiring("v2", "v1");
		assertThat(hasTimeToLive(this.key)).isTrue();
		releaseExpiring("v3", "v2");
		assertThat(hasTimeToLive(this.key)).isTrue();
	}

	@Test
	void noWriteGivesAKeptItemATimeToLive() {
		claim(false, "v0", null);
		claim(true, "v1", "v0");
		assertThat(hasTimeToLive(this.key)).isFalse();
		renewExpiring("v2", "v1");
		assertThat(hasTimeToLive(this.key)).isFalse();
		releaseExpiring("v3", "v2");
		assertThat(hasTimeToLive(this.key)).isFalse();
		claim(false, "v4", null);
		assertThat(hasTimeToLive(this.key)).isFalse();
		claim(false, "v5", "v4");
		renew("v6", "v5", LEASE);
		renewExpiring("v7", "v6");
		releaseExpiring("v8", "v7");
		assertThat(hasTimeToLive(this.key)).isFalse();
	}

	@Test
	void noReleaseDeletesAKeptItem() {
		claim(true, "v1", null);
		LockRecord held = applied(claim(false, "v2", "v1"));
		for (Set<String> versions : Set.of(Set.of("v2"), Set.of("v1", "v2", "v3"))) {
			assertThat(refused(delete("v4", versions))).usingRecursiveComparison().isEqualTo(held);
		}
		assertThat(found()).usingRecursiveComparison().isEqualTo(held);
		assertThat(release("v4", Set.of("v2"))).isInstanceOf(Answer.Applied.class);
		assertThat(refused(delete("v5", Set.of("v4"))).isReleased()).isTrue();
	}

	@Test
	void aChangeWithoutTheLockMarksTheItemAsKept() {
		claim(false, "v1", null);
		assertThat(change(null)).isInstanceOf(Answer.Applied.class);
		assertThat(hasTimeToLive(this.key)).isFalse();
		renewExpiring("v2", "v1");
		assertThat(hasTimeToLive(this.key)).isFalse();
		assertThat(refused(delete("v3", Set.of("v2"))).recordVersionNumber()).isEqualTo("v2");
	}

	@Test
	void anItemThatAChangeCreatesIsKept() {
		assertThat(change(wanted("alice", "v1").released(true).build())).isInstanceOf(Answer.Applied.class);
		claim(false, "v2", null);
		assertThat(hasTimeToLive(this.key)).isFalse();
		assertThat(refused(delete("v3", Set.of("v2"))).recordVersionNumber()).isEqualTo("v2");
	}

	@Test
	void theMarkIsNoneOfTheApplicationsAttributes() {
		assertThat(applied(claim(true, "v1", null)).attributes()).isEmpty();
		assertThat(found().attributes()).isEmpty();
	}

	private Answer claim(boolean keepItem, String version, @Nullable String expired) {
		Timestamps timestamps = keepItem ? Timestamps.NONE : EXPIRING;
		return store().send(new Step.Write(new LockWrite.Claim(wanted("alice", version).build(), ItemChange.none(),
				Precondition.FREE.orVersion(expired), SEED, timestamps, keepItem), LIMIT));
	}

	private void renewExpiring(String version, String expected) {
		assertThat(store().send(new Step.Write(Writes.renew(this.key, version, expected, LEASE, EXPIRES_AT), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
	}

	private void releaseExpiring(String version, String expected) {
		assertThat(store()
			.send(new Step.Write(Writes.release(this.key, version, Set.of(expected), EXPIRES_AT, false), LIMIT)))
			.isInstanceOf(Answer.Applied.class);
	}

	private Answer change(@Nullable LockRecord created) {
		ItemChange change = ItemChange.none().attribute("a", ONE);
		return store().send(new Step.Write(new LockWrite.Change(this.key, "created", created, change), LIMIT));
	}

}
