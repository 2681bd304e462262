/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.server.lock.KeyedCalls.KeyedCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/**
 * Grants, renews and releases locks for remote programs. All state is in the table, so
 * any instance of the service can serve any call. Thread-safe.
 *
 * <p>
 * Every method throws the lock client's exceptions if DynamoDB rejects a call or does not
 * answer. It then never reports the lock as free or as held by another client. It throws
 * {@link OvertakenException} if other calls for the lock keep overtaking it, and
 * {@link InterruptedException} if the thread is interrupted. A lock that was being
 * acquired then expires within its lease.
 */
@Service
public class Locks {

	private static final Logger logger = LoggerFactory.getLogger(Locks.class);

	private final LockClient client;

	private final Clock clock;

	private final Fingerprints fingerprints;

	private final Duration maxLease;

	private final Duration clockSkewBound;

	Locks(LockClient client, Clock clock, Fingerprints fingerprints, LockServerProperties properties,
			@Value("${dynamodb-lock.clock-skew-bound:0s}") Duration clockSkewBound) {
		this.client = client;
		this.clock = clock;
		this.fingerprints = fingerprints;
		this.maxLease = properties.maxLease();
		this.clockSkewBound = clockSkewBound;
	}

	/**
	 * Reads a lock with one strongly consistent read.
	 * @param name the lock
	 * @return the lock, or empty if no client holds it
	 */
	public Optional<StoredLock> find(LockName name) {
		Instant now = this.clock.instant();
		return stored(name, now).filter((lock) -> !lock.isOver(now));
	}

	private Optional<StoredLock> stored(LockName name, Instant now) {
		return this.client.find(name.key()).flatMap((record) -> StoredLock.of(record, now));
	}

	/**
	 * Acquires a lock. If the holder already has it, the lease ends when it would have
	 * ended, or when a lease that begins now would end, whichever is later. An
	 * acquisition with a known idempotency key does not extend the lease.
	 * <p>
	 * Costs one write if this instance has not recently seen that the lock is held.
	 * @param name the lock
	 * @param holder the holder
	 * @param seconds the requested duration
	 * @param idempotencyKey the key that identifies a repeated acquisition, or {@code
	 * null} for none
	 * @param wanted whether the caller still waits. If not, nothing is acquired, and a
	 * lock that was granted in the meantime is released
	 * @return the hold, or empty if another client has the lock
	 * @throws IdempotencyKeyReusedException if the key was used for a different call
	 * @throws UnwantedCallException if the caller no longer waits
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<Hold> acquire(LockName name, Holder holder, long seconds, @Nullable String idempotencyKey,
			BooleanSupplier wanted) throws InterruptedException {
		KeyedCall call = call(idempotencyKey, "acquire", seconds);
		return Attempts.until(() -> tryAcquire(name, holder, seconds, call, wanted));
	}

	/**
	 * Describes a call. Without a key, the call gets a random one. If the response to its
	 * write is lost and another call of the holder comes in between, the repetition then
	 * does not extend the lease again.
	 */
	private KeyedCall call(@Nullable String idempotencyKey, String action, long seconds) {
		String key = (idempotencyKey != null) ? idempotencyKey : UUID.randomUUID().toString();
		return new KeyedCall(this.fingerprints.of(key), action + " " + seconds);
	}

	private static void ensure(BooleanSupplier wanted) {
		if (!wanted.getAsBoolean()) {
			throw new UnwantedCallException();
		}
	}

	private Optional<Hold> tryAcquire(LockName name, Holder holder, long seconds, KeyedCall call,
			BooleanSupplier wanted) throws InterruptedException {
		try {
			ensure(wanted);
			return Optional.of(claim(name, holder, seconds, call, wanted));
		}
		catch (LockNotGrantedException ex) {
			StoredLock found = inTheWay(ex, name, holder);
			ensure(wanted);
			return found.isHeldBy(holder) ? Optional.of(acquireAgain(found, seconds, call)) : Optional.empty();
		}
		catch (LockLostException ex) {
			// The lease ended before this thread continued.
			throw new OvertakenException(name);
		}
	}

	/**
	 * Acquires in the name of this instance of the service, not in the holder's. A claim
	 * that the network delivers twice must not take the lock away from its holder.
	 */
	private Hold claim(LockName name, Holder holder, long seconds, KeyedCall call, BooleanSupplier wanted)
			throws InterruptedException {
		Instant now = this.clock.instant();
		Lease lease = Lease.starting(now, seconds, this.maxLease);
		LockRequest request = LockRequest.of(name.key())
			.waitTime(Duration.ZERO)
			.leaseDuration(stored(lease, now))
			.automaticRenewal(false)
			.change(StoredLock.granted(holder, lease, call, this.client.ownerName()));
		HeldLock lock = this.client.acquire(request);
		try {
			ensure(wanted);
			lock.detach();
		}
		catch (UnwantedCallException | InterruptedException ex) {
			giveBack(lock);
			throw ex;
		}
		if (lease.isOver(this.clock.instant())) {
			// DynamoDB took longer than the lease: the holder is to acquire it again.
			throw new OvertakenException(name);
		}
		return new Hold(lease, lock.fencingToken());
	}

	/**
	 * Releases only this grant. If a repetition of the call has acquired the lock since,
	 * it keeps the lock.
	 */
	private static void giveBack(HeldLock lock) {
		try {
			lock.release();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"The lock '{}' stays held until its lease ends, because its release failed. Its caller had "
							+ "stopped waiting before the lock was granted, with the fencing token {}",
					lock.key(), lock.fencingToken(), ex);
		}
	}

	/**
	 * Writes even if the call is known, because the seconds in the response, and in the
	 * responses to later renewals, count from this call.
	 */
	private Hold acquireAgain(StoredLock own, long seconds, KeyedCall call) {
		Instant now = this.clock.instant();
		KeyedCalls before = own.isOver(now) ? KeyedCalls.NONE : own.calls();
		return before.contain(call) ? write(own, own.lease().acquiredAgain(0, now, this.maxLease), before, now)
				: write(own, own.lease().acquiredAgain(seconds, now, this.maxLease), before.and(call), now);
	}

	/**
	 * Returns the lease that is stored in the item. It includes the clock bound, because
	 * the holder may use a clock that is behind this one. Other clients measure the lease
	 * with a stopwatch or with their clocks.
	 */
	private Duration stored(Lease lease, Instant now) {
		return lease.remaining(now).plus(this.clockSkewBound);
	}

	/**
	 * Returns the current holder. If the exception shows the caller itself as the holder,
	 * no read is needed, because the write that follows checks that. Otherwise, the lock
	 * is read with strong consistency before the caller is refused. The exception's
	 * record may be outdated, and is missing if another call for the lock is in progress
	 * in this instance.
	 */
	private StoredLock inTheWay(LockNotGrantedException ex, LockName name, Holder holder) {
		Instant now = this.clock.instant();
		return ex.record()
			.flatMap((record) -> StoredLock.of(record, now))
			.filter((lock) -> lock.isHeldBy(holder))
			.or(() -> stored(name, now))
			.orElseThrow(() -> new OvertakenException(name));
	}

	/**
	 * Renews a lock with one strongly consistent read and one write. Adds the duration to
	 * the lease, unless a renewal with the same idempotency key has already added it.
	 * @param name the lock
	 * @param holder the holder
	 * @param seconds the requested duration
	 * @param idempotencyKey the key that identifies a repeated renewal, or {@code null}
	 * for none
	 * @param fencingToken the token of the hold to renew, or {@code null} for any hold
	 * @param wanted whether the caller still waits. If not, nothing is written
	 * @return the hold, or empty if the holder does not have the lock, or has it with
	 * another token
	 * @throws IdempotencyKeyReusedException if the key was used for a different call
	 * @throws UnwantedCallException if the caller no longer waits
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<Hold> renew(LockName name, Holder holder, long seconds, @Nullable String idempotencyKey,
			@Nullable Long fencingToken, BooleanSupplier wanted) throws InterruptedException {
		KeyedCall call = call(idempotencyKey, "renew", seconds);
		return Attempts.until(() -> find(name).filter((lock) -> lock.isHeldBy(holder, fencingToken))
			.flatMap((own) -> renew(own, seconds, call, wanted)));
	}

	private Optional<Hold> renew(StoredLock own, long seconds, KeyedCall call, BooleanSupplier wanted) {
		ensure(wanted);
		Instant now = this.clock.instant();
		if (own.isOver(now)) {
			return Optional.empty();
		}
		if (own.calls().contain(call)) {
			return Optional.of(new Hold(own.lease(), own.token().fencingToken()));
		}
		Lease lease = own.lease().prolonged(seconds, now, this.maxLease);
		return Optional.of(write(own, lease, own.calls().and(call), now));
	}

	/** Writes to the lock if it has not changed since it was read. */
	private Hold write(StoredLock lock, Lease lease, KeyedCalls calls, Instant now) {
		RenewRequest request = RenewRequest.create()
			.leaseDuration(stored(lease, now))
			.change(StoredLock.lengthened(lease, calls));
		try {
			LockToken renewed = this.client.renew(lock.token(), request);
			return new Hold(lease, renewed.fencingToken());
		}
		catch (LockLostException ex) {
			throw new OvertakenException(lock.name());
		}
	}

	/**
	 * Releases a lock if it is held, with one strongly consistent read and one write.
	 * @param name the lock
	 * @param holder the holder
	 * @param fencingToken the token of the hold to release, or {@code null} for any hold
	 * @param wanted whether the caller still waits. If not, nothing is written
	 * @return whether the lock was released or was not held; {@code false} if another
	 * client holds it, or the holder has it with another token
	 * @throws UnwantedCallException if the caller no longer waits
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean release(LockName name, Holder holder, @Nullable Long fencingToken, BooleanSupplier wanted)
			throws InterruptedException {
		// An acquisition in the meantime keeps the lock, even if it is the holder's.
		AtomicReference<@Nullable OptionalLong> meant = new AtomicReference<>();
		return Attempts.until(() -> {
			Instant now = this.clock.instant();
			Optional<StoredLock> found = stored(name, now);
			if (found.isEmpty() || !found.get().isHeldBy(holder, fencingToken)) {
				return found.isEmpty() || found.get().isOver(now);
			}
			OptionalLong token = found.get().fencingToken();
			meant.compareAndSet(null, token);
			ensure(wanted);
			return !token.equals(meant.get()) || release(found.get());
		});
	}

	/**
	 * Releases a lock by force, with one strongly consistent read and one write, if it is
	 * still held with the given fencing token.
	 * @param name the lock
	 * @param fencingToken the token of the hold to end
	 * @param administrator the administrator's name, for the log
	 * @param wanted whether the caller still waits. If not, nothing is written
	 * @return whether the lock was released or was not held; {@code false} if it is held
	 * with another token
	 * @throws UnwantedCallException if the caller no longer waits
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean forceRelease(LockName name, long fencingToken, String administrator, BooleanSupplier wanted)
			throws InterruptedException {
		return Attempts.until(() -> {
			Optional<StoredLock> held = find(name);
			if (held.isEmpty()) {
				return true;
			}
			if (!held.get().fencingToken().equals(OptionalLong.of(fencingToken))) {
				return false;
			}
			ensure(wanted);
			release(held.get());
			logger.warn(
					"The administrator '{}' forced the release of the lock '{}' in the namespace '{}', which '{}' "
							+ "held with the fencing token {}",
					administrator, name.lockName(), name.namespace(), held.get().owner(), fencingToken);
			return true;
		});
	}

	private boolean release(StoredLock own) {
		if (this.client.release(own.token()) == ReleaseOutcome.HELD_BY_ANOTHER) {
			throw new OvertakenException(own.name());
		}
		return true;
	}

}
