/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Set;

import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.demos.scheduledjobs.LockChecker.Kill;
import org.jspecify.annotations.Nullable;

/**
 * Prints what the nodes do at their locks. Not thread-safe.
 */
final class Timeline {

	private static final DateTimeFormatter TICK = DateTimeFormatter.ofPattern("HH:mm:ss")
		.withZone(ZoneId.systemDefault());

	/** The shortest wait that is printed. */
	private static final Duration NOTABLE = Duration.ofMillis(50);

	/** What the killed node was in the middle of and no node has taken over yet. */
	private final Set<String> orphans = new HashSet<>();

	private final Console console;

	private @Nullable Kill kill;

	Timeline(Console console) {
		this.console = console;
		console.beginTimeline("%-12s  %-6s  %-32s  %-14s  %-8s  %-7s  %s", "time", "node", "what", "key", "tick",
				"attempt", "fencing token");
	}

	void kill(Kill killed) {
		this.kill = killed;
	}

	/** Returns whether every lock of the killed node has another owner. */
	boolean isTakenOver() {
		return this.orphans.isEmpty();
	}

	void isUp(Event event, String details) {
		this.console.add(event.time(), event.node(), "is up (" + details + ")");
	}

	/** A node ended before this section. */
	void diesIn(Section section) {
		this.orphans.add(section.key());
		print(section.end(), section.node(), "DIES in the middle, after " + Times.seconds(section.duration()),
				section.key(), section.token(), section.tick(), section.attempt());
	}

	/**
	 * Prints an event at a lock.
	 * @param before the event before it of the same node at the same lock, if there is
	 * one
	 */
	void take(Event event, @Nullable Event before) {
		Instant since = (before != null) ? before.time() : event.time();
		String time = Times.seconds(since, event.time());
		boolean outbox = event.subject().equals(Job.OUTBOX.key());
		switch (event.what()) {
			case ObservedNode.GIVES_UP -> print(event, "gave up waiting after " + time);
			case ObservedNode.BEGINS -> {
				// One line is enough for a run of 20 ms.
				if (!outbox) {
					print(event, describeBegin(event, before));
				}
			}
			case ObservedNode.ENDS -> print(event, (outbox ? "ran in " : "ends after ") + time);
			case ObservedNode.STOPS -> print(event, "stops after " + time);
			case ObservedNode.MISSED -> print(event, "reports a missed tick");
			default -> {
				// A wait is printed when it is over.
			}
		}
	}

	private String describeBegin(Event event, @Nullable Event before) {
		if (this.orphans.remove(event.subject()) && this.kill != null) {
			return (Job.isJob(event.subject()) ? "RERUNS " : "TAKES OVER ")
					+ Times.seconds(this.kill.time(), event.time()) + " after the kill";
		}
		if (before != null && before.is(ObservedNode.WAITS)
				&& Duration.between(before.time(), event.time()).compareTo(NOTABLE) > 0) {
			return "begins, waited " + Times.seconds(before.time(), event.time());
		}
		return "begins";
	}

	private void print(Event event, String what) {
		print(event.time(), event.node(), what, event.subject(), event.token(), Section.tickOf(event), event.number(2));
	}

	private void print(Instant time, String node, String what, String key, long token, @Nullable Instant tick,
			long attempt) {
		this.console.add(time, node, what, key, (tick != null) ? TICK.format(tick) : "",
				(attempt != 0) ? Long.toString(attempt) : "", (token != 0) ? Long.toString(token) : "");
	}

}
