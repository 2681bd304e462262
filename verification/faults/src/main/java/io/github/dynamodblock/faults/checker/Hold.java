/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one grant. The lock client said {@code true} to {@code isHeld} at some
 * moment within each positive look, and what is not held is never held again: so the lock
 * was held for certain from the end of the first such look to the start of the last.
 */
public final class Hold {

	private final Grant grant;

	private boolean seen;

	private long firstFrom;

	private long firstTo;

	private long lastFrom;

	private long lastTo;

	private boolean releasing;

	private @Nullable Ending ending;

	Hold(Grant grant) {
		this.grant = grant;
	}

	void seen(long from, long to) {
		if (!this.seen) {
			this.seen = true;
			this.firstFrom = from;
			this.firstTo = to;
		}
		this.lastFrom = from;
		this.lastTo = to;
	}

	void releasing() {
		this.releasing = true;
	}

	void ended(Ending ending) {
		this.ending = ending;
	}

	public Grant grant() {
		return this.grant;
	}

	/** How its holder gave it back; {@code null} if that never ended. */
	public @Nullable Ending ending() {
		return this.ending;
	}

	boolean isReleasing() {
		return this.releasing;
	}

	/** Whether its holder ever saw that it was held. */
	boolean isSeen() {
		return this.seen;
	}

	/** Whether both were held at one and the same moment, for certain. */
	boolean overlaps(Hold other) {
		return this.seen && other.seen && this.firstTo <= other.lastFrom && other.firstTo <= this.lastFrom;
	}

	/** Whether this was held at a moment before one at which the other was held. */
	boolean isSeenBefore(Hold other) {
		return this.firstTo < other.firstFrom;
	}

	/** Whether it was still held after that time. */
	boolean isHeldAfter(long time) {
		return this.seen && this.lastFrom > time;
	}

	long firstFrom() {
		return this.firstFrom;
	}

	long firstTo() {
		return this.firstTo;
	}

	long lastFrom() {
		return this.lastFrom;
	}

	/** When it was last known to be held; the grant's time if it never was. */
	public long lastKnown() {
		return this.seen ? this.lastTo : this.grant.granted();
	}

	@Override
	public String toString() {
		return this.grant.toString();
	}

	/**
	 * How a holder gave a lock back.
	 *
	 * @param began when it began to
	 * @param ended when it had
	 * @param outcome what the lock client said to it
	 */
	public record Ending(long began, long ended, String outcome) implements Serializable {

		/** The outcome of a release of a lock that was held until then. */
		public static final String RELEASED = "RELEASED";

	}

}
