/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;
import org.jspecify.annotations.Nullable;

/**
 * What one lock must be like, if its requests are sent one after the other and no lease
 * ends meanwhile.
 */
final class LockModel {

	/** How many calls with a key the service remembers for a hold. */
	private static final int KNOWN_KEYS = 8;

	private @Nullable String holder;

	private @Nullable Granted hold;

	private long latestToken;

	/** When the acquisition was sent from which the holder counts its lease. */
	private long acquiredMillis;

	private final Deque<String> keys = new ArrayDeque<>();

	@Nullable String holder() {
		return this.holder;
	}

	/** The fencing token of the hold, or of the last one. */
	long latestToken() {
		return this.latestToken;
	}

	/**
	 * Takes note of an answer.
	 * @param request what was asked for
	 * @param answer the answer
	 * @param sentMillis the time of day when it was sent
	 * @param answeredMillis the time of day when the answer was there
	 * @return what is wrong with the answer, or {@code null} if nothing is
	 */
	@Nullable String answered(Request request, Answer answer, long sentMillis, long answeredMillis) {
		String before = toString();
		String fault = switch (request.action()) {
			case ACQUIRE -> acquired(request, answer, sentMillis, answeredMillis);
			case RENEW -> renewed(request, answer);
			case RELEASE -> released(request, answer);
			case LOOK -> lookedAt(answer);
		};
		return (fault == null) ? null : fault + ": " + request + " of " + before + " got " + answer;
	}

	private @Nullable String acquired(Request request, Answer answer, long sentMillis, long answeredMillis) {
		boolean own = request.client().equals(this.holder);
		if (this.hold != null && !own) {
			return (answer instanceof Refused) ? null : "a lease ended early";
		}
		if (!(answer instanceof Granted granted)) {
			return "an acquisition was refused";
		}
		Granted before = this.hold;
		boolean known = before != null && isKnown(request);
		long latest = TimeUnit.MILLISECONDS.toSeconds(answeredMillis) + request.seconds();
		long earliest = TimeUnit.MILLISECONDS.toSeconds(sentMillis) + request.seconds();
		if (before != null) {
			latest = known ? before.expiry() : Math.max(latest, before.expiry());
			earliest = known ? before.expiry() : Math.max(earliest, before.expiry());
		}
		boolean rightToken = (before != null) ? granted.fencingToken() == before.fencingToken()
				: granted.fencingToken() > this.latestToken;
		if (before == null) {
			this.keys.clear();
		}
		if (!known) {
			remember(request);
		}
		this.holder = request.client();
		this.hold = granted;
		this.latestToken = granted.fencingToken();
		// Its client does not know the answer to a late copy, and counts as before.
		boolean counted = before != null && request.late();
		this.acquiredMillis = counted ? this.acquiredMillis : sentMillis;
		if (before != null && granted.expiry() < before.expiry()) {
			return "a lease ended early";
		}
		if (granted.expiry() < earliest || granted.expiry() > latest) {
			return "a wrong expiry";
		}
		if (!rightToken) {
			return "a wrong fencing token";
		}
		return isCountedBeyond(granted, sentMillis) ? "seconds beyond the expiry" : null;
	}

	private @Nullable String renewed(Request request, Answer answer) {
		Granted before = this.hold;
		if (before == null || !isFor(request)) {
			return (answer instanceof Refused) ? null : "another hold was renewed";
		}
		if (!(answer instanceof Granted granted)) {
			return "a renewal was refused";
		}
		long added = isKnown(request) ? 0 : request.seconds();
		if (added > 0) {
			remember(request);
		}
		this.hold = granted;
		if (granted.expiry() < before.expiry()) {
			return "a lease ended early";
		}
		if (granted.expiry() != before.expiry() + added || granted.fencingToken() != before.fencingToken()) {
			return "a wrong sum";
		}
		return isCountedBeyond(granted, this.acquiredMillis) ? "seconds beyond the expiry" : null;
	}

	private @Nullable String released(Request request, Answer answer) {
		if (this.hold != null && !isFor(request)) {
			return (answer instanceof Refused) ? null : "the next hold was freed";
		}
		this.hold = null;
		this.holder = null;
		return (answer instanceof Released) ? null : "a release was refused";
	}

	private @Nullable String lookedAt(Answer answer) {
		Answer expected = (this.hold == null) ? new Free() : new Taken(this.hold.expiry());
		return answer.equals(expected) ? null : "another state";
	}

	private boolean isFor(Request request) {
		return request.client().equals(this.holder)
				&& request.fencingToken() == Objects.requireNonNull(this.hold).fencingToken();
	}

	/** Whether a client that counts the seconds counts beyond the end of the lease. */
	private static boolean isCountedBeyond(Granted granted, long sentMillis) {
		return sentMillis + TimeUnit.SECONDS.toMillis(granted.seconds()) > TimeUnit.SECONDS
			.toMillis(granted.expiry() + 1);
	}

	private boolean isKnown(Request request) {
		return !request.idempotencyKey().isEmpty() && this.keys.contains(request.idempotencyKey());
	}

	private void remember(Request request) {
		this.keys.add(request.idempotencyKey());
		if (this.keys.size() > KNOWN_KEYS) {
			this.keys.remove();
		}
	}

	@Override
	public String toString() {
		return (this.hold == null) ? "a free lock" : "a lock held by " + this.holder + " (" + this.hold + ")";
	}

}
