/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.LockWrite;

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

	private final SimulatedTime time = new SimulatedTime();

	private final SimulatedTable table = new SimulatedTable();

	private final JobFindings findings = new JobFindings(this.time);

	private final Random random;

	private final JobScenario scenario;

	private final int ticks;

	private final SimulatedProcess.Network network;

	/** The checks of each lock that the job has had. */
	private final Map<LockKey, JobChecks> checks = new LinkedHashMap<>();

	private final SimulatedNode[] nodes = new SimulatedNode[NODES];

	private final JobSchedule[] schedules = new JobSchedule[NODES];

	private final JobOperators operators;

	private final JobDisturbances disturbances;

	private LockKey key = LockKey.of("job");

	private int processes;

	private boolean settling;

	private boolean over;

	SimulatedJobs(long seed, JobScenario scenario, int ticks) {
		this.random = new Random(seed);
		this.scenario = scenario;
		this.ticks = ticks;
		this.network = new SimulatedProcess.Network(scenario.trouble());
		this.operators = new JobOperators(this, this.table);
		this.disturbances = new JobDisturbances(this, this.operators);
	}

	JobFindings run() {
		for (int i = 0; i < NODES; i++) {
			this.schedules[i] = this.scenario.schedule();
			up(i, Duration.ZERO);
		}
		this.disturbances.begin();
		this.time.pass(INTERVAL.multipliedBy(this.ticks));
		// Nothing goes wrong any more: the job goes on.
		this.settling = true;
		this.network.calmDown();
		this.disturbances.end();
		this.time.pass(Duration.ofMinutes(2));
		if (lastStart() < this.time.nanos() - INTERVAL.multipliedBy(3).toNanos()) {
			this.findings.violation("the job is stopped in the end");
		}
		this.over = true;
		this.time.pass(Duration.ofMinutes(2));
		for (SimulatedNode node : this.nodes) {
			if (node.watches() > 0) {
				this.findings.violation("a watch does not end: " + node.process());
			}
		}
		this.findings.count("calls in trouble", this.network.troubled());
		return this.findings;
	}

	/** A write of a node has changed an item. */
	void applied(SimulatedNode node, LockWrite write) {
		JobRecord record = this.table.read(write.key());
		// It may have been sent for a bean that has been replaced since.
		JobSchedule schedule = this.operators.schedules()
			.stream()
			.filter(record::isOf)
			.findFirst()
			.orElse(this.scenario.schedule());
		checks(write.key()).applied(node.job(write.key(), schedule), write, record,
				this.table.hasTimeToLive(write.key()));
	}

	/** Returns the checks of the job with this lock. */
	JobChecks checks(LockKey lock) {
		return this.checks.computeIfAbsent(lock, (same) -> new JobChecks(this.findings, this.time));
	}

	/** When a body began last, in virtual time. */
	long lastStart() {
		return this.checks.values().stream().mapToLong(JobChecks::lastStart).max().orElse(0);
	}

	JobFindings findings() {
		return this.findings;
	}

	SimulatedTime time() {
		return this.time;
	}

	Random random() {
		return this.random;
	}

	JobScenario scenario() {
		return this.scenario;
	}

	SimulatedProcess.Network network() {
		return this.network;
	}

	/** The value of the job's key expression, which nodes learn one after the other. */
	LockKey key() {
		return this.key;
	}

	void setKey(LockKey value) {
		this.key = value;
	}

	/** Whether there are no more faults. */
	boolean isSettling() {
		return this.settling;
	}

	/** Whether there are no more faults and no more ticks. */
	boolean isOver() {
		return this.over;
	}

	void later(Duration delay, Runnable action) {
		this.time.at(delay.toNanos(), action);
	}

	Duration upTo(Duration longest) {
		return Duration.ofMillis((long) (this.random.nextDouble() * longest.toMillis()));
	}

	private void up(int index, Duration delay) {
		later(delay, () -> {
			SimulatedProcess process = new SimulatedProcess("node-" + index + "-" + this.processes++, this.time,
					this.table.store(), this.random, this.network, clockError());
			if (!this.scenario.calm() && !this.settling && this.random.nextInt(10) == 0) {
				daysOff(process);
			}
			SimulatedNode node = new SimulatedNode(this, process, this.scenario.application(index), this.key,
					this.schedules[index]);
			this.nodes[index] = node;
			boolean late = this.scenario.has(JobScenario.Feature.BEANS) && !this.scenario.calm() && !this.settling
					&& this.random.nextInt(4) == 0;
			node.begin(!late);
			if (late) {
				this.findings.count("late beans");
				later(upTo(Duration.ofSeconds(30)), () -> createAgain(index));
			}
		});
	}

	/** Creates the bean of a node that has none. */
	void createAgain(int index) {
		SimulatedNode node = this.nodes[index];
		if (node.isAlive() && !node.hasBean()) {
			node.create(this.schedules[index]);
		}
	}

	/** The extremes are the hardest. */
	Duration clockError() {
		double share = switch (this.random.nextInt(4)) {
			case 0 -> -1;
			case 1 -> 1;
			default -> 2 * this.random.nextDouble() - 1;
		};
		return Duration.ofMillis((long) (share * this.scenario.clocks().toMillis()));
	}

	void daysOff(SimulatedProcess process) {
		this.findings.count("clocks that are days off");
		process.setClockError(Duration.ofDays(this.random.nextInt(5) - 2L));
		later(upTo(Duration.ofMinutes(1)), () -> process.setClockError(clockError()));
	}

	int index(SimulatedNode node) {
		return nodes().indexOf(node);
	}

	List<SimulatedNode> nodes() {
		return List.of(this.nodes);
	}

	JobSchedule schedule(int index) {
		return this.schedules[index];
	}

	void setSchedule(int index, JobSchedule schedule) {
		this.schedules[index] = schedule;
	}

	boolean isCron() {
		return this.schedules[0] instanceof JobSchedule.Cron;
	}

	void crash(SimulatedNode node) {
		crash(node, Duration.ofSeconds(1).plus(upTo(Duration.ofSeconds(30))));
	}

	void crash(SimulatedNode node, Duration downtime) {
		if (node.isAlive()) {
			node.crash();
			up(index(node), downtime);
		}
	}

	void shutDown(SimulatedNode node, Duration downtime) {
		if (!node.isAlive()) {
			return;
		}
		Duration awaited = (this.scenario.has(JobScenario.Feature.STOPS) && !this.scenario.calm())
				? Duration.ofMillis(1).plus(upTo(Duration.ofSeconds(3))) : Duration.ZERO;
		if (awaited.isZero()) {
			node.shutDown();
		}
		else {
			node.shutDown(awaited);
		}
		end(node, awaited.plusSeconds(2));
		up(index(node), downtime.plus(awaited).plusSeconds(3));
	}

	/**
	 * A process ends when its client is closed, or when a body has ended that goes on.
	 */
	private void end(SimulatedNode node, Duration delay) {
		later(delay, () -> {
			if (node.isBusy()) {
				end(node, Duration.ofSeconds(2));
			}
			else {
				node.crash();
			}
		});
	}

	/** A node does not come back. */
	void undeploy(SimulatedNode node) {
		if (node.isAlive()) {
			node.crash();
		}
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

	/** A node holds the lock, and not for a run. */
	void holdsPlainly() {
		this.disturbances.holdsPlainly();
	}

	SimulatedNode any() {
		Optional<SimulatedNode> owner = owner();
		return (owner.isPresent() && this.random.nextBoolean()) ? owner.get() : this.nodes[this.random.nextInt(NODES)];
	}

	Optional<SimulatedNode> owner() {
		return nodes().stream().filter((node) -> node.isAlive() && node.running().isPresent()).findFirst();
	}

	/** The run whose body is under way and whose lock is held. */
	Optional<JobRun> running() {
		return nodes().stream().flatMap((node) -> node.running().stream()).findFirst();
	}

	/** The run under this lock. */
	Optional<JobRun> running(LockKey lock) {
		return nodes().stream()
			.flatMap((node) -> node.running().stream())
			.filter((run) -> run.job().key().equals(lock))
			.findFirst();
	}

}
