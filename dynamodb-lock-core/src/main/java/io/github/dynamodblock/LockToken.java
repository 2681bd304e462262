/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
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
 * A token consists of its components only. The client or the request that adopts, renews
 * or releases the lock determines listeners, heartbeat period, expiry warning, table and
 * namespace, and whether a release deletes the item. That client needs the same table,
 * key names and namespace.
 *
 * <p>
 * For a token, {@link LossReason#STOLEN} and {@link ReleaseOutcome#HELD_BY_ANOTHER} also
 * mean that it is not the newest token. {@link LossReason#RELEASED_BY_ADMINISTRATOR} can
 * also mean that another process released the lock with its token.
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

	private static final String VERSION = "1.";

	private static final int NO_VALUE = -1;

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
	 * @return the text, which {@link #fromText} reads
	 */
	public String toText() {
		List<byte @Nullable []> parts = new ArrayList<>();
		parts.add(bytes(this.key.partition()));
		parts.add((this.key.sort() == null) ? null : bytes(this.key.sort()));
		parts.add(bytes(this.ownerName));
		parts.add(bytes(this.recordVersionNumber));
		int length = parts.stream().mapToInt((part) -> Integer.BYTES + ((part == null) ? 0 : part.length)).sum();
		ByteBuffer buffer = ByteBuffer.allocate(2 * Long.BYTES + length);
		buffer.putLong(this.fencingToken).putLong(this.leaseDuration.toMillis());
		for (byte @Nullable [] part : parts) {
			if (part == null) {
				buffer.putInt(NO_VALUE);
			}
			else {
				buffer.putInt(part.length).put(part);
			}
		}
		return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(buffer.array());
	}

	/**
	 * Reads a token from text.
	 * @param text the result of {@link #toText}
	 * @return the token
	 * @throws IllegalArgumentException if the text is not a token of this version
	 */
	public static LockToken fromText(String text) {
		if (!Objects.requireNonNull(text, "text").startsWith(VERSION)) {
			throw notAToken(null);
		}
		try {
			ByteBuffer buffer = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(VERSION.length())));
			long fencingToken = buffer.getLong();
			Duration lease = Duration.ofMillis(buffer.getLong());
			LockKey key = new LockKey(string(buffer), nullableString(buffer));
			LockToken token = new LockToken(key, string(buffer), string(buffer), fencingToken, lease);
			if (buffer.hasRemaining()) {
				throw notAToken(null);
			}
			return token;
		}
		catch (RuntimeException ex) {
			throw notAToken(ex);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String string(ByteBuffer buffer) {
		return Objects.requireNonNull(nullableString(buffer));
	}

	private static @Nullable String nullableString(ByteBuffer buffer) {
		int length = buffer.getInt();
		if (length == NO_VALUE) {
			return null;
		}
		if (length < 0 || length > buffer.remaining()) {
			throw new IllegalArgumentException("a part has " + length + " bytes");
		}
		byte[] bytes = new byte[length];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static IllegalArgumentException notAToken(@Nullable RuntimeException cause) {
		// Without the text, which may be a secret of another kind.
		return new IllegalArgumentException(
				"The text is not a lock token of this version; use the result of LockToken.toText() unchanged", cause);
	}

	/**
	 * Returns a description without the record version number, which is the secret.
	 */
	@Override
	public String toString() {
		return "LockToken[key=" + this.key + ", ownerName=" + Printable.of(this.ownerName) + ", fencingToken="
				+ this.fencingToken + ", leaseDuration=" + this.leaseDuration + "]";
	}

}
