/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.dynamodblock.verification.lockserver.Answer.Free;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Missing;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;

import org.springframework.util.CollectionUtils;
import org.springframework.util.MultiValueMap;

/**
 * Plays the calls of each client again: what it held, and whether it was told by the
 * service what it had to be told. A client holds one lock at a time.
 */
final class Replay {

	private final MultiValueMap<Problem, String> problems = CollectionUtils
		.toMultiValueMap(new EnumMap<>(Problem.class));

	private final List<Hold> ended = new ArrayList<>();

	private final Map<String, Hold> current = new HashMap<>();

	/** Late copies of acquisitions, by client and lock. */
	private final Map<List<String>, List<Call>> lateAcquisitions;

	/** With the refusal of its release, which was sent more than once. */
	private final Map<Hold, Call> repeatedlyReleased = new HashMap<>();

	private int tooLate;

	private Replay(List<Call> calls) {
		this.lateAcquisitions = calls.stream()
			.filter((call) -> call.isLate() && call.is(Request.Action.ACQUIRE))
			.collect(Collectors.groupingBy(Replay::clientAndLock));
	}

	private static List<String> clientAndLock(Call call) {
		return List.of(call.request().client(), call.request().lock());
	}

	/**
	 * Plays calls.
	 * @param calls the calls, in any order
	 */
	static Replay of(List<Call> calls) {
		Replay replay = new Replay(calls);
		calls.stream()
			.filter((call) -> !call.isLate())
			.sorted(Comparator.comparingLong(Call::asked))
			.forEach(replay::play);
		replay.checkRepeatedReleases(calls);
		return replay;
	}

	/** All holds, in the order in which they were granted. */
	List<Hold> holds() {
		List<Hold> holds = new ArrayList<>(this.ended);
		holds.addAll(this.current.values());
		holds.sort(Comparator.comparingLong(Hold::from));
		return holds;
	}

	/** What is wrong; the checker adds what it finds. */
	MultiValueMap<Problem, String> problems() {
		return this.problems;
	}

	/** How many renewals and releases came after the client's lease. */
	int tooLate() {
		return this.tooLate;
	}

	private void play(Call call) {
		if (call.answer() instanceof Missing) {
			return;
		}
		if (call.is(Request.Action.ACQUIRE)) {
			if (call.answer() instanceof Granted granted) {
				end(call);
				playGrant(call, Hold.of(call, granted));
			}
			return;
		}
		Hold hold = this.current.get(call.request().client());
		if (hold == null || !hold.lock().equals(call.request().lock())) {
			return;
		}
		switch (call.request().action()) {
			case RENEW -> playRenewal(call, hold);
			case RELEASE -> playRelease(call, hold);
			case LOOK -> playLook(call, hold);
			default -> throw new IllegalStateException(call.toString());
		}
	}

	private void playGrant(Call call, Hold hold) {
		// The first of several sendings may have been carried out a while before the
		// last.
		boolean less = call.sendings() > 1 && !call.request().idempotencyKey().isEmpty();
		long difference = hold.granted().seconds() - call.request().seconds();
		if ((difference < 0 && !less) || (difference > 0 && lateAcquisitions(call).isEmpty())) {
			this.problems.add(Problem.SUM, hold + " asked for " + call.request().seconds() + " s of " + hold.lock()
					+ " and got " + hold.granted());
		}
		this.current.put(hold.client(), hold);
	}

	private void playRenewal(Call call, Hold hold) {
		if (call.answer() instanceof Granted granted) {
			String key = call.request().idempotencyKey();
			long added = key.equals(hold.latestKey()) ? 0 : call.request().seconds();
			Granted expected = new Granted(hold.granted().seconds() + added, hold.granted().expiry() + added,
					hold.fencingToken());
			if (!granted.equals(expected) && !isLengthened(call, hold, granted, expected)) {
				this.problems.add(Problem.SUM,
						hold + " renewed " + hold.lock() + " and got " + granted + ", not " + expected);
			}
			this.current.put(hold.client(), hold.renewed(call, granted));
		}
		else {
			refused(call, hold);
			end(call);
		}
	}

	/**
	 * A late copy of an acquisition lengthens the lease of the hold, unless it has the
	 * key with which the hold was acquired. In any case, the service counts the sum from
	 * it.
	 */
	private boolean isLengthened(Call call, Hold hold, Granted granted, Granted expected) {
		return !lateAcquisitions(call).isEmpty() && granted.fencingToken() == expected.fencingToken()
				&& (granted.expiry() == expected.expiry()
						|| (granted.expiry() > expected.expiry() && mayBeLengthened(call, hold)));
	}

	private boolean mayBeLengthened(Call call, Hold hold) {
		String key = hold.grant().request().idempotencyKey();
		return lateAcquisitions(call).stream()
			.anyMatch((late) -> key.isEmpty() || !late.request().idempotencyKey().equals(key));
	}

	private List<Call> lateAcquisitions(Call call) {
		return this.lateAcquisitions.getOrDefault(clientAndLock(call), List.of())
			.stream()
			.filter((late) -> late.asked() < call.answered())
			.toList();
	}

	private void playRelease(Call call, Hold hold) {
		if (call.answer() instanceof Released) {
			this.current.remove(hold.client());
			this.ended.add(hold.ended(call.asked(), true));
		}
		else if (call.sendings() > 1) {
			this.current.remove(hold.client());
			this.repeatedlyReleased.put(hold, call);
		}
		else {
			refused(call, hold);
			end(call);
		}
	}

	/**
	 * What was sent twice may be refused since the first was carried out and somebody
	 * else came after it. If nobody came, the lock was lost.
	 */
	private void checkRepeatedReleases(List<Call> calls) {
		this.repeatedlyReleased.forEach((hold, release) -> {
			boolean confirmed = calls.stream().anyMatch((call) -> mayHaveComeAfter(release, call));
			if (!confirmed) {
				refused(release, hold);
			}
			this.ended.add(hold.ended(release.asked(), confirmed));
		});
	}

	/** Whether somebody else may have got the lock when it was released. */
	private static boolean mayHaveComeAfter(Call release, Call call) {
		boolean acquired = call.is(Request.Action.ACQUIRE, Granted.class) || call.mayAcquireUnnoticed();
		return acquired && call.request().lock().equals(release.request().lock())
				&& (call.isLate() || !call.request().client().equals(release.request().client()))
				&& call.asked() < release.answered() && call.answered() > release.asked();
	}

	private void playLook(Call call, Hold hold) {
		boolean own = call.answer() instanceof Taken taken && (taken.expiry() == hold.granted().expiry()
				|| (taken.expiry() > hold.granted().expiry() && mayBeLengthened(call, hold)));
		if (!own && isWithinLease(call, hold)) {
			this.problems.add(Problem.LOST, hold + " looked at " + hold.lock() + " and saw "
					+ ((call.answer() instanceof Free) ? "it free" : "another lease"));
		}
	}

	private void refused(Call call, Hold hold) {
		if (!(call.answer() instanceof Refused) || isWithinLease(call, hold)) {
			this.problems.add(Problem.LOST, call.instance() + " refused to " + call.request().action().path() + " "
					+ hold.lock() + " of " + hold);
		}
		else {
			this.tooLate++;
		}
	}

	private static boolean isWithinLease(Call call, Hold hold) {
		return call.answered() < hold.leaseEnd();
	}

	/** The client goes on without the lock. */
	private void end(Call call) {
		Hold hold = this.current.remove(call.request().client());
		if (hold != null) {
			this.ended.add(hold.ended(call.asked(), false));
		}
	}

}
