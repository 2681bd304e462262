/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.samples.leaderelection.LeaderElectionApplication;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.PropertyResolver;

/**
 * Starts three nodes and disturbs their leaders: the first one yields, the second is
 * paused for a while, the third is killed, and at the end all are stopped.
 */
public final class LeaderElectionDemo {

	/** As in the sample. */
	static final String ROLE = "bookkeeper";

	private static final String KEY_PREFIX = "registry:";

	private static final Duration LEASE = Duration.ofSeconds(4);

	private static final Duration HEARTBEAT = Duration.ofSeconds(1);

	private static final int STATUS_NO_VERDICT = 3;

	private static final List<String> NODES = List.of("node-1", "node-2", "node-3");

	/** Some leases: what takes longer on a busy machine is a defect. */
	private static final Duration ELECTION_TIME = Duration.ofSeconds(30);

	/** About one and a half seconds' work. */
	private static final int LINES_OF_A_TERM = 30;

	private final List<Event> events = new ArrayList<>();

	/** What the demo did to end a term, by its token. */
	private final Map<Long, String> ends = new HashMap<>();

	private final Demo demo;

	private final Timeline timeline;

	private final boolean separateLocks;

	private LeaderElectionDemo(Demo demo, boolean separateLocks) {
		this.demo = demo;
		this.timeline = new Timeline(demo.console());
		this.separateLocks = separateLocks;
	}

	/**
	 * Runs the demo and exits this process: with status 0 if there were never two leaders
	 * at a time, 1 if there were, 3 if the run came to no verdict.
	 * @param args {@code --separate-locks}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, STATUS_NO_VERDICT, LeaderElectionDemo::prepare);
	}

	static DemoRunner.Script prepare(PropertyResolver options) {
		boolean separateLocks = options.containsProperty("separate-locks");
		return (demo) -> {
			String endpoint = demo.startDynamoDb();
			return new LeaderElectionDemo(demo, separateLocks).run(endpoint);
		};
	}

	private Verdict run(String endpoint) throws IOException, InterruptedException, DemoFailedException {
		this.demo.listen((event) -> {
			this.events.add(event);
			this.timeline.add(event);
		});
		try {
			createLedgerTable(endpoint);
			for (String node : NODES) {
				this.demo.startNode(node, "96m", List.of(LeaderElectionApplication.class, ObservedNode.class),
						ObservedNode.arguments(keyPrefix(node), LEASE, HEARTBEAT).toArray(String[]::new));
			}
			this.demo.awaitNodes();
			if (this.separateLocks) {
				awaitThatAllLead();
			}
			else {
				disturbLeaders();
			}
			stop();
			requireFreeLocks(endpoint);
		}
		catch (DemoFailedException | IOException ex) {
			// That there were two leaders is worse.
			if (LeaderChecker.check(this.events).passed()) {
				throw ex;
			}
			this.demo.console().say("The run ended early: " + ex.getMessage());
		}
		this.timeline.printTerms(Term.of(this.events), this.ends);
		return LeaderChecker.check(this.events);
	}

	private static void createLedgerTable(String endpoint) {
		try (DynamoDbClient dynamoDb = DynamoDbLocal.client(endpoint)) {
			LedgerTable.create(dynamoDb);
		}
	}

	private String keyPrefix(String node) {
		return this.separateLocks ? KEY_PREFIX + node + ":" : KEY_PREFIX;
	}

	private void awaitThatAllLead() throws InterruptedException, DemoFailedException {
		for (String node : NODES) {
			awaitEvent(node + " is not granted the leadership",
					(event) -> event.is(ObservedNode.GRANTED) && event.node().equals(node));
		}
		awaitWork();
	}

	private void disturbLeaders() throws IOException, InterruptedException, DemoFailedException {
		askToYield(awaitWork());
		pause(awaitWork());
		kill(awaitWork());
		awaitWork();
	}

	private void askToYield(Event leader) throws IOException, InterruptedException, DemoFailedException {
		this.timeline.add(leader.node(), "IS ASKED TO YIELD");
		this.ends.put(leader.token(), "yielded");
		this.demo.node(leader.node()).send(ObservedNode.YIELD);
		awaitEvent("no node leads after " + leader.node(), (event) -> isOfLaterTerm(event, leader));
		Event next = work().stream().filter((event) -> isOfLaterTerm(event, leader)).findFirst().orElseThrow();
		if (next.node().equals(leader.node())) {
			// On a busy machine, no other node polled while it backed off.
			askToYield(next);
		}
	}

	private void pause(Event leader) throws IOException, InterruptedException, DemoFailedException {
		NodeProcess process = this.demo.node(leader.node());
		process.pause();
		this.timeline.add(leader.node(), "IS PAUSED: kill -STOP " + process.pid());
		this.ends.put(leader.token(), "was paused");
		awaitSuccessor(leader);
		awaitWork();
		this.timeline.add(leader.node(), "IS RESUMED: kill -CONT " + process.pid());
		process.resume();
		awaitEvent(leader.node() + " does not learn that it no longer leads",
				(event) -> event.is(ObservedNode.REVOKED) && event.token() == leader.token());
	}

	private void kill(Event leader) throws InterruptedException, DemoFailedException {
		this.ends.put(leader.token(), "was killed");
		this.demo.kill(leader.node());
		awaitSuccessor(leader);
	}

	private void stop() throws InterruptedException, DemoFailedException {
		Set<Long> over = this.events.stream()
			.filter((event) -> event.is(ObservedNode.REVOKED))
			.map(Event::token)
			.collect(Collectors.toSet());
		this.timeline.add("all", "ARE ASKED TO END");
		this.demo.stopNodes();
		this.events.stream()
			.filter((event) -> event.is(ObservedNode.WORKS))
			.map(Event::token)
			.filter((token) -> !over.contains(token))
			.forEach((token) -> this.ends.putIfAbsent(token, "was asked to end"));
	}

	/** Awaits some more lines, and returns the last one, which is that of the leader. */
	private Event awaitWork() throws InterruptedException, DemoFailedException {
		int enough = work().size() + LINES_OF_A_TERM;
		this.demo.await(ELECTION_TIME, "no node works as the leader", () -> work().size() >= enough);
		List<Event> work = work();
		return work.get(work.size() - 1);
	}

	private List<Event> work() {
		return this.events.stream().filter((event) -> event.is(ObservedNode.WORKS)).toList();
	}

	private void awaitSuccessor(Event leader) throws InterruptedException, DemoFailedException {
		awaitEvent("no other node leads after " + leader.node(),
				(event) -> isOfLaterTerm(event, leader) && !event.node().equals(leader.node()));
	}

	private static boolean isOfLaterTerm(Event event, Event leader) {
		return event.is(ObservedNode.WORKS) && event.token() > leader.token();
	}

	private void awaitEvent(String otherwise, Predicate<Event> sought)
			throws InterruptedException, DemoFailedException {
		this.demo.await(ELECTION_TIME, otherwise, () -> this.events.stream().anyMatch(sought));
	}

	/** A leader that ends in order has released its lock. */
	private void requireFreeLocks(String endpoint) throws DemoFailedException {
		LoggingSystem.get(LeaderElectionDemo.class.getClassLoader())
			.setLogLevel(LockClient.class.getPackageName(), LogLevel.WARN);
		try (DynamoDbClient dynamoDb = DynamoDbLocal.client(endpoint);
				LockClient client = LockClient.builder(dynamoDb).build()) {
			for (String node : NODES) {
				Optional<LockRecord> lock = client.find(keyPrefix(node) + ROLE);
				// Its item stays, as the sample sets it.
				if (!lock.map(LockRecord::isReleased).orElse(false)) {
					throw new DemoFailedException("all nodes have ended, but the lock was not released: " + lock);
				}
			}
		}
		this.demo.console().say("The lock is free");
	}

}
