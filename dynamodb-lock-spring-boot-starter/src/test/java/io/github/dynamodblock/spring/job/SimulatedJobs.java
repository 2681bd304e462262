/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Five nodes with one job, in virtual time and one thread: the real {@link JobRuns} and
 * the real lock client on tables in memory, which evaluate the real expressions. The seed
 * decides everything that goes wrong.
 */
final class SimulatedJobs {

	static final Duration INTERVAL = Duration.ofSeconds(10);

	/** Every tick of every schedule is a multiple of it. */
	static final Duration GRID = Duration.ofSeconds(5);

	private static final int NODES = 5;

	/** Two calls, and the scheduler's thread. */
	private static final Duration SLACK = Duration.ofMillis(100);

	private static final Map<String, AttributeValue> ITEM = Map.of("key", AttributeValue.fromS("job"));

	private final SimulatedTime time = new SimulatedTime();

	private final InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks");

	private final DynamoDbLockStore store = new DynamoDbLockStore(this.dynamoDb, SimulatedProcess.SCHEMA);

	private final Random random;

	private final JobScenario scenario;

	private final int ticks;

	private final SimulatedProcess.Network network;

	private final JobChecks checks;

	private final SimulatedNode[] nodes = new SimulatedNode[NODES];

	private final JobSchedule[] schedules = new JobSchedule[NODES];

	private int processes;

	private boolean changing;

	private boolean pausing;

	private int deleted;

	private boolean over;

	SimulatedJobs(long seed, JobScenario scenario, int ticks) {
		this.random = new Random(seed);
		this.scenario = scenario;
		this.ticks = ticks;
		this.network = new SimulatedProcess.Network(scenario.trouble());
		this.checks = new JobChecks(this.time, scenario.onCrash());
	}

	JobChecks run() {
		for (int i = 0; i < NODES; i++) {
			this.schedules[i] = JobSchedule.cron("*/10 * * * * *", ZoneOffset.UTC);
			up(i, Duration.ZERO);
		}
		later(Duration.ofSeconds(20), this.scenario.calm() ? this::endTheOwner : this::disturb);
		this.time.pass(INTERVAL.multipliedBy(this.ticks));
		// Nodes come up again, and what is under way comes to its end.
		this.network.calmDown();
		this.over = true;
		this.time.pass(Duration.ofMinutes(2));
		for (SimulatedNode node : this.nodes) {
			if (node.watches() > 0) {
				this.checks.violation("a watch does not end: " + node.process());
			}
		}
		this.checks.count("calls in trouble", this.network.troubled());
		return this.checks;
	}

	JobChecks checks() {
		return this.checks;
	}

	Random random() {
		return this.random;
	}

	JobScenario scenario() {
		return this.scenario;
	}

	/** Whether there are no more faults and no more ticks. */
	boolean isOver() {
		return this.over;
	}

	private void later(Duration delay, Runnable action) {
		this.time.at(delay.toNanos(), action);
	}

	private Duration upTo(Duration longest) {
		return Duration.ofMillis((long) (this.random.nextDouble() * longest.toMillis()));
	}

	private void up(int index, Duration delay) {
		later(delay, () -> {
			SimulatedProcess process = new SimulatedProcess("node-" + index + "-" + this.processes++, this.time,
					this.store, this.random, this.network, clockError());
			this.nodes[index] = new SimulatedNode(this, process, this.schedules[index]);
			this.nodes[index].begin();
		});
	}

	/** The extremes are the hardest. */
	private Duration clockError() {
		double share = switch (this.random.nextInt(4)) {
			case 0 -> -1;
			case 1 -> 1;
			default -> 2 * this.random.nextDouble() - 1;
		};
		return Duration.ofMillis((long) (share * this.scenario.clocks().toMillis()));
	}

	private int index(SimulatedNode node) {
		return List.of(this.nodes).indexOf(node);
	}

	void crash(SimulatedNode node) {
		crash(node, Duration.ofSeconds(1).plus(upTo(Duration.ofSeconds(30))));
	}

	private void crash(SimulatedNode node, Duration downtime) {
		if (node.isAlive()) {
			node.crash();
			up(index(node), downtime);
		}
	}

	private void shutDown(SimulatedNode node, Duration downtime) {
		if (node.isAlive()) {
			node.shutDown();
			later(Duration.ofSeconds(2), () -> {
				if (node.watches() >= 0) {
					node.crash();
				}
			});
			up(index(node), downtime.plusSeconds(3));
		}
	}

	/**
	 * A deployment ends a further attempt, too, while slow nodes are about to start the
	 * same.
	 */
	void runsAgain(SimulatedNode node) {
		if (!this.scenario.calm() && !this.over && this.random.nextInt(3) == 0) {
			later(upTo(Duration.ofMillis(500)), () -> shutDown(node, upTo(Duration.ofSeconds(5))));
		}
	}

	private SimulatedNode any() {
		Optional<SimulatedNode> owner = owner();
		return (owner.isPresent() && this.random.nextBoolean()) ? owner.get() : this.nodes[this.random.nextInt(NODES)];
	}

	private Optional<SimulatedNode> owner() {
		return List.of(this.nodes).stream().filter((node) -> node.isAlive() && node.running().isPresent()).findFirst();
	}

	/** Another node begins the next attempt soon after. */
	private void endTheOwner() {
		if (this.over) {
			return;
		}
		Optional<SimulatedNode> owner = owner();
		owner.ifPresent((node) -> {
			JobRun run = node.running().orElseThrow();
			if (this.random.nextInt(3) == 0) {
				shutDown(node, Duration.ofSeconds(20));
			}
			else {
				crash(node, Duration.ofSeconds(20));
			}
			if (this.scenario.onCrash() == OnCrash.RERUN && run.attempt() < run.job().attempts()) {
				long since = this.time.nanos() - node.process().lastWrite();
				Duration most = SimulatedProcess.LEASE.multipliedBy(2).plus(SLACK).minusNanos(since);
				later(most, () -> this.checks.checkRunAgain(run));
			}
		});
		later(owner.isPresent() ? this.scenario.disturbances() : upTo(Duration.ofSeconds(2)), this::endTheOwner);
	}

	private void disturb() {
		if (this.over) {
			return;
		}
		SimulatedNode node = any();
		switch (this.random.nextInt(this.scenario.administered() ? 13 : 8)) {
			case 0 -> {
				this.checks.count("outages");
				this.network.fail(this.time, upTo(Duration.ofSeconds(25)));
			}
			case 1, 2 -> {
				this.checks.count("crashes");
				crash(node);
			}
			case 3, 4 -> {
				this.checks.count("shutdowns");
				shutDown(node, upTo(Duration.ofSeconds(20)));
			}
			case 5, 6 -> node.doom(List.of(SimulatedNode.Moment.values()).get(this.random.nextInt(3)));
			case 7 -> stepClock(node);
			case 8 -> {
				if (node.isAlive()) {
					node.runNow();
				}
			}
			default -> administer();
		}
		later(upTo(this.scenario.disturbances().multipliedBy(2)), this::disturb);
	}

	/** By a little, as time services do, or by a day, and back after a while. */
	private void stepClock(SimulatedNode node) {
		this.checks.count("clock steps");
		node.process().setClockError(clockError());
		if (this.random.nextInt(4) == 0) {
			this.checks.count("clocks that are days off");
			node.process().setClockError(Duration.ofDays(this.random.nextInt(5) - 2L));
			later(upTo(Duration.ofMinutes(1)), () -> node.process().setClockError(clockError()));
		}
	}

	private void administer() {
		switch (this.random.nextInt(6)) {
			case 0 -> {
				this.checks.count("deleted items");
				this.checks.deleted();
				this.deleted++;
				this.dynamoDb.deleteItem((delete) -> delete.tableName("locks").key(ITEM));
			}
			case 1 -> changeSchedule();
			case 2 -> editLedger();
			default -> pause();
		}
	}

	/** A newer version has written the end of a run. */
	private void editLedger() {
		if (!this.dynamoDb.getItem((get) -> get.tableName("locks").key(ITEM)).hasItem()) {
			return;
		}
		this.checks.count("ledgers of a newer version");
		this.dynamoDb.updateItem((update) -> update.tableName("locks")
			.key(ITEM)
			.updateExpression("SET jobOutcome = :outcome, jobColour = :colour")
			.expressionAttributeValues(Map.of(":outcome", AttributeValue.fromS("POSTPONED"), ":colour",
					AttributeValue.fromL(List.of(AttributeValue.fromS("blue"))))));
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void pause() {
		SimulatedNode node = any();
		if (!node.isAlive() || this.pausing) {
			return;
		}
		this.pausing = true;
		int deletedBefore = this.deleted;
		node.change(JobLedger.pause("stock-taking")).whenComplete((outcome, failure) -> {
			// A pause whose item was deleted before its release was answered is gone.
			if (failure == null && !this.over && deletedBefore == this.deleted) {
				this.checks.count("pauses");
				this.checks.paused(true);
			}
		});
		later(upTo(Duration.ofSeconds(60)).plusSeconds(60), this::resume);
	}

	/** Until it is confirmed, by any node. */
	@SuppressWarnings("FutureReturnValueIgnored") // what it completes throws nothing
	private void resume() {
		this.checks.paused(false);
		ItemChange resumed = JobLedger.resume();
		List<SimulatedNode> alive = new ArrayList<>(List.of(this.nodes));
		alive.removeIf((node) -> !node.isAlive());
		boolean[] done = { false };
		if (!alive.isEmpty()) {
			alive.get(this.random.nextInt(alive.size()))
				.change(resumed)
				.whenComplete((outcome, failure) -> done[0] = failure == null);
		}
		later(Duration.ofSeconds(30), () -> {
			if (done[0]) {
				this.pausing = false;
			}
			else {
				resume();
			}
		});
	}

	/** One node after the other is shut down and comes up with another expression. */
	private void changeSchedule() {
		if (this.changing) {
			return;
		}
		this.changing = true;
		this.checks.count("rolling changes of the schedule");
		boolean usual = this.schedules[0].toString().contains("*/10");
		JobSchedule next = JobSchedule.cron(usual ? "5/10 * * * * *" : "*/10 * * * * *", ZoneOffset.ofHours(1));
		this.checks.schedules(2);
		for (int i = 0; i < NODES; i++) {
			int index = i;
			later(Duration.ofSeconds(8L * i), () -> {
				this.schedules[index] = next;
				shutDown(this.nodes[index], Duration.ofSeconds(1));
			});
		}
		later(Duration.ofMinutes(2), () -> {
			this.checks.schedules(1);
			this.changing = false;
		});
	}

}
