/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Represents a held lock without a handle. Any process that has the token can renew,
 * release or adopt the lock, so that one request handler, workflow step or function can
 * continue what another has begun. Only the newest token of a lock is valid, and only
 * until the lock is lost or released. A token grants control of the lock: treat it as a
 * secret. Immutable and thread-safe.
 *
 * <pre>{@code
 * String text = client.acquire("orders-42").detach().toText();
 * // ... in another process, within the lease:
 * HeldLock lock = otherClient.adopt(LockToken.fromText(text));
 * }</pre>
 *
 * <p>
 * A token contains only its components. The client or request that adopts, renews or
 * releases the lock supplies the rest: listeners, heartbeat period, expiry warning, and
 * whether a release deletes the item. That client needs the same table, key names and
 * namespace.
 *
 * <p>
 * For a token, {@link LossReason#STOLEN} and {@link ReleaseOutcome#HELD_BY_ANOTHER} can
 * also mean that it is not the newest token. {@link LossReason#RELEASED_BY_ADMINISTRATOR}
 * can also mean that another process released the lock with its token.
 *
 * @param key the lock's key
 * @param ownerName the owner name under which the lock is held
 * @param recordVersionNumber the record version number of the last write, which is the
 * precondition of the next one
 * @param fencingToken the owner's fencing token
 * @param leaseDuration the lease, in whole milliseconds
 */
public record LockToken(LockKey key, String ownerName, String recordVersionNumber, long fencingToken,
		Duration leaseDuration) implements Serializable {

	private static final long serialVersionUID = 1L;

	private static final String VERSION = "v1";

	/** The text ends with an empty part, so that a truncated text is detected. */
	private static final int PARTS = 8;

	/**
	 * Creates a token.
	 * @throws IllegalArgumentException if the lease is not from 100 ms to 365 days in
	 * whole milliseconds
	 */
	public LockToken {
		Objects.requireNonNull(key, "key");
		Objects.requireNonNull(ownerName, "ownerName");
		Objects.requireNonNull(recordVersionNumber, "recordVersionNumber");
		Limits.checkLease(leaseDuration);
	}

	/**
	 * Returns the token as text, for a queue, a header or the state of a workflow. The
	 * text consists of letters, digits, '.', '-' and '_'.
	 */
	public String toText() {
		String sort = (this.key.sort() == null) ? "" : this.key.sort();
		return String.join(".", VERSION, Long.toString(this.fencingToken), Long.toString(this.leaseDuration.toMillis()),
				encode(this.ownerName), encode(this.recordVersionNumber), encode(this.key.partition()), encode(sort),
				"");
	}

	/**
	 * Reads a token from the result of {@link #toText}.
	 * @throws IllegalArgumentException if the text is not a token of this version
	 */
	public static LockToken fromText(String text) {
		String[] parts = Objects.requireNonNull(text, "text").split("\\.", -1);
		if (parts.length != PARTS || !parts[0].equals(VERSION) || !parts[PARTS - 1].isEmpty()) {
			throw notAToken(null);
		}
		try {
			LockKey key = new LockKey(decode(parts[5]), parts[6].isEmpty() ? null : decode(parts[6]));
			return new LockToken(key, decode(parts[3]), decode(parts[4]), Long.parseLong(parts[1]),
					Duration.ofMillis(Long.parseLong(parts[2])));
		}
		catch (RuntimeException ex) {
			throw notAToken(ex);
		}
	}

	private static String encode(String part) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(part.getBytes(StandardCharsets.UTF_8));
	}

	private static String decode(String part) {
		return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
	}

	private static IllegalArgumentException notAToken(@Nullable RuntimeException cause) {
		// Without the text, which may be a secret of another kind.
		return new IllegalArgumentException(
				"The text is not a lock token of this version; use the result of LockToken.toText() unchanged", cause);
	}

	/** Returns a description without the record version number, which is the secret. */
	@Override
	public String toString() {
		return "LockToken[key=" + this.key + ", ownerName=" + LogText.of(this.ownerName) + ", fencingToken="
				+ this.fencingToken + ", leaseDuration=" + this.leaseDuration + "]";
	}

}
