/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import io.github.dynamodblock.verification.lockserver.Answer.Granted;
import io.github.dynamodblock.verification.lockserver.Answer.Refused;
import io.github.dynamodblock.verification.lockserver.Answer.Released;
import io.github.dynamodblock.verification.lockserver.Request.Action;

/**
 * The figures that are printed before the verdict.
 */
final class Summary {

	private final History history;

	private final List<Call> calls;

	private final List<String> lateCopies;

	private final List<Hold> holds;

	Summary(History history) {
		this.history = history;
		List<Call> all = history.calls()
			.stream()
			.filter((call) -> !call.request().client().equals(LockChecker.CLIENT))
			.toList();
		this.holds = Replay.of(all).holds();
		this.calls = all.stream().filter((call) -> !call.isLate()).toList();
		this.lateCopies = all.stream().filter(Call::isLate).map(Call::instance).toList();
	}

	/**
	 * Counts for each instance what it answered.
	 * @param instances the instances' names
	 * @return the lines of a table
	 */
	List<String> table(List<String> instances) {
		List<String> lines = new ArrayList<>();
		lines.add(row("instance", "granted", "takeovers", "refused", "renewed", "released", "too late", "looked at",
				"unanswered", "unavailable", "repeated", "late copies"));
		List<String> takenOver = LockChecker.takeovers(this.holds).stream().map(Hold::instance).toList();
		for (String name : instances) {
			List<Call> own = this.calls.stream().filter((call) -> call.instance().equals(name)).toList();
			lines.add(row(name, count(own, Action.ACQUIRE, Granted.class), Collections.frequency(takenOver, name),
					count(own, Action.ACQUIRE, Refused.class), count(own, Action.RENEW, Granted.class),
					count(own, Action.RELEASE, Released.class), own.stream().filter(Summary::isTooLate).count(),
					own.stream().filter((call) -> call.is(Action.LOOK)).count(),
					Collections.frequency(this.history.unanswered(), name),
					Collections.frequency(this.history.unavailable(), name),
					own.stream().filter((call) -> call.sendings() > 1).count(),
					Collections.frequency(this.lateCopies, name)));
		}
		return lines;
	}

	/** A release that was sent again is refused if the first one was carried out. */
	private static boolean isTooLate(Call call) {
		return call.is(Action.RENEW, Refused.class) || (call.is(Action.RELEASE, Refused.class) && call.sendings() == 1);
	}

	private static long count(List<Call> calls, Action action, Class<? extends Answer> answer) {
		return calls.stream().filter((call) -> call.is(action, answer)).count();
	}

	private static String row(Object instance, Object... cells) {
		StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-10s", instance));
		for (Object cell : cells) {
			row.append(String.format(Locale.ROOT, "  %11s", cell));
		}
		return row.toString();
	}

	/**
	 * Says what became of the locks that the killed instance had granted.
	 */
	String afterKill(Kill kill) {
		List<Hold> orphans = this.holds.stream()
			.filter((hold) -> hold.instance().equals(kill.instance()) && hold.isHeldAt(kill.time()))
			.toList();
		long renewed = orphans.stream().filter((hold) -> isRenewedAfter(kill.time(), hold)).count();
		long left = orphans.stream().filter((hold) -> hold.until() == Long.MAX_VALUE).count();
		return kill.instance() + " had granted " + orphans.size() + " of the locks that were held when it was killed: "
				+ renewed + " were renewed by another instance, " + left + " left by clients that died, "
				+ (orphans.size() - renewed - left) + " released";
	}

	private boolean isRenewedAfter(long time, Hold hold) {
		return this.calls.stream()
			.anyMatch((call) -> call.is(Action.RENEW, Granted.class) && call.answered() > time
					&& call.request().client().equals(hold.client()) && call.asked() <= hold.until()
					&& call.request().lock().equals(hold.lock()) && !call.instance().equals(hold.instance()));
	}

	/** Says how much was done in a time. */
	String cycles(Duration time) {
		long cycles = this.holds.stream().filter(Hold::released).count();
		double seconds = time.toNanos() / 1e9;
		return String.format(Locale.ROOT, "%d locks were acquired and released in %.1f s, %.0f a second; %d requests",
				cycles, seconds, cycles / seconds, this.calls.size() + this.lateCopies.size());
	}

}
