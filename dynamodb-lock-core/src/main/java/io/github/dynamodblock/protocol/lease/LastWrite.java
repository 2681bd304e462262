/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.AttributeReplacement;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * The last write for a lock that this client leaves; no caller gets its result. If a call
 * that was under way is applied first, the refusal shows that, and the write is sent
 * again on its version. A call that is applied even later expires with its lease, since
 * no heartbeat renews it. Five failed calls end it without a report.
 */
public final class LastWrite extends RetriedWrite {

	private static final int MOST_FAILURES = 5;

	/** The record version numbers under which this client may hold the lock. */
	private final Set<String> versions;

	private final Content content;

	/** The lock as it is, or {@code null} if a read has to show it. */
	private @Nullable LockRecord expected;

	private LastWrite(LockKey key, LeaseTerms terms, Set<String> versions, @Nullable LockRecord expected,
			Randomness randomness, Content content) {
		super(key, terms, randomness);
		this.versions = versions;
		this.expected = expected;
		this.reading = expected == null;
		this.content = content;
	}

	/**
	 * Releases what the claims of an acquisition without a lock may have taken.
	 * @param unresolved the record version numbers of its unanswered claims
	 * @param undo what happens to data and attributes of an item that is kept
	 */
	public static LastWrite cleanUp(LockKey key, LeaseTerms terms, Set<String> unresolved, boolean deleteItem,
			ItemChange undo, Randomness randomness) {
		return new LastWrite(key, terms, unresolved, null, randomness,
				(version, found, now) -> new LockWrite.Release(key, version, Set.of(found.recordVersionNumber()),
						new LockWrite.Freeing(deleteItem,
								AttributeReplacement.resolve(undo, found.attributes().keySet()),
								terms.expiresAt(now))));
	}

	/**
	 * Retains a lock whose client closes before the time that it is to be held at least:
	 * the rest of that time becomes its lease.
	 * @param rest for how much longer the lock is to be held, positive
	 * @param change what its holder wanted the release to change in the item
	 */
	public static LastWrite retain(HeldLease lease, Duration rest, ItemChange change, Randomness randomness) {
		// The item stores whole milliseconds, and the lock must not be free too early.
		Duration retained = Duration.ofMillis(rest.toMillis() + 1);
		LeaseTerms terms = lease.terms().withLeaseDuration(retained);
		ItemChange all = lease.resolved(lease.unconfirmed().then(change));
		return new LastWrite(lease.key(), lease.terms(), lease.versions(), lease.record(), randomness,
				(version, found, now) -> new LockWrite.Renew(lease.key(), version, found.recordVersionNumber(),
						retained, all, terms.timestamps(now)));
	}

	@Override
	public Step start(ClockReading now) {
		return this.versions.isEmpty() ? new Step.Settled() : next(now);
	}

	@Override
	LockWrite write(String recordVersionNumber, ClockReading now) {
		return this.content.write(recordVersionNumber, Objects.requireNonNull(this.expected), now);
	}

	@Override
	Step decide(Answer answer, ClockReading now) {
		LockRecord found = answer.shown();
		if (found != null && isOurs(found)) {
			this.expected = found;
			return write(now);
		}
		return new Step.Settled();
	}

	@Override
	long retryNanos(ClockReading now) {
		return (this.failures < MOST_FAILURES) ? Long.MAX_VALUE : 0;
	}

	@Override
	Step unconfirmed() {
		return new Step.Settled();
	}

	private boolean isOurs(LockRecord record) {
		String version = record.recordVersionNumber();
		boolean tried = this.expected != null && version.equals(this.expected.recordVersionNumber());
		return !record.isReleased() && this.versions.contains(version) && !tried;
	}

	/** What is written. */
	private interface Content {

		LockWrite write(String recordVersionNumber, LockRecord found, ClockReading now);

	}

}
