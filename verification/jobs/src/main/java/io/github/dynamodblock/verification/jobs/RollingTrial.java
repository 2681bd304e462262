/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.RollingJob;
import io.github.dynamodblock.verification.jobs.node.TrialNode;

/**
 * A rolling deployment: each node is stopped while it is in a long run, and a new one
 * starts. The nodes wait for their runs.
 */
final class RollingTrial extends Trial {

	private static final int TICKS = 2;

	private final List<Run> last = new ArrayList<>();

	private final List<Instant> signals = new ArrayList<>();

	private Instant up = Instant.MIN;

	private RollingTrial(Nodes nodes) {
		super(nodes);
	}

	static Trial of(Demo demo, String name, Library library) {
		// After the phase, the scheduler interrupts its threads, or awaits them with that
		// property.
		return new RollingTrial(new Nodes(demo, name, library, List.of(RollingJob.class),
				"--spring.lifecycle.timeout-per-shutdown-phase=1s",
				"--spring.task.scheduling.shutdown.await-termination=true",
				"--spring.task.scheduling.shutdown.await-termination-period=15s"));
	}

	@Override
	void act() throws IOException, InterruptedException, DemoFailedException {
		this.up = nodes().start(NODES);
		List<String> old = new ArrayList<>(nodes().names());
		while (!old.isEmpty()) {
			Run run = nodes().awaitValue("no node of " + old + " was in a long run", () -> longRun(old));
			this.last.add(run);
			this.signals.add(nodes().terminate(run.node()));
			nodes().start();
			nodes().awaitEnd(run.node());
			old.remove(run.node());
		}
		nodes().awaitNodes();
		awaitEnded(TICKS, Instant.now());
	}

	private Optional<Run> longRun(List<String> nodes) {
		return running(RollingJob.NAME, nodes).filter((run) -> RollingJob.isLong(run.tick().toEpochMilli()));
	}

	@Override
	String check(Checker checker) {
		for (int i = 0; i < this.last.size(); i++) {
			Run run = history().now(this.last.get(i));
			checker.require(run.is(End.ENDED) && run.covers(this.signals.get(i)),
					"a run did not end by itself after SIGTERM: " + run);
		}
		int ran = checker.checkTicks(RollingJob.NAME, RollingJob.CRON, this.up, history().lastEnded(), true);
		checker.require(checker.reruns() == 0, "a tick was run again");
		return this.last.size() + " nodes were stopped in a long run, which ended by itself; " + ran
				+ " ticks ran once each, 0 lost, " + history().ticks(TrialNode.MISSED).size()
				+ " reported as missed, which were due during a long run";
	}

}
