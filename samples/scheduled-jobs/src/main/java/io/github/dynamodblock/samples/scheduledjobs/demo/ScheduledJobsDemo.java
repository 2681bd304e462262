/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.github.dynamodblock.samples.demo.CommandLine;
import io.github.dynamodblock.samples.demo.Demo;
import io.github.dynamodblock.samples.demo.DemoFailedException;
import io.github.dynamodblock.samples.demo.DemoRunner;
import io.github.dynamodblock.samples.demo.Event;
import io.github.dynamodblock.samples.demo.Times;
import io.github.dynamodblock.samples.demo.Verdict;
import io.github.dynamodblock.samples.scheduledjobs.ScheduledJobsApplication;
import io.github.dynamodblock.samples.scheduledjobs.demo.LockChecker.Kill;
import org.jspecify.annotations.Nullable;

/**
 * Starts the nodes, kills one of them in the middle of its work, and awaits that the
 * others take over its locks.
 */
public final class ScheduledJobsDemo {

	static final int SHORTEST_SECONDS = 30;

	private static final Duration LONG_REPORT_AFTER = Duration.ofSeconds(10);

	private static final Duration KILL_AFTER = Duration.ofSeconds(15);

	/** The long report takes 20 s, and the kill is to come well before its end. */
	private static final Duration KILL_BEFORE = Duration.ofSeconds(27);

	/** Longer than the checker allows, so that a late takeover is found late. */
	private static final Duration TAKEOVER_TIME = Duration.ofSeconds(12);

	private static final Duration INDEFINITELY = Duration.ofDays(365);

	/** The shortest wait that is printed. */
	private static final Duration NOTABLE = Duration.ofMillis(50);

	private final Activity activity = new Activity();

	/** What the killed node was in the middle of and no node has taken over yet. */
	private final Set<String> orphans = new HashSet<>();

	private final Demo demo;

	private final Duration duration;

	private @Nullable String nodeToKill;

	private @Nullable Kill kill;

	private ScheduledJobsDemo(Demo demo, int seconds) {
		this.demo = demo;
		this.duration = Duration.ofSeconds(seconds);
	}

	/**
	 * Runs the demo and exits this process.
	 * @param args {@code --duration SECONDS}, {@code --nodes NUMBER},
	 * {@code --keep-running}, {@code --logs FOLDER}
	 */
	public static void main(String[] args) {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, ScheduledJobsDemo::prepare);
	}

	static DemoRunner.Script prepare(CommandLine options) {
		int seconds = options.number("--duration", 40, SHORTEST_SECONDS, 86400);
		int nodes = options.number("--nodes", 3, 2, 9);
		boolean keepRunning = options.flag("--keep-running");
		return (demo) -> new ScheduledJobsDemo(demo, seconds).run(nodes, keepRunning);
	}

	private Verdict run(int nodes, boolean keepRunning) throws IOException, InterruptedException, DemoFailedException {
		String endpoint = this.demo.startDynamoDb();
		this.demo.console()
			.beginTimeline("%-12s  %-6s  %-32s  %-14s  %s", "time", "node", "what", "key", "fencing token");
		this.demo.listen(this::take);
		for (int number = 1; number <= nodes; number++) {
			this.demo.startNode("node-" + number, "96m", List.of(ScheduledJobsApplication.class, ObservedNode.class));
		}
		this.demo.awaitNodes();
		Instant start = Instant.now();
		proceed(start.plus(LONG_REPORT_AFTER), () -> false);
		for (String node : this.demo.nodes()) {
			this.demo.node(node).send(ObservedBackOffice.LONG_REPORT);
		}
		proceed(start.plus(KILL_AFTER), () -> false);
		killOneAndAwaitTakeovers(start.plus(KILL_BEFORE));
		proceed(start.plus(this.duration), () -> false);
		if (keepRunning) {
			proceedUntilInterrupted(endpoint);
		}
		this.demo.stopNodes();
		return LockChecker.check(this.activity.sections(), this.kill, nodes, (int) this.duration.toSeconds());
	}

	/** Without a node to kill the demo goes on, and the checker reports that. */
	private void killOneAndAwaitTakeovers(Instant until) throws InterruptedException, DemoFailedException {
		proceed(until, () -> {
			this.nodeToKill = this.activity.nodeToKill(Instant.now()).orElse(null);
			return this.nodeToKill != null;
		});
		if (this.nodeToKill != null) {
			this.kill = new Kill(this.nodeToKill, this.demo.kill(this.nodeToKill));
			this.demo.proceed(TAKEOVER_TIME, this.orphans::isEmpty);
		}
	}

	private void proceedUntilInterrupted(String endpoint) throws DemoFailedException {
		this.demo.console()
			.say("The nodes keep running, and DynamoDB Local at " + endpoint
					+ "; Ctrl-C stops them and prints the verdict");
		try {
			this.demo.proceed(INDEFINITELY, () -> false);
		}
		catch (InterruptedException ex) {
			// This is how the user ends it.
		}
	}

	private void proceed(Instant until, BooleanSupplier condition) throws InterruptedException, DemoFailedException {
		this.demo.proceed(Duration.between(Instant.now(), until), condition);
	}

	private void take(Event event) {
		switch (event.what()) {
			case Event.READY -> print(event, "is up (process " + this.demo.node(event.node()).pid() + ")");
			case Event.ENDED -> this.activity.nodeEnded(event.node(), event.time()).forEach(this::takeDeath);
			default -> takeActivity(event);
		}
	}

	private void takeDeath(Section section) {
		this.orphans.add(section.key());
		this.demo.console()
			.add(section.end(), section.node(),
					"DIES in the middle, after " + Times.seconds(section.begin(), section.end()), section.key(),
					section.token());
	}

	private void takeActivity(Event event) {
		Event before = this.activity.add(event);
		Instant since = (before != null) ? before.time() : event.time();
		switch (event.what()) {
			case ObservedNode.GIVES_UP -> print(event, "gave up waiting after " + Times.seconds(since, event.time()));
			case ObservedNode.BEGINS -> print(event, describeBegin(event, before));
			case ObservedNode.ENDS -> print(event, "ends after " + Times.seconds(since, event.time()));
			default -> {
				// A wait is printed when it is over.
			}
		}
	}

	private String describeBegin(Event event, @Nullable Event before) {
		if (this.orphans.remove(event.subject()) && this.kill != null) {
			return "TAKES OVER " + Times.seconds(this.kill.time(), event.time()) + " after the kill";
		}
		if (before != null && before.is(ObservedNode.WAITS)
				&& Duration.between(before.time(), event.time()).compareTo(NOTABLE) > 0) {
			return "begins, waited " + Times.seconds(before.time(), event.time());
		}
		return "begins";
	}

	private void print(Event event, String what) {
		this.demo.console()
			.add(event.time(), event.node(), what, event.subject(), (event.token() != 0) ? event.token() : "");
	}

}
