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
 * A held lock without a handle: whoever presents the token may renew the lock, release
 * it, or adopt it, in any process. So a request handler, a workflow step or a function
 * continues and ends what another began. Only the newest token of a lock is good, and
 * only while the lock was neither lost nor released. Whoever has the token has the lock:
 * treat it as a secret. Immutable and thread-safe.
 *
 * <pre>{@code
 * String text = client.acquire("orders-42").detach().toText();
 * // ... in another process, within the lease:
 * HeldLock lock = otherClient.adopt(LockToken.fromText(text));
 * }</pre>
 *
 * <p>
 * A token carries what its components say, and nothing else: whether a release deletes
 * the item, listeners, heartbeat period, expiry warning, table and namespace come from
 * the client or the request that adopts, renews or releases. That client needs the same
 * table, key names and namespace.
 *
 * <p>
 * For a token, {@link LossReason#STOLEN} and {@link ReleaseOutcome#HELD_BY_ANOTHER} also
 * mean that it is not the newest, and {@link LossReason#RELEASED_BY_ADMINISTRATOR} may
 * mean that somebody else released the lock with its token.
 *
 * @param key the lock
 * @param ownerName who holds it
 * @param recordVersionNumber the mark of the last write, on which the next one rests
 * @param fencingToken the owner's fencing token
 * @param leaseDuration how long others wait for a heartbeat, in whole milliseconds
 */
public record LockToken(LockKey key, String ownerName, String recordVersionNumber, long fencingToken,
		Duration leaseDuration) implements Serializable {

	private static final long serialVersionUID = 1L;

	private static final String VERSION = "1.";

	private static final int NO_VALUE = -1;

	/**
	 * @throws IllegalArgumentException if the lease is not one that a lock can have
	 */
	public LockToken {
		Objects.requireNonNull(key, "key");
		Objects.requireNonNull(ownerName, "ownerName");
		Objects.requireNonNull(recordVersionNumber, "recordVersionNumber");
		LeaseLimits.checkLease(leaseDuration);
	}

	/**
	 * The token as text of letters, digits, '.', '-' and '_', for a queue, a header or a
	 * workflow's state.
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
	 * Reads a token.
	 * @param text what {@link #toText} gave
	 * @return the token
	 * @throws IllegalArgumentException if the text is no token
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
		// Without the text: it may be a good token of something else.
		return new IllegalArgumentException(
				"The text is no lock token of this version; give what LockToken.toText() gave, unchanged", cause);
	}

	/**
	 * The token in one line, without what makes it good.
	 */
	@Override
	public String toString() {
		return "LockToken[key=" + this.key + ", ownerName=" + Printable.of(this.ownerName) + ", fencingToken="
				+ this.fencingToken + ", leaseDuration=" + this.leaseDuration + "]";
	}

}
