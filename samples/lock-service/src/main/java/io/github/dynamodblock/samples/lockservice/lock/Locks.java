/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.samples.lockservice.lock.Renewals.Renewal;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Service;

/**
 * Grants, renews and releases locks for programs elsewhere. Keeps nothing between two
 * calls but what is in the table, so that any instance of the service serves any call.
 * Thread-safe.
 *
 * <p>
 * Every method throws the lock client's exceptions if DynamoDB refuses or does not
 * answer: that is never told as a free lock, nor as one that somebody else holds. It
 * throws {@link OvertakenException} if other calls for the lock keep coming between, and
 * {@link InterruptedException} if the thread is interrupted; a lock that was being
 * acquired then frees itself within its lease.
 */
@Service
public class Locks {

	private final LockClient client;

	private final Clock clock;

	private final Duration maxLease;

	Locks(LockClient client, Clock clock, LockServiceProperties properties) {
		this.client = client;
		this.clock = clock;
		this.maxLease = properties.maxLease();
	}

	/**
	 * Looks at a lock, by one strongly consistent read.
	 * @param name the lock
	 * @return the lock, or empty if nobody holds it
	 */
	public Optional<StoredLock> find(LockName name) {
		Instant now = this.clock.instant();
		return stored(name, now).filter((lock) -> !lock.isOver(now));
	}

	private Optional<StoredLock> stored(LockName name, Instant now) {
		return this.client.find(name.key()).flatMap((record) -> StoredLock.of(record, now));
	}

	/**
	 * Acquires a lock: one write, without a read before it. If the holder has the lock
	 * already, its lease begins anew.
	 * @param name the lock
	 * @param holder for whom
	 * @param seconds the duration that is asked for
	 * @return the hold, or empty if somebody else has the lock
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<Hold> acquire(LockName name, Holder holder, long seconds) throws InterruptedException {
		return Attempts.until(() -> tryAcquire(name, holder, seconds));
	}

	private Optional<Hold> tryAcquire(LockName name, Holder holder, long seconds) throws InterruptedException {
		Instant now = this.clock.instant();
		Lease lease = Lease.starting(now, seconds, this.maxLease);
		try {
			return Optional.of(claim(name, holder, lease, now));
		}
		catch (LockNotGrantedException ex) {
			StoredLock found = inTheWay(ex, name, holder, now);
			return found.isHeldBy(holder) ? Optional.of(write(found, lease, StoredLock.granted(holder, lease), now))
					: Optional.empty();
		}
		catch (LockLostException ex) {
			// The lease was over before this thread went on.
			throw new OvertakenException(name);
		}
	}

	/**
	 * Acquires in the name of this instance of the service, not in the holder's: a claim
	 * that the network delivers twice must not take the lock from the holder itself.
	 */
	private Hold claim(LockName name, Holder holder, Lease lease, Instant now) throws InterruptedException {
		LockRequest request = LockRequest.of(name.key())
			.waitTime(Duration.ZERO)
			.leaseDuration(lease.remaining(now))
			.automaticRenewal(false)
			.change(StoredLock.granted(holder, lease));
		HeldLock lock = this.client.acquire(request);
		lock.detach();
		return new Hold(lease, lock.fencingToken());
	}

	/**
	 * Who has the lock. Only the holder itself is believed to have it on the lock
	 * client's word, since the write that follows asks for it; nobody is refused but by a
	 * consistent read. What the client says of others can be what a read showed that was
	 * behind; and it says nothing if another call for the lock is under way here.
	 */
	private StoredLock inTheWay(LockNotGrantedException ex, LockName name, Holder holder, Instant now) {
		return ex.holder()
			.flatMap((record) -> StoredLock.of(record, now))
			.filter((lock) -> lock.isHeldBy(holder))
			.or(() -> stored(name, now))
			.orElseThrow(() -> new OvertakenException(name));
	}

	/**
	 * Renews a lock: one strongly consistent read and one write. Adds the duration to the
	 * lease, unless a renewal with the same idempotency key has added it already.
	 * @param name the lock
	 * @param holder for whom
	 * @param seconds the duration that is asked for
	 * @param idempotencyKey what marks the renewal, or {@code null} for none
	 * @return the hold, or empty if the holder does not have the lock
	 * @throws IdempotencyKeyReusedException if the key came with another duration before
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<Hold> renew(LockName name, Holder holder, long seconds, @Nullable String idempotencyKey)
			throws InterruptedException {
		return Attempts.until(() -> find(name).filter((lock) -> lock.isHeldBy(holder))
			.map((own) -> renew(own, seconds, idempotencyKey)));
	}

	private Hold renew(StoredLock lock, long seconds, @Nullable String idempotencyKey) {
		Instant now = this.clock.instant();
		Renewals renewals = lock.renewals();
		if (idempotencyKey != null) {
			Renewal renewal = new Renewal(Fingerprint.of(idempotencyKey), seconds);
			OptionalLong before = renewals.secondsOf(renewal.keyFingerprint());
			if (before.isPresent()) {
				return repeated(lock, before.getAsLong(), seconds);
			}
			renewals = renewals.and(renewal);
		}
		Lease lease = lock.lease().prolonged(seconds, now, this.maxLease);
		return write(lock, lease, StoredLock.renewed(lease, renewals), now);
	}

	private static Hold repeated(StoredLock lock, long secondsBefore, long seconds) {
		if (secondsBefore != seconds) {
			throw new IdempotencyKeyReusedException(secondsBefore, seconds);
		}
		return new Hold(lock.lease(), lock.token().fencingToken());
	}

	/** Writes on the lock as it was read. */
	private Hold write(StoredLock lock, Lease lease, ItemChange change, Instant now) {
		RenewRequest request = RenewRequest.create().leaseDuration(lease.remaining(now)).change(change);
		try {
			LockToken renewed = this.client.renew(lock.token(), request);
			return new Hold(lease, renewed.fencingToken());
		}
		catch (LockLostException ex) {
			throw new OvertakenException(lock.name());
		}
	}

	/**
	 * Releases a lock, if it is held: one strongly consistent read and one write.
	 * @param name the lock
	 * @param holder for whom
	 * @return whether the lock is not held now, or was not; {@code false} if somebody
	 * else has it
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean release(LockName name, Holder holder) throws InterruptedException {
		// Whoever acquires the lock while this goes on keeps it, be it the holder itself.
		AtomicReference<@Nullable OptionalLong> meant = new AtomicReference<>();
		return Attempts.until(() -> {
			Instant now = this.clock.instant();
			Optional<StoredLock> found = stored(name, now);
			if (found.isEmpty() || !found.get().isHeldBy(holder)) {
				return found.isEmpty() || found.get().isOver(now);
			}
			OptionalLong token = found.get().fencingToken();
			meant.compareAndSet(null, token);
			return !token.equals(meant.get()) || release(found.get());
		});
	}

	private boolean release(StoredLock own) {
		if (this.client.release(own.token()) == ReleaseOutcome.HELD_BY_ANOTHER) {
			throw new OvertakenException(own.name());
		}
		return true;
	}

}
