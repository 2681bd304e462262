/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.WaitingAcquisition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint {@code locks} answers.
 *
 * <pre>{@code
 * Object here = endpoint.locks(null, null, null).getBody();
 * }</pre>
 */
public final class LockDescriptors {

	private LockDescriptors() {
	}

	/**
	 * What this node holds and waits for.
	 *
	 * @param clients by the names of the clients
	 */
	public record Locks(Map<String, LocksOfClient> clients) implements OperationResponseBody {
	}

	/**
	 * What one client holds and waits for.
	 *
	 * @param table the name of its table
	 * @param ownerName under which it holds locks
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
	 * @param remaining how long it would be held without a further heartbeat
	 * @param inDanger whether it will be lost soon
	 */
	public record HeldHere(String key, @Nullable String sortKey, @Nullable String name, long fencingToken,
			@Nullable Instant since, Duration remaining, boolean inDanger) {

		static HeldHere of(HeldLock lock) {
			LockKey key = lock.key();
			return new HeldHere(key.partition(), key.sort(), lock.name().orElse(null), lock.fencingToken(),
					lock.record().acquiredAt().orElse(null), lock.remaining(), lock.isInDanger());
		}

	}

	/**
	 * An acquisition that waits here.
	 *
	 * @param key the lock's partition key
	 * @param sortKey the lock's sort key, if the table has one
	 * @param name the name of the request, if it has one
	 * @param waited for how long
	 */
	public record WaitingHere(String key, @Nullable String sortKey, @Nullable String name, Duration waited) {

		static WaitingHere of(WaitingAcquisition waiting) {
			LockKey key = waiting.request().key();
			return new WaitingHere(key.partition(), key.sort(), waiting.request().name().orElse(null),
					waiting.waited());
		}

	}

	/**
	 * A lock as the table has it.
	 *
	 * @param key its partition key
	 * @param sortKey its sort key, if the table has one
	 * @param released whether it is free; if not, its owner holds it, or has died not
	 * longer than a lease ago, or nobody has asked for it since
	 * @param heldHere whether the client that was asked holds it
	 * @param ownerName who holds it, or held it last
	 * @param fencingToken its fencing token, if it has one
	 * @param leaseDuration how long it outlives its owner's last heartbeat
	 * @param acquiredAt when it was acquired, by its owner's clock, if that is stored
	 * @param leaseEnds when its lease ends, by its owner's clock, if that is stored
	 */
	public record TableLock(String key, @Nullable String sortKey, boolean released, boolean heldHere, String ownerName,
			@Nullable Long fencingToken, Duration leaseDuration, @Nullable Instant acquiredAt,
			@Nullable Instant leaseEnds) implements OperationResponseBody {

		static TableLock of(LockRecord lock, boolean heldHere) {
			LockKey key = lock.key();
			return new TableLock(key.partition(), key.sort(), lock.isReleased(), heldHere, lock.ownerName(),
					lock.fencingToken().isPresent() ? lock.fencingToken().getAsLong() : null, lock.leaseDuration(),
					lock.acquiredAt().orElse(null), lock.leaseEnds().orElse(null));
		}

	}

	/**
	 * What a forced release did.
	 *
	 * @param outcome what happened
	 */
	public record Release(ReleaseOutcome outcome) implements OperationResponseBody {
	}

	/**
	 * Why there is no better answer.
	 *
	 * @param message what was wrong, and how to mend it
	 */
	public record Problem(String message) implements OperationResponseBody {
	}

}
