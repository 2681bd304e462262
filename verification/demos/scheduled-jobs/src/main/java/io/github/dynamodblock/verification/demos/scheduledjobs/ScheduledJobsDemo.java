/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.dynamodblock.samples.scheduledjob.ScheduledJobApplication;
import io.github.dynamodblock.verification.demos.scheduledjobs.LockChecker.Kill;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Verdict;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.PropertyResolver;

/**
 * Starts the nodes, kills one of them in the middle of its work, and awaits that the
 * others take over its locks and run its job again.
 */
public final class ScheduledJobsDemo {

	/** The first node's clock is that much behind, the last one's that much ahead. */
	static final Duration CLOCK_DIFFERENCE = Duration.ofMillis(250);

	private static final Duration HEARTBEAT = Duration.ofSeconds(1);

	/** Longer than the interval of the job. */
	private static final Duration FIRST_REPORT = Duration.ofSeconds(15);

	/** By then there were three long reports, in one of which a node is killed. */
	private static final Duration KILL_BEFORE = Duration.ofSeconds(50);

	/** Longer than the checker allows, so that a late takeover is found late. */
	private static final Duration TAKEOVER_TIME = Duration.ofSeconds(12);

	/** In each interval of the jobs is a time without a run. */
	private static final Duration QUIET_TIME = Duration.ofSeconds(15);

	/** How many problems of each kind are printed before the verdict. */
	private static final int MOST_PRINTED = 5;

	private static final Duration INDEFINITELY = Duration.ofDays(365);

	private final Activity activity = new Activity();

	private final Demo demo;

	private final Duration duration;

	private final int nodes;

	private final Timeline timeline;

	private @Nullable String nodeToKill;

	private @Nullable Kill kill;

	/** When all nodes were up: each later tick is to run. */
	private Instant up = Instant.MAX;

	/** The end of each tick until then is known. */
	private Instant quietAt = Instant.MIN;

	private ScheduledJobsDemo(Demo demo, int seconds, int nodes) {
		this.demo = demo;
		this.duration = Duration.ofSeconds(seconds);
		this.nodes = nodes;
		this.timeline = new Timeline(demo.console());
	}

	/**
	 * Runs the demo and exits this process.
	 * @param args {@code --duration=SECONDS}, {@code --nodes=NUMBER}, {@code --serve},
	 * {@code --without-lock}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, ScheduledJobsDemo::prepare);
	}

	static DemoRunner.Script prepare(PropertyResolver options) {
		int seconds = options.getProperty("duration", Integer.class, 40);
		int nodes = options.getProperty("nodes", Integer.class, 3);
		boolean locked = !options.containsProperty("without-lock");
		boolean serve = options.containsProperty("serve");
		return (demo) -> {
			String endpoint = demo.startDynamoDb();
			if (!serve) {
				ScheduledJobsDemo run = new ScheduledJobsDemo(demo, seconds, nodes);
				run.run(locked);
				demo.stopNodes();
				return run.verdict();
			}
			// Until the first node is up, there is no table; the page shows that.
			LoggingSystem.get(ScheduledJobsDemo.class.getClassLoader())
				.setLogLevel("io.github.dynamodblock", LogLevel.ERROR);
			try (LivePage page = LivePage.start(endpoint)) {
				demo.console().read(page::addRow);
				demo.console().say("Jobs and locks, live: " + page.address());
				ScheduledJobsDemo run = new ScheduledJobsDemo(demo, seconds, nodes);
				run.run(locked);
				return run.serve(page.address());
			}
		};
	}

	/** Returns when the demo is over, between two ticks. The nodes still run. */
	private void run(boolean locked) throws IOException, InterruptedException, DemoFailedException {
		this.demo.listen(this::take);
		for (int number = 1; number <= this.nodes; number++) {
			List<String> arguments = new ArrayList<>(ObservedNode.arguments(LockChecker.LEASE, HEARTBEAT));
			arguments.add("--" + ObservedNode.CLOCK_OFFSET + "=" + clockOffset(number).toMillis() + "ms");
			arguments.add("--dynamodb-lock.enabled=" + locked);
			this.demo.startNode("node-" + number, "96m", List.of(ScheduledJobApplication.class, ObservedNode.class),
					arguments.toArray(String[]::new));
		}
		this.demo.awaitNodes();
		this.up = Instant.now();
		if (locked) {
			proceed(this.up.plus(FIRST_REPORT), () -> this.activity.hasRun(Job.REPORT, this.up));
			killOneAndAwaitTakeovers();
		}
		proceed(this.up.plus(this.duration), () -> false);
		if (!this.demo.proceed(QUIET_TIME, this::isQuiet)) {
			// A tick was missed, which the checker reports.
			this.quietAt = Instant.now();
		}
	}

	private Duration clockOffset(int number) {
		return CLOCK_DIFFERENCE.multipliedBy(2L * (number - 1)).dividedBy(this.nodes - 1L).minus(CLOCK_DIFFERENCE);
	}

	/** Without a node to kill the demo goes on, and the checker reports that. */
	private void killOneAndAwaitTakeovers() throws IOException, InterruptedException, DemoFailedException {
		order(ObservedWork.LONG_REPORTS);
		proceed(this.up.plus(KILL_BEFORE), () -> {
			Instant now = Instant.now();
			this.nodeToKill = this.activity.isQuiet(List.of(Job.OUTBOX), now)
					? this.activity.nodeToKill(now).orElse(null) : null;
			return this.nodeToKill != null;
		});
		if (this.nodeToKill != null) {
			this.kill = new Kill(this.nodeToKill, this.demo.kill(this.nodeToKill));
			this.timeline.kill(this.kill);
			order(ObservedWork.SHORT_REPORTS);
			this.demo.proceed(TAKEOVER_TIME, this.timeline::isTakenOver);
		}
	}

	private void order(String order) throws IOException {
		for (String node : this.demo.nodes()) {
			this.demo.node(node).send(order);
		}
	}

	private boolean isQuiet() {
		Instant now = Instant.now();
		boolean quiet = this.activity.isQuiet(Job.ALL, now);
		this.quietAt = quiet ? now : this.quietAt;
		return quiet;
	}

	/** Serves until the user ends it. The verdict is of the time before. */
	private Verdict serve(String address) throws InterruptedException, DemoFailedException {
		Verdict verdict = verdict();
		this.demo.console().say(verdict.line());
		this.demo.console().say("The nodes keep running, and the page " + address + "; Ctrl-C stops all of them");
		try {
			this.demo.proceed(INDEFINITELY, () -> {
				this.activity.forget();
				return false;
			});
		}
		catch (InterruptedException ex) {
			// This is how the user ends it.
		}
		this.demo.stopNodes();
		return verdict;
	}

	private Verdict verdict() {
		List<Section> sections = this.activity.sections();
		Verdict locks = LockChecker.check(sections, this.kill, this.nodes, (int) this.duration.toSeconds());
		Verdict ticks = TickChecker.check(sections, this.activity.missed(), this.kill, this.up, this.quietAt);
		Stream.of(locks, ticks)
			.flatMap((part) -> part.violations().stream().limit(MOST_PRINTED))
			.forEach((problem) -> this.demo.console().say("PROBLEM " + problem));
		return locks.and(ticks, ", ");
	}

	private void proceed(Instant until, BooleanSupplier condition) throws InterruptedException, DemoFailedException {
		this.demo.proceed(Duration.between(Instant.now(), until), condition);
	}

	private void take(Event event) {
		switch (event.what()) {
			case Event.READY -> this.timeline.isUp(event, describe(event.node()));
			case Event.ENDED -> this.activity.nodeEnded(event.node(), event.time()).forEach(this.timeline::diesIn);
			default -> this.timeline.take(event, this.activity.add(event));
		}
	}

	private String describe(String node) {
		int number = Integer.parseInt(node.substring(node.indexOf('-') + 1));
		return String.format(Locale.ROOT, "process %d, clock %+.2f s", this.demo.node(node).pid(),
				clockOffset(number).toMillis() / 1000.0);
	}

}
