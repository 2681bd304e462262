/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.faults.checker.Finding;
import io.github.dynamodblock.faults.checker.Grant;
import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.checker.Checker;
import io.github.dynamodblock.faults.checker.Rule;
import io.github.dynamodblock.faults.checker.Timings;
import io.github.dynamodblock.faults.nemesis.FaultKind;
import io.github.dynamodblock.faults.nemesis.Nemesis;
import io.github.dynamodblock.faults.report.RunResult;
import io.github.dynamodblock.faults.worker.LockKeys;
import io.github.dynamodblock.verification.harness.DemoFailedException;

/**
 * One run, from start to end.
 */
final class Run {

	private static final Duration START_LIMIT = Duration.ofMinutes(5);

	/** Longer than the longest lease, use and wait together, on a slow machine. */
	private static final Duration SETTLING_LIMIT = Duration.ofMinutes(3);

	/** After this, even a write that was applied late has run out. */
	private static final Duration FREE_LIMIT = Duration.ofSeconds(30);

	private static final long LOOK_MILLIS = 100;

	private final RunSettings settings;

	private final History history = new History();

	private final Set<Integer> stuckNodes = new HashSet<>();

	private final Set<Integer> stuckLocks = new HashSet<>();

	private final Set<Rule> expected;

	private Run(RunSettings settings, Set<Rule> expected) {
		this.settings = settings;
		this.expected = expected;
	}

	/**
	 * Runs, checks and cleans up.
	 * @param settings what the run is like
	 * @return what came out
	 * @throws IOException if a process cannot be started, or not all nodes start working
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 * @throws DemoFailedException if DynamoDB Local does not come up
	 */
	static RunResult of(RunSettings settings) throws IOException, InterruptedException, DemoFailedException {
		return new Run(settings, Set.of()).run();
	}

	/**
	 * Runs until enough was violated, or until the time is over.
	 * @param settings what the run is like
	 * @param expected the rules that are to be violated
	 * @return what came out
	 * @throws IOException if a process cannot be started, or not all nodes are at work
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 * @throws DemoFailedException if DynamoDB Local does not come up
	 */
	static RunResult until(RunSettings settings, Set<Rule> expected)
			throws IOException, InterruptedException, DemoFailedException {
		return new Run(settings, expected).run();
	}

	private boolean isCaught(Cluster cluster) {
		if (this.expected.isEmpty()) {
			return false;
		}
		cluster.readGuardedCounters();
		return Checker.check(this.history)
			.stream()
			.filter(Finding::isViolation)
			.map(Finding::rule)
			.collect(Collectors.toSet())
			.containsAll(this.expected);
	}

	private RunResult run() throws IOException, InterruptedException, DemoFailedException {
		double load = load();
		String commit = commit();
		try (Cluster cluster = Cluster.start(this.settings, this.history)) {
			if (!awaitProgress(START_LIMIT)) {
				throw new IOException("Not all nodes were at work after " + START_LIMIT.toSeconds()
						+ " s; see the logs in " + this.settings.directory());
			}
			Nemesis nemesis = new Nemesis(cluster, this.settings.faults(), this.settings.meanPause(),
					this.settings.seed());
			long began = System.nanoTime();
			nemesis.run(this.settings.duration(), () -> isCaught(cluster));
			long settling = System.nanoTime();
			nemesis.failures().forEach((failure) -> this.history.found(Rule.WORKER, "nemesis: " + failure));
			checkProgress();
			long settled = System.nanoTime();
			cluster.stopWorkers();
			cluster.readGuardedCounters();
			if (!this.settings.isProof()) {
				checkFree(cluster);
			}
			return new RunResult(this.history, Checker.check(this.history), Timings.of(this.history), nemesis.faults(),
					counts(nemesis, cluster), cluster.meter(), new Interval(began, settling), settled - settling,
					List.of(load, load()), commit);
		}
	}

	private static Map<FaultKind, Integer> counts(Nemesis nemesis, Cluster cluster) {
		Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
		nemesis.faults().forEach((fault) -> counts.merge(fault.kind(), 1, Integer::sum));
		counts.putAll(cluster.clocks());
		return counts;
	}

	/** Every lock must be had, and every node must have one, from now on. */
	private void checkProgress() throws InterruptedException {
		if (!awaitProgress(SETTLING_LIMIT)) {
			String limit = " within " + SETTLING_LIMIT.toSeconds() + " s after the faults";
			this.stuckLocks
				.forEach((lock) -> this.history.found(Rule.PROGRESS, "lock " + lock + " was not acquired" + limit));
			this.stuckNodes
				.forEach((node) -> this.history.found(Rule.PROGRESS, "node " + node + " acquired nothing" + limit));
		}
	}

	private boolean awaitProgress(Duration limit) throws InterruptedException {
		long from = System.nanoTime();
		do {
			TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
			lookForProgress(from);
		}
		while ((!this.stuckNodes.isEmpty() || !this.stuckLocks.isEmpty())
				&& System.nanoTime() - from < limit.toNanos());
		return this.stuckNodes.isEmpty() && this.stuckLocks.isEmpty();
	}

	private void lookForProgress(long from) {
		this.stuckNodes.clear();
		this.stuckLocks.clear();
		for (int node = 0; node < RunSettings.NODES; node++) {
			this.stuckNodes.add(node);
		}
		for (int lock = 0; lock < RunSettings.LOCKS; lock++) {
			this.stuckLocks.add(lock);
		}
		List<Hold> holds = new ArrayList<>(this.history.holds());
		Collections.reverse(holds);
		for (Hold hold : holds) {
			Grant grant = hold.grant();
			if (grant.granted() > from) {
				this.stuckNodes.remove(grant.owner().node());
				this.stuckLocks.remove(grant.lock());
			}
		}
	}

	/** Nobody is left, so that every lock can be had. */
	private void checkFree(Cluster cluster) throws InterruptedException {
		try (LockClient client = LockClient.builder(cluster.dynamoDb())
			.tableName(Cluster.TABLE)
			.ownerName("coordinator")
			.build()) {
			for (int lock = 0; lock < RunSettings.LOCKS; lock++) {
				String key = LockKeys.key(lock);
				if (client.find(key).filter((record) -> !record.isReleased()).isPresent()) {
					this.history.count("locks that were not released at the end");
				}
				try (HeldLock held = client.acquire(LockRequest.of(key).waitTime(FREE_LIMIT))) {
					held.ensureHeld();
				}
				catch (LockException ex) {
					this.history.found(Rule.FREE_IN_THE_END, key + ": " + ex.getMessage());
				}
			}
		}
	}

	/** As git tells it; {@code unknown} without git. */
	private static String commit() {
		try {
			Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			try (BufferedReader output = git.inputReader(StandardCharsets.UTF_8)) {
				String line = output.readLine();
				return (line != null) ? line : "unknown";
			}
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

	/** Of the last minute; negative if the system tells none. */
	private static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
	}

}
