/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Taken;
import io.github.dynamodblock.verification.lockserver.Request.Action;
import org.jspecify.annotations.Nullable;

import org.springframework.util.MultiValueMap;

/**
 * Checks that no two clients held one lock at a time, and that nothing that was
 * acknowledged got lost. It uses what the clients were answered, and when, by the one
 * clock that all of them have, and not what the lock server says.
 */
final class LockChecker {

	/** The client that reads all locks when the others have ended. */
	static final String CLIENT = "checker";

	private LockChecker() {
	}

	/**
	 * Checks a run.
	 * @param calls all calls
	 * @param failures what clients had no proper answer to
	 * @param killed the instance that was killed, if the run was so long that it must
	 * have granted something before
	 * @return the verdict
	 */
	static Verdict check(List<Call> calls, List<String> failures, @Nullable String killed) {
		Replay replay = Replay.of(calls);
		MultiValueMap<Problem, String> problems = replay.problems();
		failures.forEach((failure) -> problems.add(Problem.ANSWER, failure));
		List<Hold> holds = byClients(replay.holds());
		addNothing(holds, calls, killed, problems);
		Map<String, List<Hold>> locks = holds.stream().collect(Collectors.groupingBy(Hold::lock));
		locks.values().forEach((ofOne) -> {
			addOverlaps(ofOne, problems);
			addBackwardTokens(ofOne, problems);
		});
		addNotFree(calls, locks, problems);
		addEndedEarly(calls, problems);
		addFreed(calls, locks, problems);
		return problems.isEmpty() ? passed(holds, calls, replay) : Verdict.failed(describe(problems));
	}

	private static Verdict passed(List<Hold> holds, List<Call> calls, Replay replay) {
		return Verdict.ok("two clients with one lock: 0, lost: 0; " + holds.size() + " grants, " + renewals(calls)
				+ " renewals, " + calls.stream().filter(Call::isLate).count() + " late copies, "
				+ takeovers(holds).size() + " takeovers after a lease, " + replay.tooLate()
				+ " renewals and releases after the client's own lease");
	}

	private static long renewals(List<Call> calls) {
		return calls.stream().filter((call) -> !call.isLate() && call.is(Action.RENEW, Answer.Granted.class)).count();
	}

	private static void addNothing(List<Hold> holds, List<Call> calls, @Nullable String killed,
			MultiValueMap<Problem, String> problems) {
		if (holds.isEmpty()) {
			problems.add(Problem.NOTHING, "no lock was granted");
		}
		if (killed != null && holds.stream().noneMatch((hold) -> hold.instance().equals(killed))) {
			problems.add(Problem.NOTHING, killed + ", which was killed, granted no lock");
		}
		if (killed != null && renewals(calls) == 0) {
			problems.add(Problem.NOTHING, "no lock was renewed");
		}
	}

	/**
	 * The holds of those who got a lock that its holder before had not released.
	 */
	static List<Hold> takeovers(List<Hold> holds) {
		List<Hold> takeovers = new ArrayList<>();
		holds.stream().collect(Collectors.groupingBy(Hold::lock)).values().forEach((ofOne) -> {
			for (int i = 1; i < ofOne.size(); i++) {
				if (!ofOne.get(i - 1).released()) {
					takeovers.add(ofOne.get(i));
				}
			}
		});
		return takeovers;
	}

	static List<Hold> byClients(List<Hold> holds) {
		return holds.stream().filter((hold) -> !hold.client().equals(CLIENT)).toList();
	}

	/** The holds come in the order of their beginnings. */
	private static void addOverlaps(List<Hold> holds, MultiValueMap<Problem, String> problems) {
		Hold longest = holds.get(0);
		for (Hold hold : holds) {
			long both = Math.min(longest.to(), hold.to()) - hold.from();
			if (both > 0 && !hold.client().equals(longest.client())) {
				problems.add(Problem.TWO_HOLDERS, String.format(Locale.ROOT, "%s and %s held %s for %.3f s", longest,
						hold, hold.lock(), both / 1e9));
			}
			longest = (hold.to() > longest.to()) ? hold : longest;
		}
	}

	/**
	 * Whoever asked after another one had been granted the lock has a greater token. Two
	 * who asked at the same time may have theirs in either order.
	 */
	private static void addBackwardTokens(List<Hold> holds, MultiValueMap<Problem, String> problems) {
		List<Hold> byToken = new ArrayList<>(holds);
		byToken.sort(Comparator.comparingLong(Hold::fencingToken));
		Hold latest = byToken.get(0);
		Hold before = byToken.get(0);
		for (Hold hold : byToken) {
			boolean shared = hold.fencingToken() == before.fencingToken() && !hold.client().equals(before.client());
			if (shared || hold.from() < latest.grant().asked()) {
				Hold other = shared ? before : latest;
				problems.add(Problem.FENCING_TOKEN, hold + " had " + hold.lock() + " before " + other);
			}
			latest = (hold.grant().asked() > latest.grant().asked()) ? hold : latest;
			before = hold;
		}
	}

	/**
	 * What the judge saw and tried after the clients had gone.
	 */
	private static void addNotFree(List<Call> calls, Map<String, List<Hold>> locks,
			MultiValueMap<Problem, String> problems) {
		for (Call call : calls) {
			if (!call.request().client().equals(CLIENT)) {
				continue;
			}
			String lock = call.request().lock();
			List<Hold> holds = locks.getOrDefault(lock, List.of());
			Hold last = holds.isEmpty() ? null : holds.get(holds.size() - 1);
			boolean over = (last == null || last.over() <= call.asked())
					&& !mayBeHeldUnnoticed(lock, calls, call.asked());
			if (over && call.answer() instanceof Taken) {
				problems.add(Problem.NOT_FREE, lock + " is shown as held after " + last);
			}
			else if (over && call.answer() instanceof Refused) {
				problems.add(Problem.NOT_FREE, lock + " is refused to others after " + last);
			}
		}
	}

	/**
	 * Within a hold, which is known by its fencing token, no answer has an earlier expiry
	 * than one that was there before its call was sent.
	 */
	private static void addEndedEarly(List<Call> calls, MultiValueMap<Problem, String> problems) {
		Map<List<Object>, List<Call>> holds = calls.stream()
			.filter((call) -> call.answer() instanceof Granted)
			.sorted(Comparator.comparingLong(Call::answered))
			.collect(Collectors.groupingBy((call) -> List.of(call.request().lock(), granted(call).fencingToken())));
		holds.values().forEach((ofOne) -> {
			for (Call call : ofOne) {
				ofOne.stream()
					.takeWhile((before) -> before.answered() < call.asked())
					.filter((before) -> granted(before).expiry() > granted(call).expiry())
					.findFirst()
					.ifPresent((before) -> problems.add(Problem.ENDED_EARLY, call.request() + " moved the end from "
							+ granted(before).expiry() + " to " + granted(call).expiry()));
			}
		});
	}

	private static Granted granted(Call call) {
		return (Granted) call.answer();
	}

	private static void addFreed(List<Call> calls, Map<String, List<Hold>> locks,
			MultiValueMap<Problem, String> problems) {
		calls.stream()
			.filter((call) -> call.isLate() && call.is(Action.RELEASE, Answer.Released.class))
			.forEach((call) -> locks.getOrDefault(call.request().lock(), List.of())
				.stream()
				.filter((hold) -> hold.from() <= call.asked() && call.answered() < hold.to())
				.forEach((hold) -> problems.add(Problem.FREED, call.request() + " freed the lock of " + hold)));
	}

	private static boolean mayBeHeldUnnoticed(String lock, List<Call> calls, long time) {
		return calls.stream()
			.anyMatch((call) -> call.mayAcquireUnnoticed() && call.request().lock().equals(lock) && call.asked() < time
					&& time < call.unnoticedOver());
	}

	private static String describe(MultiValueMap<Problem, String> problems) {
		return problems.entrySet().stream().map((entry) -> {
			List<String> what = entry.getValue();
			return entry.getKey() + ": " + what.size() + ", the first: " + what.get(0);
		}).collect(Collectors.joining("; "));
	}

}
