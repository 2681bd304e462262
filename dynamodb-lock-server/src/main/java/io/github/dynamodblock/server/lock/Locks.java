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
 * Grants, renews and releases locks for programs elsewhere. Keeps nothing between two
 * calls but what is in the table, so that any instance of the service serves any call.
 * Thread-safe.
 *
 * <p>
 * Every method throws the lock client's exceptions if DynamoDB refuses or does not
 * answer: that is never reported as a free lock, nor as one that another client holds. It
 * throws {@link OvertakenException} if other calls for the lock keep coming between, and
 * {@link InterruptedException} if the thread is interrupted; a lock that was being
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
	 * Reads a lock, by one strongly consistent read.
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
	 * Acquires a lock. If the holder has the lock already, its lease gets the later of
	 * its end and the end of a lease that begins now. An acquisition whose idempotency
	 * key is known does not lengthen it.
	 * <p>
	 * Costs one write, if this instance has not seen another hold of the lock lately.
	 * @param name the lock
	 * @param holder for whom
	 * @param seconds the duration that is asked for
	 * @param idempotencyKey what marks the acquisition, or {@code null} for none
	 * @param wanted whether the caller still waits: if not, nothing is acquired, and what
	 * was granted meanwhile is released
	 * @return the hold, or empty if another client has the lock
	 * @throws IdempotencyKeyReusedException if the key came with another call before
	 * @throws UnwantedCallException if the caller waits no longer
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Optional<Hold> acquire(LockName name, Holder holder, long seconds, @Nullable String idempotencyKey,
			BooleanSupplier wanted) throws InterruptedException {
		KeyedCall call = call(idempotencyKey, "acquire", seconds);
		return Attempts.until(() -> tryAcquire(name, holder, seconds, call, wanted));
	}

	/**
	 * A call without a key has one for itself: when the answer to its write is lost and
	 * another call of the holder comes between, its own repetition does not lengthen the
	 * lease again.
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
			// The lease was over before this thread went on.
			throw new OvertakenException(name);
		}
	}

	/**
	 * Acquires in the name of this instance of the service, not in the holder's: a claim
	 * that the network delivers twice must not take the lock from the holder itself.
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

	/** Only this grant: a repetition that was granted the lock since keeps it. */
	private static void giveBack(HeldLock lock) {
		try {
			lock.release();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"The lock '{}' stays held until its lease ends, because its release failed. Its caller had not "
							+ "waited until it was granted with the fencing token {}",
					lock.key(), lock.fencingToken(), ex);
		}
	}

	/**
	 * Writes also if the call is known: the seconds of the answer, and of the sums that
	 * later renewals answer, are counted from this call on.
	 */
	private Hold acquireAgain(StoredLock own, long seconds, KeyedCall call) {
		Instant now = this.clock.instant();
		KeyedCalls before = own.isOver(now) ? KeyedCalls.NONE : own.calls();
		return before.contain(call) ? write(own, own.lease().acquiredAgain(0, now, this.maxLease), before, now)
				: write(own, own.lease().acquiredAgain(seconds, now, this.maxLease), before.and(call), now);
	}

	/**
	 * How long others leave the lock alone. They go by a stopwatch as well as by their
	 * clocks, and the holder may go by a clock that is behind this one.
	 */
	private Duration stored(Lease lease, Instant now) {
		return lease.remaining(now).plus(this.clockSkewBound);
	}

	/**
	 * Who has the lock. Only the holder itself is believed to have it on the lock
	 * client's word, since the write that follows asks for it; no caller is refused but
	 * by a consistent read. What the client says of others can be what a read showed that
	 * was behind; and it says nothing if another call for the lock is under way here.
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
	 * Renews a lock: one strongly consistent read and one write. Adds the duration to the
	 * lease, unless a renewal with the same idempotency key has added it already.
	 * @param name the lock
	 * @param holder for whom
	 * @param seconds the duration that is asked for
	 * @param idempotencyKey what marks the renewal, or {@code null} for none
	 * @param fencingToken the token of the hold that is meant, or {@code null} for any
	 * @param wanted whether the caller still waits: if not, nothing is written
	 * @return the hold, or empty if the holder does not have the lock, or has it with
	 * another token
	 * @throws IdempotencyKeyReusedException if the key came with another call before
	 * @throws UnwantedCallException if the caller waits no longer
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

	/** Writes on the lock as it was read. */
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
	 * Releases a lock, if it is held: one strongly consistent read and one write.
	 * @param name the lock
	 * @param holder for whom
	 * @param fencingToken the token of the hold that is meant, or {@code null} for any
	 * @param wanted whether the caller still waits: if not, nothing is written
	 * @return whether the lock is not held now, or was not; {@code false} if another
	 * client has it, or the holder with another token
	 * @throws UnwantedCallException if the caller waits no longer
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean release(LockName name, Holder holder, @Nullable Long fencingToken, BooleanSupplier wanted)
			throws InterruptedException {
		// Whoever acquires the lock while this goes on keeps it, be it the holder itself.
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
	 * Releases the lock of any holder that still has the fencing token: one strongly
	 * consistent read and one write.
	 * @param name the lock
	 * @param fencingToken the token of the hold that ends
	 * @param administrator in whose name, for the log
	 * @param wanted whether the caller still waits: if not, nothing is written
	 * @return whether the lock is not held now, or was not; {@code false} if it is held
	 * with another token
	 * @throws UnwantedCallException if the caller waits no longer
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
