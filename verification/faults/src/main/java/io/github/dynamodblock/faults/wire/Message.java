/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.wire;

import java.io.Serializable;

import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.GuardedWrite;
import io.github.dynamodblock.faults.checker.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says to the coordinator. A {@link Question} has an answer.
 */
public sealed interface Message extends Serializable {

	/** Something that is only counted. */
	record Count(String what) implements Message {
	}

	/** A failure that no fault explains. */
	record Problem(String text) implements Message {
	}

	/** A lock was granted. */
	record Granted(Grant grant) implements Message {
	}

	/** The lock client said that the lock was held, when asked between these times. */
	record SeenHeld(String grant, long from, long to) implements Message {
	}

	/** The lock is about to be given back. */
	record Releasing(String grant) implements Message {
	}

	/** The lock was given back. */
	record Ended(String grant, long began, long ended, String outcome) implements Message {
	}

	/** The lock client told of a loss; the deadline is zero if it is not known. */
	record Lost(String grant, String reason, long told, long deadline) implements Message {
	}

	/** The holder saw by itself that the lock was lost. */
	record LossSeen(String grant, long at) implements Message {
	}

	/** An update of the guarded counter was sent. */
	record Guarded(GuardedWrite write) implements Message {
	}

	/** A message that is answered. */
	sealed interface Question extends Message {

	}

	/** The resource is to refuse older tokens. Answered by whether this one is none. */
	record Claim(int lock, long token) implements Question {
	}

	/** Answered by {@link Resource.Values}. */
	record Read(int lock) implements Question {
	}

	/**
	 * Both counters are written: the fenced one if there is a token, the other one if
	 * that is wanted. Answered by whether the former was accepted.
	 */
	record Increment(String grant, int lock, @Nullable Long token, boolean plain, Resource.Values read,
			boolean looked) implements Question {
	}

}
