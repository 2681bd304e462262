/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.dynamodblock.samples.leaderelection.NodeOfTrial;
import io.github.dynamodblock.samples.leaderelection.ledger.Line.What;
import io.github.dynamodblock.samples.support.ChildProcess;
import io.github.dynamodblock.samples.support.RunFailedException;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the nodes: the leader yields, the next one stands still for a while,
 * the one after that is killed, and at the end all are stopped. Used by one thread.
 */
final class Scenario {

	static final List<String> NODES = List.of("node-1", "node-2", "node-3");

	private static final Duration START_TIME = Duration.ofMinutes(2);

	/** Some leases: what takes longer on a busy machine is a defect. */
	private static final Duration ELECTION_TIME = Duration.ofSeconds(30);

	private static final Duration STOP_TIME = Duration.ofSeconds(30);

	/** About one and a half seconds' work. */
	private static final int SHOWN_LINES = 30;

	private final Nodes nodes;

	private final BlockingQueue<News> news;

	private final Timeline timeline;

	/** The ledger, as far as it was taken in. */
	private final List<Entry> entries = new ArrayList<>();

	private final Map<Long, String> ends = new HashMap<>();

	private @Nullable String killed;

	private boolean stopping;

	Scenario(Nodes nodes, BlockingQueue<News> news, Timeline timeline) {
		this.nodes = nodes;
		this.news = news;
		this.timeline = timeline;
	}

	/**
	 * Waits until all nodes are up, and plays.
	 * @throws InterruptedException if the thread is interrupted; nodes may still run
	 * @throws RunFailedException if no new leader comes in time, or something other than
	 * the election goes wrong
	 */
	void play() throws IOException, InterruptedException, RunFailedException {
		awaitNodes();
		askToYield(awaitWork());
		pause(awaitWork());
		kill(awaitWork());
		awaitWork();
		stop();
	}

	/** Waits until all nodes are up and work, each as its own leader, and stops them. */
	void playWithoutElection() throws InterruptedException, RunFailedException {
		awaitNodes();
		for (String node : NODES) {
			awaitEntry(node + " does not work", (entry) -> entry.is(What.WORK) && entry.node().equals(node));
		}
		int before = this.entries.size();
		await(ELECTION_TIME, "nobody works any more", () -> this.entries.size() >= before + SHOWN_LINES);
		stop();
	}

	/** What ended the reigns that were ended here, by their tokens. */
	Map<Long, String> ends() {
		return Map.copyOf(this.ends);
	}

	private void awaitNodes() throws InterruptedException, RunFailedException {
		await(START_TIME, "not all nodes came up",
				() -> this.entries.stream().filter((entry) -> entry.is(What.READY)).count() == NODES.size());
	}

	private void askToYield(Entry leader) throws IOException, InterruptedException, RunFailedException {
		this.timeline.show(Instant.now(), leader.node(), "IS ASKED TO YIELD");
		this.ends.put(leader.token(), "yielded");
		this.nodes.process(leader.node()).send(NodeOfTrial.YIELD);
		awaitSuccessor(leader);
	}

	private void pause(Entry leader) throws IOException, InterruptedException, RunFailedException {
		ChildProcess process = this.nodes.process(leader.node());
		process.pause();
		this.timeline.show(Instant.now(), leader.node(), "IS STOPPED: kill -STOP " + process.pid());
		this.ends.put(leader.token(), "was stopped");
		awaitSuccessor(leader);
		awaitWork();
		this.timeline.show(Instant.now(), leader.node(), "GOES ON: kill -CONT " + process.pid());
		process.resume();
		awaitEntry(leader.node() + " does not learn that it leads no more",
				(entry) -> entry.is(What.REVOKED) && entry.token() == leader.token());
	}

	private void kill(Entry leader) throws InterruptedException, RunFailedException {
		ChildProcess process = this.nodes.process(leader.node());
		this.killed = leader.node();
		this.ends.put(leader.token(), "was killed");
		process.kill();
		this.timeline.show(Instant.now(), leader.node(), "IS KILLED: kill -9 " + process.pid());
		awaitSuccessor(leader);
	}

	private void stop() throws InterruptedException, RunFailedException {
		Set<Long> over = this.entries.stream()
			.filter((entry) -> entry.is(What.REVOKED))
			.map(Entry::token)
			.collect(Collectors.toSet());
		this.stopping = true;
		this.timeline.show(Instant.now(), "all", "ARE ASKED TO END");
		this.nodes.askToEnd();
		await(STOP_TIME, "not all nodes ended", () -> this.nodes.names().isEmpty());
		this.entries.stream()
			.map(Entry::token)
			.filter((token) -> !over.contains(token))
			.forEach((token) -> this.ends.putIfAbsent(token, "was asked to end"));
	}

	/**
	 * Waits for some more work, and gives the last line of it: that of the leader.
	 */
	private Entry awaitWork() throws InterruptedException, RunFailedException {
		long before = work();
		await(ELECTION_TIME, "nobody works as the leader", () -> work() >= before + SHOWN_LINES);
		return this.entries.stream().filter(Entry::isDoneWork).reduce((first, second) -> second).orElseThrow();
	}

	private long work() {
		return this.entries.stream().filter(Entry::isDoneWork).count();
	}

	private void awaitSuccessor(Entry leader) throws InterruptedException, RunFailedException {
		awaitEntry("nobody leads after " + leader.node(),
				(entry) -> entry.isDoneWork() && entry.token() > leader.token() && !entry.node().equals(leader.node()));
	}

	private void awaitEntry(String otherwise, Predicate<Entry> sought) throws InterruptedException, RunFailedException {
		await(ELECTION_TIME, otherwise, () -> this.entries.stream().anyMatch(sought));
	}

	/**
	 * Takes in what comes of the nodes until there is what is looked for.
	 */
	private void await(Duration patience, String otherwise, BooleanSupplier sought)
			throws InterruptedException, RunFailedException {
		long start = System.nanoTime();
		while (!sought.getAsBoolean()) {
			long left = patience.toNanos() - (System.nanoTime() - start);
			News next = this.news.poll(left, TimeUnit.NANOSECONDS);
			if (next instanceof News.Written written) {
				this.entries.add(written.entry());
				this.timeline.show(written.entry());
			}
			else if (next instanceof News.Gone gone) {
				take(gone);
			}
			else {
				throw new RunFailedException(otherwise + " within " + patience.toSeconds() + " s; see the logs");
			}
		}
	}

	private void take(News.Gone gone) throws RunFailedException {
		this.timeline.show(gone.time(), gone.node(), "has ended with status " + gone.status());
		this.nodes.remove(gone.node());
		boolean inOrder = this.stopping && gone.status() == 0;
		if (!inOrder && !gone.node().equals(this.killed)) {
			throw new RunFailedException(gone.node() + " ended by itself with status " + gone.status() + "; see "
					+ this.nodes.log(gone.node()));
		}
	}

}
