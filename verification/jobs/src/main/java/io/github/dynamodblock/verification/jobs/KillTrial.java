/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.RegionalJobs;

/**
 * A node is killed while it runs a job with a key.
 */
final class KillTrial extends Trial {

	private static final String NORTH = RegionalJobs.NAME + ":north";

	private static final String SOUTH = RegionalJobs.NAME + ":south";

	private Instant up = Instant.MIN;

	private Instant killed = Instant.MIN;

	private KillTrial(Nodes nodes) {
		super(nodes);
	}

	static Trial of(Demo demo, String name, Library library) {
		return new KillTrial(new Nodes(demo, name, library, List.of(RegionalJobs.class)));
	}

	@Override
	void act() throws IOException, InterruptedException, DemoFailedException {
		this.up = nodes().start(NODES);
		nodes().await("both regions did not run", () -> history().running().count() == 2);
		Run run = awaitRunning(NORTH, nodes().names());
		this.killed = nodes().kill(run.node());
		awaitRerun(run);
		nodes().await("the next tick of both regions did not run",
				() -> history().running().filter((next) -> next.tick().isAfter(run.tick())).count() == 2);
		nodes().await("the next tick of both regions did not end", () -> history().running().findAny().isEmpty());
	}

	@Override
	String check(Checker checker) {
		List<Run> cut = history().runs().stream().filter((run) -> run.is(End.KILLED)).toList();
		cut.forEach(checker::checkRerun);
		checker.require(checker.reruns() == cut.size(), checker.reruns() + " reruns of " + cut.size() + " killed runs");
		Duration first = history().runs()
			.stream()
			.filter(Run::rerun)
			.map((run) -> Duration.between(this.killed, run.begin()))
			.min(Duration::compareTo)
			.orElse(Duration.ZERO);
		checker.require(first.compareTo(Nodes.LEASE.dividedBy(2)) > 0,
				"a rerun began " + Times.seconds(first) + " after the kill, within the lease");
		int ran = checker.checkTicks(NORTH, RegionalJobs.CRON, this.up, history().lastEnded(), false)
				+ checker.checkTicks(SOUTH, RegionalJobs.CRON, this.up, history().lastEnded(), false);
		return cut.size() + " runs were killed, and each was run again once by another node, the first after "
				+ Times.seconds(first) + "; " + ran + " ticks of two keys ran, 0 lost";
	}

}
