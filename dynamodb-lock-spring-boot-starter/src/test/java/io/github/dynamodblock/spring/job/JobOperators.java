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

import io.github.dynamodblock.LockKey;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What people do to the simulated job: they delete and edit its record, pause it, and
 * deploy another schedule.
 */
final class JobOperators {

	private static final JobSchedule OTHER = JobSchedule.cron("5/10 * * * * *", ZoneOffset.ofHours(1));

	private static final JobSchedule USUAL_AGAIN = JobSchedule.cron("*/10 * * * * *", ZoneOffset.ofHours(1));

	private final SimulatedJobs jobs;

	private final SimulatedTable table;

	private boolean changing;

	private int writes;

	private boolean pausing;

	JobOperators(SimulatedJobs jobs, SimulatedTable table) {
		this.jobs = jobs;
		this.table = table;
	}

	/** The schedules that the job has at some time. */
	List<JobSchedule> schedules() {
		return List.of(this.jobs.scenario().schedule(), OTHER, USUAL_AGAIN);
	}

	void administer() {
		LockKey key = this.jobs.key();
		switch (this.jobs.random().nextInt(7)) {
			case 0 -> {
				this.jobs.findings().count("deleted items");
				this.table.delete(key);
				this.jobs.checks(key).replaced(JobRecord.NONE);
			}
			case 1 -> changeSchedule();
			case 2 -> write(Map.of("jobOutcome", AttributeValue.fromS("POSTPONED"), "jobColour",
					AttributeValue.fromL(List.of(AttributeValue.fromS("blue")))));
			case 3 -> {
				if (this.jobs.checks(key).record().isFinished()) {
					writeFutureTimes();
					this.jobs.network().delay(this.jobs.time());
				}
			}
			default -> pause();
		}
	}

	/** A node without a check of its clock has run the job, and may have crashed. */
	void writeFutureTimes() {
		this.jobs.findings().count("records of a wrong clock");
		Instant future = SimulatedTime.BEGIN.plus(Duration.ofDays(1))
			.plus(SimulatedJobs.INTERVAL.multipliedBy(this.writes++));
		AttributeValue time = AttributeValue.fromN(Long.toString(future.toEpochMilli()));
		Map<String, AttributeValue> values = new HashMap<>(Map.of("jobTick", time, "jobStartedAt", time, "jobAttempt",
				AttributeValue.fromN("1"), "jobFinishedAt", time));
		if (this.jobs.random().nextBoolean()) {
			values.put("jobFinishedTick", time);
		}
		write(values);
		JobChecks checks = this.jobs.checks(this.jobs.key());
		checks.replaced(checks.record());
	}

	private void write(Map<String, AttributeValue> attributes) {
		LockKey key = this.jobs.key();
		if (this.jobs.checks(key).record().tick().isPresent()) {
			this.jobs.findings().count("edited records");
			this.table.update(key, attributes);
			this.jobs.checks(key).edited(this.table.read(key));
		}
	}

	void pause() {
		SimulatedNode node = this.jobs.any();
		if (!this.pausing && node.isAlive() && node.process().isConnected()) {
			this.pausing = true;
			this.jobs.findings().count("pauses");
			node.job().pause("stock-taking");
			LockKey key = node.job().key();
			this.jobs.checks(key).paused(true);
			this.jobs.later(this.jobs.upTo(Duration.ofSeconds(60)), () -> resume(key));
		}
	}

	/** Until a node is there for it. */
	private void resume(LockKey key) {
		SimulatedNode node = this.jobs.any();
		if (node.isAlive() && node.process().isConnected()) {
			this.jobs.checks(key).paused(false);
			node.job(key, this.jobs.scenario().schedule()).resume();
			this.pausing = false;
		}
		else {
			this.jobs.later(Duration.ofSeconds(1), () -> resume(key));
		}
	}

	/**
	 * One node after the other gets another expression: it is shut down and comes up
	 * again, or its bean is refreshed.
	 */
	void changeSchedule() {
		if (this.changing || !this.jobs.isCron()) {
			return;
		}
		this.changing = true;
		this.jobs.findings().count("rolling changes of the schedule");
		boolean usual = this.jobs.schedule(0).toString().contains("*/10");
		JobSchedule next = usual ? OTHER : USUAL_AGAIN;
		for (int i = 0; i < this.jobs.nodes().size(); i++) {
			int index = i;
			this.jobs.later(Duration.ofSeconds(8L * i), () -> {
				this.jobs.setSchedule(index, next);
				SimulatedNode node = this.jobs.nodes().get(index);
				if (!this.jobs.scenario().has(JobScenario.Feature.BEANS)) {
					this.jobs.shutDown(node, Duration.ofSeconds(1));
				}
				else if (node.isAlive() && node.hasBean()) {
					this.jobs.findings().count("refreshed beans with another schedule");
					node.destroy();
					node.create(next);
				}
			});
		}
		this.jobs.later(Duration.ofMinutes(2), () -> {
			this.changing = false;
		});
	}

}
