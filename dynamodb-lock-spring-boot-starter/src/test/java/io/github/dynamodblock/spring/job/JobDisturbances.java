/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import io.github.dynamodblock.LockKey;

/**
 * What goes wrong in a simulated run of jobs, and when: faults of nodes and their
 * network, beans that come and go, keys that change, contexts that stop.
 */
final class JobDisturbances {

	/** Two calls, and the scheduler's thread. */
	private static final Duration SLACK = Duration.ofMillis(100);

	/** The longest time for which no node has a bean. */
	private static final Duration WITHOUT_BEANS = Duration.ofSeconds(4);

	private final SimulatedJobs jobs;

	private final JobOperators operators;

	private final JobScenario scenario;

	private final JobFindings findings;

	private final Random random;

	/** The values that the job's key has had. */
	private final List<LockKey> keys = new ArrayList<>();

	/** Whether the job is to be paused as soon as a plain call holds its lock. */
	private boolean pausing;

	JobDisturbances(SimulatedJobs jobs, JobOperators operators) {
		this.jobs = jobs;
		this.operators = operators;
		this.scenario = jobs.scenario();
		this.findings = jobs.findings();
		this.random = jobs.random();
		this.keys.add(jobs.key());
	}

	void begin() {
		if (this.scenario.has(JobScenario.Feature.STOPS) && !this.scenario.calm()) {
			// The record begins with the pause.
			this.jobs.later(Duration.ofSeconds(1), this::pauseDuringAPlainHold);
		}
		this.jobs.later(Duration.ofSeconds(20), this.scenario.calm() ? this::disturbOnce : this::disturb);
	}

	/** Everything is as it should be again, but for an application that has ended. */
	void end() {
		boolean ends = this.scenario.has(JobScenario.Feature.APPLICATIONS) && this.random.nextBoolean();
		for (SimulatedNode node : this.jobs.nodes()) {
			int index = this.jobs.index(node);
			if (ends && index >= JobScenario.NODES_OF_THE_FIRST) {
				this.findings.count("nodes of an application that has ended");
				this.jobs.undeploy(node);
			}
			this.jobs.createAgain(index);
			node.setKey(this.jobs.key());
		}
	}

	private void later(Duration delay, Runnable action) {
		this.jobs.later(delay, action);
	}

	private Duration upTo(Duration longest) {
		return this.jobs.upTo(longest);
	}

	private JobChecks checks() {
		return this.jobs.checks(this.jobs.key());
	}

	/** One thing goes wrong, after which the job goes on soon. */
	private void disturbOnce() {
		if (this.jobs.isSettling()) {
			return;
		}
		Duration next = this.scenario.disturbances();
		Optional<SimulatedNode> owner = this.jobs.owner();
		if (owner.isEmpty() && this.scenario.has(JobScenario.Feature.STOPS) && this.random.nextInt(4) == 0) {
			stopAll();
		}
		else if (owner.isPresent()) {
			endTheOwner(owner.get());
		}
		else if (this.random.nextInt(20) == 0) {
			blockTheNextTick();
		}
		else if (this.random.nextInt(20) == 0 && checks().record().isFinished()) {
			this.operators.writeFutureTimes();
			Duration interval = SimulatedJobs.INTERVAL;
			expectRun(this.jobs.isCron() ? interval.plusSeconds(1) : interval.multipliedBy(2));
		}
		else {
			next = upTo(Duration.ofSeconds(2));
		}
		later(next, this::disturbOnce);
	}

	/** The ticks in between are made up for. */
	private void stopAll() {
		this.findings.count("times in which all nodes are stopped");
		Duration duration = SimulatedJobs.INTERVAL.multipliedBy(2);
		this.jobs.nodes().forEach((node) -> stop(node, duration));
		if (this.jobs.isCron()) {
			expectRun(duration.plus(SLACK.multipliedBy(2)));
		}
	}

	/** Another node begins the next attempt soon after, or records the crash. */
	private void endTheOwner(SimulatedNode node) {
		JobRun run = node.running().orElseThrow();
		if (this.random.nextInt(3) == 0) {
			this.jobs.shutDown(node, Duration.ofSeconds(20));
		}
		else {
			this.jobs.crash(node, Duration.ofSeconds(20));
		}
		long now = this.jobs.time().nanos();
		Duration without = this.scenario.has(JobScenario.Feature.BEANS) ? destroyAllBeans() : Duration.ZERO;
		// A heartbeat that is under way arrives.
		later(SLACK, () -> {
			long since = this.jobs.time().nanos() - node.process().lastWrite();
			Duration most = SimulatedProcess.LEASE.multipliedBy(2).plus(SLACK).minusNanos(since);
			// A node that reads the record anew may have to await a whole lease.
			Duration anew = without.isZero() ? Duration.ZERO : without.plus(SimulatedProcess.LEASE).plus(SLACK);
			Duration soon = (most.compareTo(anew) > 0) ? most : anew;
			// At a rate, nodes learn of a run by their next call.
			later(this.jobs.isCron() ? soon : soon.plus(SimulatedJobs.INTERVAL),
					() -> this.jobs.checks(run.job().key()).checkContinued(run, now));
		});
	}

	/**
	 * Each node destroys its beans, and creates another one later.
	 * @return the time until all of them have one again
	 */
	private Duration destroyAllBeans() {
		this.findings.count("times without any bean");
		for (int i = 0; i < this.jobs.nodes().size(); i++) {
			int index = i;
			later(upTo(Duration.ofSeconds(1)), () -> destroyAll(this.jobs.nodes().get(index)));
			later(Duration.ofSeconds(1).plus(upTo(WITHOUT_BEANS.minusSeconds(1))), () -> this.jobs.createAgain(index));
		}
		return WITHOUT_BEANS;
	}

	private void destroyAll(SimulatedNode node) {
		while (node.isAlive() && node.hasBean()) {
			node.destroy();
		}
	}

	/** A node that called the method itself dies shortly before a tick. */
	private void blockTheNextTick() {
		Duration before = Duration.ofMillis(300);
		Duration sinceTick = Duration.ofNanos(this.jobs.time().nanos() % SimulatedJobs.INTERVAL.toNanos());
		Duration delay = this.jobs.isCron() ? SimulatedJobs.INTERVAL.multipliedBy(2).minus(sinceTick).minus(before)
				: Duration.ZERO;
		later(delay, () -> {
			if (this.jobs.isSettling() || this.jobs.running().isPresent()) {
				return;
			}
			SimulatedNode node = this.jobs.any();
			this.findings.count("plain holders that died before a tick");
			node.doom(SimulatedNode.Moment.BEFORE_BODY);
			node.callPlainly();
			Duration most = before.plus(SimulatedProcess.LEASE.multipliedBy(2)).plus(SLACK);
			if (this.scenario.has(JobScenario.Feature.BEANS)) {
				// The tick that waits is started by a bean that did not exist then.
				later(before.plus(SLACK), this::destroyAllBeans);
				most = before.plus(SLACK.multipliedBy(2)).plus(WITHOUT_BEANS).plus(SimulatedProcess.LEASE);
			}
			expectRun(this.jobs.isCron() ? most : most.plus(SimulatedJobs.INTERVAL.multipliedBy(2)));
		});
	}

	/** Unless one is under way all the time, a run begins. */
	private void expectRun(Duration soon) {
		long now = this.jobs.time().nanos();
		later(soon, () -> {
			if (this.jobs.lastStart() < now && this.jobs.running().isEmpty()) {
				this.findings.violation("a tick that was due was not run");
			}
		});
	}

	private void disturb() {
		if (this.jobs.isSettling()) {
			return;
		}
		SimulatedNode node = this.jobs.any();
		int more = this.scenario.administered() ? 4 : (this.scenario.features().isEmpty() ? 0 : 8);
		switch (this.random.nextInt(12 + more)) {
			case 0 -> {
				this.findings.count("outages");
				this.jobs.network().fail(this.jobs.time(), upTo(Duration.ofSeconds(25)));
			}
			case 1, 2 -> {
				this.findings.count("crashes");
				this.jobs.crash(node);
			}
			case 3, 4 -> {
				this.findings.count("shutdowns");
				this.jobs.shutDown(node, upTo(Duration.ofSeconds(20)));
			}
			case 5, 6 -> node.doom(List.of(SimulatedNode.Moment.values()).get(this.random.nextInt(3)));
			case 7 -> stepClock(node);
			case 8 -> {
				this.findings.count("pauses of a process");
				node.process().pause(upTo(Duration.ofSeconds(8)));
			}
			case 9 -> {
				this.findings.count("nodes cut off");
				node.process().cutOff(upTo(Duration.ofSeconds(8)));
			}
			case 10 -> node.callPlainly();
			case 11 -> node.holdBesideTheJob(this.random.nextBoolean());
			default -> {
				if (this.scenario.administered()) {
					this.operators.administer();
				}
				else {
					disturbByFeature(node);
				}
			}
		}
		later(upTo(this.scenario.disturbances().multipliedBy(2)), this::disturb);
	}

	/** By a little, as time services do, or by a day, and back after a while. */
	private void stepClock(SimulatedNode node) {
		this.findings.count("clock steps");
		node.process().setClockError(this.jobs.clockError());
		if (this.random.nextInt(4) == 0) {
			this.jobs.daysOff(node.process());
		}
	}

	private void disturbByFeature(SimulatedNode node) {
		List<JobScenario.Feature> features = List.copyOf(this.scenario.features());
		switch (features.get(this.random.nextInt(features.size()))) {
			case BEANS -> disturbBeans(node);
			case KEYS -> changeKey();
			case APPLICATIONS -> {
				this.findings.count("crashes with two applications");
				this.jobs.owner().ifPresent(this.jobs::crash);
			}
			case STOPS -> stopAndStart(node);
		}
	}

	private void disturbBeans(SimulatedNode node) {
		int index = this.jobs.index(node);
		switch (this.random.nextInt(7)) {
			case 0, 1 -> refresh(node, index);
			case 2 -> {
				this.findings.count("beans that were destroyed for a while");
				destroyAll(node);
				later(upTo(Duration.ofSeconds(40)), () -> this.jobs.createAgain(index));
			}
			case 3 -> destroyAllBeans();
			case 4 -> {
				if (node.isAlive() && node.hasBean()) {
					this.findings.count("two beans of a job");
					node.create(this.jobs.schedule(index));
					later(upTo(Duration.ofSeconds(20)), () -> {
						if (node.isAlive() && node.hasBean()) {
							node.destroy();
							this.jobs.createAgain(index);
						}
					});
				}
			}
			default -> this.operators.changeSchedule();
		}
	}

	private void refresh(SimulatedNode node, int index) {
		if (node.isAlive() && node.hasBean()) {
			this.findings.count("refreshed beans");
			destroyAll(node);
			later(upTo(Duration.ofMillis(50)), () -> this.jobs.createAgain(index));
		}
	}

	/** To a new value, such as a date, or to one that it had. */
	private void changeKey() {
		this.findings.count("keys that changed");
		LockKey next = (this.random.nextInt(3) > 0) ? LockKey.of("job-" + this.keys.size())
				: this.keys.get(this.random.nextInt(this.keys.size()));
		if (!this.keys.contains(next)) {
			this.keys.add(next);
		}
		this.jobs.setKey(next);
		for (SimulatedNode node : this.jobs.nodes()) {
			later(upTo(Duration.ofSeconds(15)), () -> node.setKey(next));
		}
	}

	private void stopAndStart(SimulatedNode node) {
		switch (this.random.nextInt(4)) {
			case 0 -> {
				this.findings.count("times in which all nodes are stopped");
				this.jobs.nodes().forEach((each) -> stop(each, upTo(Duration.ofSeconds(40))));
			}
			case 1 -> {
				this.findings.count("stopped nodes");
				stop(node, upTo(Duration.ofSeconds(40)));
			}
			case 2 -> this.jobs.owner().ifPresent((owner) -> this.jobs.shutDown(owner, upTo(Duration.ofSeconds(20))));
			default -> pauseDuringAPlainHold();
		}
	}

	private void stop(SimulatedNode node, Duration duration) {
		if (!node.isAlive() || node.isStopped()) {
			return;
		}
		node.stop();
		later(duration, () -> {
			if (node.isAlive()) {
				this.findings.count("nodes that were started again");
				node.start();
			}
		});
	}

	private void pauseDuringAPlainHold() {
		this.pausing = true;
		this.jobs.any().holdBesideTheJob(this.random.nextBoolean());
	}

	/** A node holds the lock, and not for a run. */
	void holdsPlainly() {
		if (this.pausing && !this.jobs.isSettling()) {
			this.pausing = false;
			later(upTo(Duration.ofSeconds(1)), () -> {
				this.findings.count("pauses during a plain hold");
				this.operators.pause();
			});
		}
	}

}
