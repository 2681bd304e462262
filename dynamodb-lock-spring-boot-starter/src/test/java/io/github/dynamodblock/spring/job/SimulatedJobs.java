/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
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

	private int writes;

	private boolean pausing;

	private boolean settling;

	private boolean over;

	SimulatedJobs(long seed, JobScenario scenario, int ticks) {
		this.random = new Random(seed);
		this.scenario = scenario;
		this.ticks = ticks;
		this.network = new SimulatedProcess.Network(scenario.trouble());
		this.checks = new JobChecks(this.time);
	}

	JobChecks run() {
		for (int i = 0; i < NODES; i++) {
			this.schedules[i] = this.scenario.schedule();
			up(i, Duration.ZERO);
		}
		later(Duration.ofSeconds(20), this.scenario.calm() ? this::disturbOnce : this::disturb);
		this.time.pass(INTERVAL.multipliedBy(this.ticks));
		// Nothing goes wrong any more: the job goes on.
		this.settling = true;
		this.network.calmDown();
		this.time.pass(Duration.ofMinutes(2));
		if (this.checks.lastStart() < this.time.nanos() - INTERVAL.multipliedBy(3).toNanos()) {
			this.checks.violation("the job is stopped in the end");
		}
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

	/** A write of a node has changed the item. */
	void applied(LockedJob job, LockWrite write) {
		this.checks.applied(job, write, read(), hasTimeToLive());
	}

	/** Whether DynamoDB will delete the item: it ignores what is not a number. */
	private boolean hasTimeToLive() {
		AttributeValue time = this.dynamoDb.getItem((get) -> get.tableName("locks").key(ITEM)).item().get("expiresAt");
		return time != null && time.n() != null;
	}

	private JobRecord read() {
		Answer.Found found = (Answer.Found) this.store.send(new Step.Read(SimulatedNode.KEY, true, Long.MAX_VALUE));
		return (found.record() != null) ? JobRecord.of(found.record()) : JobRecord.NONE;
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

	/** Whether there are no more faults. */
	boolean isSettling() {
		return this.settling;
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
			if (!this.scenario.calm() && !this.settling && this.random.nextInt(10) == 0) {
				daysOff(process);
			}
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
			end(node);
			up(index(node), downtime.plusSeconds(3));
		}
	}

	/**
	 * A process ends when its client is closed, or when a body has ended that goes on.
	 */
	private void end(SimulatedNode node) {
		later(Duration.ofSeconds(2), () -> {
			if (node.isBusy()) {
				end(node);
			}
			else {
				node.crash();
			}
		});
	}

	/**
	 * A deployment ends a further attempt, too, while slow nodes are about to start the
	 * same.
	 */
	void runsAgain(SimulatedNode node) {
		if (!this.scenario.calm() && !this.settling && this.random.nextInt(3) == 0) {
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

	/** The run whose body is under way and whose lock is held. */
	Optional<JobRun> running() {
		return List.of(this.nodes).stream().flatMap((node) -> node.running().stream()).findFirst();
	}

	/** One thing goes wrong, after which the job goes on soon. */
	private void disturbOnce() {
		if (this.settling) {
			return;
		}
		Duration next = this.scenario.disturbances();
		Optional<SimulatedNode> owner = owner();
		if (owner.isPresent()) {
			endTheOwner(owner.get());
		}
		else if (this.random.nextInt(20) == 0) {
			blockTheNextTick();
		}
		else if (this.random.nextInt(20) == 0 && this.checks.record().isFinished()) {
			writeFutureTimes();
			expectRun(isCron() ? INTERVAL.plusSeconds(1) : INTERVAL.multipliedBy(2));
		}
		else {
			next = upTo(Duration.ofSeconds(2));
		}
		later(next, this::disturbOnce);
	}

	/** Another node begins the next attempt soon after, or records the crash. */
	private void endTheOwner(SimulatedNode node) {
		JobRun run = node.running().orElseThrow();
		if (this.random.nextInt(3) == 0) {
			shutDown(node, Duration.ofSeconds(20));
		}
		else {
			crash(node, Duration.ofSeconds(20));
		}
		long now = this.time.nanos();
		// A heartbeat that is under way arrives.
		later(SLACK, () -> {
			long since = this.time.nanos() - node.process().lastWrite();
			Duration most = SimulatedProcess.LEASE.multipliedBy(2).plus(SLACK).minusNanos(since);
			// At a rate, nodes learn of a run by their next call.
			later(isCron() ? most : most.plus(INTERVAL), () -> this.checks.checkContinued(run, now));
		});
	}

	/** A node that called the method itself dies shortly before a tick. */
	private void blockTheNextTick() {
		Duration before = Duration.ofMillis(300);
		Duration sinceTick = Duration.ofNanos(this.time.nanos() % INTERVAL.toNanos());
		Duration delay = isCron() ? INTERVAL.multipliedBy(2).minus(sinceTick).minus(before) : Duration.ZERO;
		later(delay, () -> {
			if (this.settling || running().isPresent()) {
				return;
			}
			SimulatedNode node = any();
			this.checks.count("plain holders that died before a tick");
			node.doom(SimulatedNode.Moment.BEFORE_BODY);
			node.callPlainly();
			Duration most = before.plus(SimulatedProcess.LEASE.multipliedBy(2)).plus(SLACK);
			expectRun(isCron() ? most : most.plus(INTERVAL.multipliedBy(2)));
		});
	}

	private boolean isCron() {
		return this.schedules[0] instanceof JobSchedule.Cron;
	}

	/** Unless one is under way all the time, a run begins. */
	private void expectRun(Duration soon) {
		long now = this.time.nanos();
		later(soon, () -> {
			if (this.checks.lastStart() < now && running().isEmpty()) {
				this.checks.violation("a tick that was due was not run");
			}
		});
	}

	private void disturb() {
		if (this.settling) {
			return;
		}
		SimulatedNode node = any();
		switch (this.random.nextInt(this.scenario.administered() ? 16 : 12)) {
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
				this.checks.count("pauses of a process");
				node.process().pause(upTo(Duration.ofSeconds(8)));
			}
			case 9 -> {
				this.checks.count("nodes cut off");
				node.process().cutOff(upTo(Duration.ofSeconds(8)));
			}
			case 10 -> node.callPlainly();
			case 11 -> node.holdBesideTheJob(this.random.nextBoolean());
			default -> administer();
		}
		later(upTo(this.scenario.disturbances().multipliedBy(2)), this::disturb);
	}

	/** By a little, as time services do, or by a day, and back after a while. */
	private void stepClock(SimulatedNode node) {
		this.checks.count("clock steps");
		node.process().setClockError(clockError());
		if (this.random.nextInt(4) == 0) {
			daysOff(node.process());
		}
	}

	private void daysOff(SimulatedProcess process) {
		this.checks.count("clocks that are days off");
		process.setClockError(Duration.ofDays(this.random.nextInt(5) - 2L));
		later(upTo(Duration.ofMinutes(1)), () -> process.setClockError(clockError()));
	}

	private void administer() {
		switch (this.random.nextInt(7)) {
			case 0 -> {
				this.checks.count("deleted items");
				this.dynamoDb.deleteItem((delete) -> delete.tableName("locks").key(ITEM));
				this.checks.replaced(JobRecord.NONE);
			}
			case 1 -> changeSchedule();
			case 2 -> write(Map.of("jobOutcome", AttributeValue.fromS("POSTPONED"), "jobColour",
					AttributeValue.fromL(List.of(AttributeValue.fromS("blue")))));
			case 3 -> {
				if (this.checks.record().isFinished()) {
					writeFutureTimes();
					this.network.delay(this.time);
				}
			}
			default -> pause();
		}
	}

	/** A node without a check of its clock has run the job, and may have crashed. */
	private void writeFutureTimes() {
		this.checks.count("records of a wrong clock");
		Instant future = SimulatedTime.BEGIN.plus(Duration.ofDays(1)).plus(INTERVAL.multipliedBy(this.writes++));
		AttributeValue time = AttributeValue.fromN(Long.toString(future.toEpochMilli()));
		Map<String, AttributeValue> values = new HashMap<>(Map.of("jobTick", time, "jobStartedAt", time, "jobAttempt",
				AttributeValue.fromN("1"), "jobFinishedAt", time));
		if (this.random.nextBoolean()) {
			values.put("jobFinishedTick", time);
		}
		write(values);
		this.checks.replaced(this.checks.record());
	}

	private void write(Map<String, AttributeValue> attributes) {
		if (this.checks.record().tick().isEmpty()) {
			return;
		}
		this.checks.count("edited records");
		Map<String, AttributeValue> values = new HashMap<>();
		attributes.forEach((name, value) -> values.put(":" + name, value));
		List<String> updates = attributes.keySet().stream().map((name) -> name + " = :" + name).toList();
		this.dynamoDb.updateItem((update) -> update.tableName("locks")
			.key(ITEM)
			.updateExpression("SET " + String.join(", ", updates))
			.expressionAttributeValues(values));
		this.checks.edited(read());
	}

	private void pause() {
		SimulatedNode node = any();
		if (!this.pausing && node.isAlive() && node.process().isConnected()) {
			this.pausing = true;
			this.checks.count("pauses");
			node.job().pause("stock-taking");
			this.checks.paused(true);
			later(upTo(Duration.ofSeconds(60)), this::resume);
		}
	}

	/** Until a node is there for it. */
	private void resume() {
		SimulatedNode node = any();
		if (node.isAlive() && node.process().isConnected()) {
			this.checks.paused(false);
			node.job().resume();
			this.pausing = false;
		}
		else {
			later(Duration.ofSeconds(1), this::resume);
		}
	}

	/** One node after the other is shut down and comes up with another expression. */
	private void changeSchedule() {
		if (this.changing || !isCron()) {
			return;
		}
		this.changing = true;
		this.checks.count("rolling changes of the schedule");
		boolean usual = this.schedules[0].toString().contains("*/10");
		JobSchedule next = JobSchedule.cron(usual ? "5/10 * * * * *" : "*/10 * * * * *", ZoneOffset.ofHours(1));
		for (int i = 0; i < NODES; i++) {
			int index = i;
			later(Duration.ofSeconds(8L * i), () -> {
				this.schedules[index] = next;
				shutDown(this.nodes[index], Duration.ofSeconds(1));
			});
		}
		later(Duration.ofMinutes(2), () -> {
			this.changing = false;
		});
	}

}
