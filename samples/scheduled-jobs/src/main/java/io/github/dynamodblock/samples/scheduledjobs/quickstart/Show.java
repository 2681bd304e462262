/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.dynamodblock.samples.scheduledjobs.Supervision;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event.What;
import io.github.dynamodblock.samples.support.Clock;
import io.github.dynamodblock.samples.support.RunFailedException;
import org.jspecify.annotations.Nullable;

/**
 * One run, from the start of the nodes to their end. Not thread-safe: everything happens
 * on the thread that calls {@link #play()}.
 */
final class Show {

	private static final Duration START_TIME = Duration.ofSeconds(90);

	private static final Duration LONG_REPORT_AFTER = Duration.ofSeconds(10);

	private static final Duration KILL_AFTER = Duration.ofSeconds(15);

	/** The long report takes 20 s, and the kill is to come well before its end. */
	private static final Duration KILL_BEFORE = Duration.ofSeconds(27);

	/** Longer than the rules allow, so that a late takeover is seen as late. */
	private static final Duration TAKEOVER_TIME = Duration.ofSeconds(12);

	private static final Duration STOP_TIME = Duration.ofSeconds(15);

	/** The shortest wait that is shown. */
	private static final Duration WORTH_A_WORD = Duration.ofMillis(50);

	private static final long REFRESH_MILLISECONDS = 50;

	private final Options options;

	private final Rules rules;

	private final Nodes nodes;

	private final Screen screen;

	private final Stage stage;

	private final History history = new History();

	private final Set<String> ready = new HashSet<>();

	/** What the killed node was in the middle of and nobody has taken over yet. */
	private final Map<String, Section> orphans = new HashMap<>();

	private @Nullable Kill kill;

	private boolean stopping;

	Show(Options options, Rules rules, Nodes nodes, Screen screen) {
		this.options = options;
		this.rules = rules;
		this.nodes = nodes;
		this.screen = screen;
		this.stage = new Stage(rules.job());
	}

	/**
	 * Runs the nodes and judges what they did.
	 * @throws InterruptedException if the thread is interrupted; nodes may still run
	 * @throws RunFailedException if something other than a lock went wrong
	 */
	Verdict play() throws IOException, InterruptedException, RunFailedException {
		this.screen.heading();
		startNodes();
		Instant start = Instant.now();
		runUntil(start.plus(LONG_REPORT_AFTER));
		this.nodes.order(Supervision.LONG_REPORT);
		runUntil(start.plus(KILL_AFTER));
		killOneAndAwaitTakeovers(start.plus(KILL_BEFORE));
		runUntil(start.plus(this.options.duration()));
		if (this.options.keepRunning()) {
			runUntilInterrupted();
		}
		stopNodes();
		return Verdict.of(this.history.sections(), this.kill, this.rules);
	}

	private void startNodes() throws IOException, InterruptedException, RunFailedException {
		for (int number = 1; number <= this.rules.nodes(); number++) {
			this.nodes.start("node-" + number);
		}
		if (!runUntil(Instant.now().plus(START_TIME), () -> this.ready.size() == this.rules.nodes())) {
			throw new RunFailedException("only " + this.ready + " of " + this.rules.nodes() + " nodes came up within "
					+ START_TIME.toSeconds() + " s; see the logs in " + this.options.logs());
		}
	}

	/**
	 * Without a node worth killing the run goes on, and the verdict says why it failed.
	 */
	private void killOneAndAwaitTakeovers(Instant until) throws InterruptedException, RunFailedException {
		Optional<String> node = runUntilPresent(until, () -> this.stage.nodeToKill(Instant.now()));
		if (node.isPresent()) {
			kill(node.get());
			runUntil(Instant.now().plus(TAKEOVER_TIME), this.orphans::isEmpty);
		}
	}

	private void kill(String node) throws InterruptedException, RunFailedException {
		long pid = this.nodes.pid(node);
		this.kill = new Kill(node, Instant.now());
		this.nodes.kill(node);
		this.screen.show(this.kill.time(), node, "is killed: kill -9 " + pid);
		if (!runUntil(Instant.now().plus(STOP_TIME), () -> !this.nodes.names().contains(node))) {
			throw new RunFailedException("process " + pid + " outlived kill -9");
		}
	}

	private void runUntilInterrupted() throws RunFailedException {
		this.screen.say("The nodes keep running, and DynamoDB Local at " + this.nodes.endpoint()
				+ "; Ctrl-C stops them and gives the verdict");
		try {
			runUntil(Instant.MAX);
		}
		catch (InterruptedException ex) {
			// That is how the user ends it.
		}
	}

	private void stopNodes() throws InterruptedException, RunFailedException {
		this.stopping = true;
		this.nodes.askToEnd();
		if (!runUntil(Instant.now().plus(STOP_TIME), () -> this.nodes.names().isEmpty())) {
			throw new RunFailedException(this.nodes.names() + " did not end within " + STOP_TIME.toSeconds()
					+ " s; see the logs in " + this.options.logs());
		}
	}

	private void runUntil(Instant until) throws InterruptedException, RunFailedException {
		runUntil(until, () -> false);
	}

	private boolean runUntil(Instant until, BooleanSupplier done) throws InterruptedException, RunFailedException {
		return runUntilPresent(until, () -> done.getAsBoolean() ? Optional.of(true) : Optional.empty()).isPresent();
	}

	/**
	 * Takes in what the nodes say, until a time or until there is what is looked for.
	 * @return what was looked for, or empty if the time came before it
	 */
	private <T> Optional<T> runUntilPresent(Instant until, Supplier<Optional<T>> sought)
			throws InterruptedException, RunFailedException {
		Optional<T> found = sought.get();
		while (found.isEmpty() && Instant.now().isBefore(until)) {
			News news = this.nodes.next(REFRESH_MILLISECONDS);
			if (news instanceof News.Written written) {
				take(Event.parse(written.line()));
			}
			else if (news instanceof News.Gone gone) {
				take(gone);
			}
			this.screen.refresh(Instant.now());
			found = sought.get();
		}
		return found;
	}

	private void take(Event event) {
		Event before = this.stage.add(event);
		this.history.add(event);
		if (event.what() == What.READY) {
			this.ready.add(event.node());
		}
		describe(event, before)
			.ifPresent((what) -> this.screen.show(event.time(), event.node(), what, event.key(), event.token()));
	}

	private Optional<String> describe(Event event, @Nullable Event before) {
		Duration since = (before != null) ? Duration.between(before.time(), event.time()) : Duration.ZERO;
		return switch (event.what()) {
			case READY -> Optional.of("is up (process " + this.nodes.pid(event.node()) + ")");
			case WAITS -> Optional.empty();
			case GOES_WITHOUT -> Optional.of("gave up waiting after " + Clock.seconds(since) + " s");
			case BEGINS -> Optional
				.of(describeBegin(event, (before != null && before.what() == What.WAITS) ? since : Duration.ZERO));
			case ENDS -> Optional.of("ends after " + Clock.seconds(since) + " s");
		};
	}

	private String describeBegin(Event event, Duration waited) {
		Section orphan = this.orphans.remove(event.key());
		if (orphan != null && this.kill != null) {
			return "TAKES OVER " + Clock.seconds(Duration.between(this.kill.time(), event.time()))
					+ " s after the kill";
		}
		return (waited.compareTo(WORTH_A_WORD) > 0) ? "begins, waited " + Clock.seconds(waited) + " s" : "begins";
	}

	private void take(News.Gone gone) throws RunFailedException {
		boolean killed = this.kill != null && this.kill.node().equals(gone.node());
		if (!killed && !this.stopping) {
			throw new RunFailedException(gone.node() + " ended by itself with status " + gone.status() + "; see "
					+ this.nodes.log(gone.node()));
		}
		this.nodes.remove(gone.node());
		this.stage.nodeEnded(gone.node());
		for (Section section : this.history.nodeEnded(gone.node(), gone.time())) {
			if (killed) {
				this.orphans.put(section.key(), section);
			}
			this.screen.show(
					gone.time(), gone.node(), "DIES in the middle, after "
							+ Clock.seconds(Duration.between(section.begin(), section.end())) + " s",
					section.key(), section.token());
		}
	}

}
