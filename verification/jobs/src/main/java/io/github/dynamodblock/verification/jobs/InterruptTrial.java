/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.InterruptedJob;

/**
 * Two nodes, one after another, are stopped while they run a job, and interrupt it.
 */
final class InterruptTrial extends Trial {

	private static final int STOPPED = 2;

	private final List<Run> cut = new ArrayList<>();

	private InterruptTrial(Nodes nodes) {
		super(nodes);
	}

	static Trial of(Demo demo, String name, Library library) {
		return new InterruptTrial(new Nodes(demo, name, library, List.of(InterruptedJob.class),
				"--spring.lifecycle.timeout-per-shutdown-phase=1s",
				"--spring.task.scheduling.shutdown.await-termination=false"));
	}

	@Override
	void act() throws IOException, InterruptedException, DemoFailedException {
		nodes().start(NODES);
		for (int i = 0; i < STOPPED; i++) {
			Run run = awaitRunning(InterruptedJob.NAME, nodes().names());
			nodes().terminate(run.node());
			this.cut.add(run);
			nodes().awaitEnd(run.node());
			nodes().start();
			awaitRerun(run);
		}
		// A second rerun would begin after a lease.
		nodes().pass(Nodes.LEASE.plus(Nodes.HEARTBEAT));
	}

	@Override
	String check(Checker checker) {
		for (Run begun : this.cut) {
			Run run = history().now(begun);
			checker.require(run.is(End.INTERRUPTED), "was not interrupted by its node: " + run);
			checker.checkRerun(run);
		}
		checker.require(checker.reruns() == this.cut.size(),
				checker.reruns() + " reruns of " + this.cut.size() + " interrupted runs");
		return this.cut.size() + " runs were interrupted, and each was run again once by another node, as attempt 1";
	}

}
