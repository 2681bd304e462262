/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.jobs.node.RefreshOrders;
import io.github.dynamodblock.verification.jobs.node.RefreshedJob;
import io.github.dynamodblock.verification.jobs.node.TrialNode;

/**
 * The cron expression of a job in Spring Cloud's refresh scope changes. One node after
 * another is refreshed, each while it runs the job.
 */
final class RefreshTrial extends Trial {

	private static final String OLD = "0/5 * * * * *";

	/** Has no tick in common with the old one, and none while a run of it lasts. */
	private static final String NEW = "2/5 * * * * *";

	private static final int TICKS = 3;

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	private final Path properties;

	private final List<Run> refreshedRuns = new ArrayList<>();

	private Instant up = Instant.MIN;

	private Instant changed = Instant.MIN;

	private Instant refreshed = Instant.MIN;

	private RefreshTrial(Nodes nodes, Path properties) {
		super(nodes);
		this.properties = properties;
	}

	static Trial of(Demo demo, Path logs, String name, Library library) {
		Path properties = logs.resolve(name + ".properties");
		return new RefreshTrial(new Nodes(demo, name, library, List.of(RefreshedJob.class, RefreshOrders.class),
				"--spring.config.additional-location=file:" + properties, "--spring.cloud.refresh.enabled=true"),
				properties);
	}

	@Override
	void act() throws IOException, InterruptedException, DemoFailedException {
		write(OLD);
		this.up = nodes().start(NODES);
		awaitEnded(TICKS, this.up);
		this.changed = Instant.now();
		write(NEW);
		List<String> old = new ArrayList<>(nodes().names());
		while (!old.isEmpty()) {
			Run run = awaitRunning(RefreshedJob.NAME, old);
			this.refreshedRuns.add(run);
			nodes().order(run.node(), "refresh");
			nodes().await(run.node() + " was not refreshed",
					() -> history().of(TrialNode.REFRESHED).anyMatch((event) -> event.node().equals(run.node())));
			old.remove(run.node());
		}
		nodes().await("a run did not end", () -> history().running().findAny().isEmpty());
		// Then no tick waits for a run of before.
		this.refreshed = Instant.now().plus(INTERVAL);
		awaitEnded(TICKS, this.refreshed);
	}

	private void write(String cron) throws IOException {
		Files.writeString(this.properties, "trial.cron=" + cron + "\n");
	}

	@Override
	void checkAlways(Checker checker) {
		for (Run run : history().runs()) {
			checker.require(destroyed(run).noneMatch((event) -> event.time().isBefore(run.begin())),
					"a destroyed bean was called: " + run);
		}
	}

	@Override
	String check(Checker checker) {
		for (Run begun : this.refreshedRuns) {
			Run run = history().now(begun);
			checker.require(run.is(Run.End.ENDED), "a refresh cut a run short: " + run);
			checker.require(destroyed(run).anyMatch((event) -> run.covers(event.time())),
					"the bean was not destroyed during its run: " + run);
		}
		int before = checker.checkTicks(RefreshedJob.NAME, OLD, this.up, this.changed, false);
		int after = checker.checkTicks(RefreshedJob.NAME, NEW, this.refreshed, history().lastEnded(), false);
		checker.require(checker.reruns() == 0, "a tick was run again");
		return this.refreshedRuns.size() + " nodes were refreshed during a run; " + before
				+ " ticks before the change and " + after + " after it ran once each, 0 lost, 0 by a destroyed bean";
	}

	private Stream<Event> destroyed(Run run) {
		return history().of(TrialNode.DESTROYED)
			.filter((event) -> event.node().equals(run.node()) && event.number(0) == run.bean());
	}

}
