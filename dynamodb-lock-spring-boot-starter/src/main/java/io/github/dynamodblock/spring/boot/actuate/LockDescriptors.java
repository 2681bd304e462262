/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.WaitingAcquisition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Responses of the endpoint {@code locks}.
 *
 * <pre>{@code
 * Locks here = endpoint.locks();
 * }</pre>
 */
public final class LockDescriptors {

	private LockDescriptors() {
	}

	/** Returns the time between two readings of clocks that may differ. */
	static Duration elapsed(Instant begin, Instant end) {
		return end.isBefore(begin) ? Duration.ZERO : shown(Duration.between(begin, end));
	}

	/** Returns a measured duration in milliseconds. */
	static Duration shown(Duration measured) {
		return measured.truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * The locks that this node holds and waits for.
	 *
	 * @param clients the clients' locks, by the name of the client
	 */
	public record Locks(Map<String, LocksOfClient> clients) implements OperationResponseBody {
	}

	/**
	 * The locks that one client holds and waits for.
	 *
	 * @param table the name of its table
	 * @param ownerName the name under which it holds locks
	 * @param held the locks that it holds, by key
	 * @param waiting the acquisitions that wait, the longest first
	 */
	public record LocksOfClient(String table, String ownerName, List<HeldHere> held, List<WaitingHere> waiting) {

		static LocksOfClient of(LockClient client) {
			return new LocksOfClient(client.tableName(), client.ownerName(),
					client.held().stream().map(HeldHere::of).sorted(Comparator.comparing(HeldHere::key)).toList(),
					client.waiting()
						.stream()
						.map(WaitingHere::of)
						.sorted(Comparator.comparing(WaitingHere::waited).reversed())
						.toList());
		}

	}

	/**
	 * A lock that this node holds.
	 *
	 * @param key its partition key
	 * @param sortKey its sort key, if the table has one
	 * @param name the name of its request, if it had one
	 * @param fencingToken its fencing token
	 * @param since when it was acquired, by this node's clock
	 * @param remaining how long it stays held without a further heartbeat
	 * @param expiring whether it will be lost soon
	 */
	public record HeldHere(String key, @Nullable String sortKey, @Nullable String name, long fencingToken,
			@Nullable Instant since, Duration remaining, boolean expiring) {

		static HeldHere of(HeldLock lock) {
			LockKey key = lock.key();
			return new HeldHere(key.partition(), key.sort(), lock.name().orElse(null), lock.fencingToken(),
					lock.record().acquiredAt().orElse(null), shown(lock.remaining()), lock.isExpiring());
		}

	}

	/**
	 * An acquisition that waits on this node.
	 *
	 * @param key the lock's partition key
	 * @param sortKey the lock's sort key, if the table has one
	 * @param name the name of the request, if it has one
	 * @param waited how long it has waited
	 */
	public record WaitingHere(String key, @Nullable String sortKey, @Nullable String name, Duration waited) {

		static WaitingHere of(WaitingAcquisition waiting) {
			LockKey key = waiting.request().key();
			return new WaitingHere(key.partition(), key.sort(), waiting.request().name().orElse(null),
					shown(waiting.waited()));
		}

	}

	/**
	 * A lock as stored in the table.
	 *
	 * @param key its partition key
	 * @param sortKey its sort key, if the table has one
	 * @param released whether it is free. If not, its owner holds it, or has died and no
	 * client has acquired it since.
	 * @param heldHere whether the client on this node holds it
	 * @param ownerName the owner that holds it, or held it last
	 * @param fencingToken its fencing token, if it has one
	 * @param leaseDuration how long it outlives its owner's last heartbeat
	 * @param acquiredAt when it was acquired, by its owner's clock, if that is stored
	 * @param leaseEnds when its lease ends, by its owner's clock, if that is stored
	 * @param name the name of the request that acquired it, if it had one
	 * @param renewedAt when its owner acquired or last renewed it, by the owner's clock,
	 * if that is stored
	 * @param notRenewedFor the time since then, by this node's clock
	 * @param ownerSilent whether the lock was not renewed for longer than its lease. The
	 * owner has then probably crashed, unless one of the two clocks is wrong
	 */
	public record TableLock(String key, @Nullable String sortKey, boolean released, boolean heldHere, String ownerName,
			@Nullable Long fencingToken, Duration leaseDuration, @Nullable Instant acquiredAt,
			@Nullable Instant leaseEnds, @Nullable String name, @Nullable Instant renewedAt,
			@Nullable Duration notRenewedFor, boolean ownerSilent) {

		static TableLock of(LockRecord lock, boolean heldHere, Instant now) {
			LockKey key = lock.key();
			Instant renewedAt = lock.renewedAt().orElse(null);
			return new TableLock(key.partition(), key.sort(), lock.isReleased(), heldHere, lock.ownerName(),
					lock.fencingToken().isPresent() ? lock.fencingToken().getAsLong() : null, lock.leaseDuration(),
					lock.acquiredAt().orElse(null), lock.leaseEnds().orElse(null), lock.name().orElse(null), renewedAt,
					(renewedAt != null) ? elapsed(renewedAt, now) : null, lock.isOwnerSilent(now));
		}

	}

	/**
	 * Locks of a client's table.
	 *
	 * @param table the name of its table
	 * @param locks the locks, starting with those that were not renewed for the longest
	 * time
	 * @param truncated whether the table may contain more locks than are read or shown
	 */
	public record LocksOfTable(String table, List<TableLock> locks,
			boolean truncated) implements OperationResponseBody {

		/**
		 * That is about 250 read units, because locks without data have some 200 bytes.
		 */
		static final int MOST_READ = 10_000;

		static final int MOST_SHOWN = 1_000;

		private static final int PAGE = 1_000;

		static LocksOfTable all(LockClient client, Instant now) {
			List<LockRecord> read = client.list(ListRequest.all().pageSize(PAGE)).limit(MOST_READ).toList();
			LocksOfTable held = of(client, read.stream().filter((lock) -> !lock.isReleased()).toList(), now);
			return (read.size() == MOST_READ) ? new LocksOfTable(held.table(), held.locks(), true) : held;
		}

		static LocksOfTable of(LockClient client, List<LockRecord> locks, Instant now) {
			return new LocksOfTable(client.tableName(), locks.stream()
				.map((lock) -> TableLock.of(lock, client.holds(lock.key()), now))
				.sorted(Comparator
					.comparing(TableLock::notRenewedFor, Comparator.nullsLast(Comparator.<Duration>reverseOrder()))
					.thenComparing(TableLock::key))
				.limit(MOST_SHOWN)
				.toList(), locks.size() > MOST_SHOWN);
		}

	}

	/**
	 * The result of a forced release.
	 *
	 * @param outcome what happened
	 * @param ownerName the owner that holds the lock, if it is another one
	 */
	public record Release(ReleaseOutcome outcome, @Nullable String ownerName) implements OperationResponseBody {
	}

}
