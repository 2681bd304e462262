/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What three nodes with one scheduled job send: the one that runs a tick, and those that
 * are refused it. ShedLock does the same jobs beside.
 */
final class JobsBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-jobs";

	private static final String SHEDLOCK_TABLE = "benchmark-jobs-shedlock";

	private static final Duration LEASE = Duration.ofSeconds(4);

	private static final int HEARTBEATS_OF_A_LEASE = 4;

	/** A run that goes on is read so often in a lease, at half a unit. */
	private static final double READS_OF_A_LEASE = 1 / 0.9;

	/** The read that finds the lock free, and the claim that is refused. */
	private static final double END_OF_A_WATCH = 1.5;

	private static final Duration LOCK_AT_MOST_FOR = Duration.ofSeconds(30);

	private static final Duration LOCK_AT_LEAST_FOR = Duration.ofSeconds(2);

	/** By how much the clocks of the nodes are wrong. */
	private static final List<Duration> CLOCKS = List.of(Duration.ofMillis(-400), Duration.ZERO,
			Duration.ofMillis(500));

	private final Plan brief;

	private final Plan enduring;

	/**
	 * @param brief a job that is over before the last node's tick
	 * @param enduring a job of several leases
	 */
	JobsBenchmark(Plan brief, Plan enduring) {
		this.brief = brief;
		this.enduring = enduring;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		database.createTable(SHEDLOCK_TABLE, Libraries.SHEDLOCK_KEY);
		Job brief = new Job(this.brief, true);
		Job shedLockBrief = new Job(this.brief, false);
		Job enduring = new Job(this.enduring, true);
		Job shedLockEnduring = new Job(this.enduring, false);
		List<Job> jobs = List.of(brief, shedLockBrief, enduring, shedLockEnduring);
		Workers.run(jobs.size() * CLOCKS.size(), (number) -> {
			Duration clock = CLOCKS.get(number % CLOCKS.size());
			new Node(database, jobs.get(number / CLOCKS.size()), clock).run();
		});
		List<Figure> figures = new ArrayList<>(ofBrief(brief));
		figures.addAll(information("ShedLock, short job", shedLockBrief));
		figures.addAll(ofEnduring(enduring));
		figures.addAll(information("ShedLock, long job", shedLockEnduring));
		return figures;
	}

	private List<Figure> ofBrief(Job job) {
		return List.of(runs("short job", job), figure("short job, writes of a run", job.writesOfARun(), 2),
				figure("short job, capacity of a run", job.unitsOfARun(), 2),
				figure("short job, capacity of a node that is refused, each tick", job.unitsOfATick(), 1));
	}

	private List<Figure> ofEnduring(Job job) {
		double leases = (double) this.enduring.body().toMillis() / LEASE.toMillis();
		double reads = Math.ceil(leases * READS_OF_A_LEASE) / 2;
		return List.of(runs("long job", job),
				figure("long job, writes of a run of " + format(leases) + " leases", job.writesOfARun(),
						2 + HEARTBEATS_OF_A_LEASE * leases),
				figure("long job, capacity of a node that is refused and watches, each tick", job.unitsOfATick(),
						1 + reads + END_OF_A_WATCH));
	}

	private static List<Figure> information(String name, Job job) {
		return List.of(new Figure(name + ", runs", job.ticksRun(), "for comparison", true),
				new Figure(name + ", writes of a run", format(job.writesOfARun()), "for comparison", true),
				new Figure(name + ", capacity of a node that is refused, each tick", format(job.unitsOfATick()),
						"for comparison", true));
	}

	private static Figure runs(String name, Job job) {
		return new Figure(name + ", runs", job.ticksRun(), "each tick once", job.runs.sum() == job.plan.ticks());
	}

	private static Figure figure(String name, double measured, double most) {
		return new Figure(name, format(measured), "at most " + format(most), measured <= most + 0.001);
	}

	private static String format(double number) {
		return String.format(Locale.ROOT, "%.2f", number);
	}

	/**
	 * When a job is due, and for how long.
	 *
	 * @param cron when it is due
	 * @param interval the time between two ticks
	 * @param body how long it takes
	 * @param ticks how often
	 */
	record Plan(String cron, Duration interval, Duration body, int ticks) {
	}

	/**
	 * A job, and what its nodes sent. Thread-safe.
	 */
	private static final class Job {

		private final Plan plan;

		private final boolean ours;

		/** All nodes are ready before the first tick. */
		private final Instant first;

		private final LongAdder runs = new LongAdder();

		/** What nodes wrote that ran a tick. */
		private final LongAdder writes = new LongAdder();

		/** The capacity that nodes consumed that ran a tick. */
		private final DoubleAdder runUnits = new DoubleAdder();

		/** The capacity that each of the others consumed until the next tick. */
		private final Samples refusals = new Samples();

		Job(Plan plan, boolean ours) {
			this.plan = plan;
			this.ours = ours;
			long interval = plan.interval().toSeconds();
			this.first = Instant.ofEpochSecond((Instant.now().getEpochSecond() + 10) / interval * interval)
				.plus(plan.interval());
		}

		String ticksRun() {
			return this.runs.sum() + " of " + this.plan.ticks() + " ticks";
		}

		double writesOfARun() {
			return (double) this.writes.sum() / this.runs.sum();
		}

		double unitsOfARun() {
			return this.runUnits.sum() / this.runs.sum();
		}

		/** The median: on a busy machine, some nodes meet a run that should be over. */
		double unitsOfATick() {
			return this.refusals.median();
		}

	}

	/** One node, whose scheduler has one thread. */
	private static final class Node {

		private final CallMeter calls = new CallMeter();

		private final CapacityMeter capacity = new CapacityMeter();

		private final DynamoDbClient dynamoDb;

		private final Job job;

		private final Clock clock;

		private final JobRunner runner;

		private boolean ran;

		Node(DatabaseProcess database, Job job, Duration error) {
			this.dynamoDb = database.newClient(this.calls, this.capacity);
			this.job = job;
			this.clock = Clock.offset(Clock.systemUTC(), error);
			String name = "job of " + job.plan.body();
			this.runner = job.ours
					? new ScheduledLockJob(this.dynamoDb, TABLE, name, job.plan.cron(), this.clock, LEASE)
					: shedLock(this.dynamoDb, name);
		}

		/** The lock is held longer than the nodes' clocks differ. */
		private static JobRunner shedLock(DynamoDbClient dynamoDb, String name) {
			LockingTaskExecutor executor = new DefaultLockingTaskExecutor(
					new DynamoDBLockProvider(dynamoDb, SHEDLOCK_TABLE));
			return (body) -> executor.executeWithLock(body,
					new LockConfiguration(Instant.now(), name, LOCK_AT_MOST_FOR, LOCK_AT_LEAST_FOR));
		}

		void run() throws InterruptedException {
			try (this.runner; this.dynamoDb) {
				for (int number = 0; number < this.job.plan.ticks(); number++) {
					tick(this.job.first.plus(this.job.plan.interval().multipliedBy(number)));
				}
			}
		}

		/** Until shortly before the next tick, so that what follows the tick counts. */
		private void tick(Instant tick) throws InterruptedException {
			sleepUntil(tick);
			long writesBefore = this.calls.writes();
			double unitsBefore = this.capacity.units();
			this.ran = false;
			this.runner.tick(this::body);
			sleepUntil(tick.plus(this.job.plan.interval()).minusMillis(200));
			double units = this.capacity.units() - unitsBefore;
			if (this.ran) {
				this.job.runs.increment();
				this.job.writes.add(this.calls.writes() - writesBefore);
				this.job.runUnits.add(units);
			}
			else {
				this.job.refusals.add(units);
			}
		}

		private void sleepUntil(Instant time) throws InterruptedException {
			Thread.sleep(Math.max(0, Duration.between(this.clock.instant(), time).toMillis() + 1));
		}

		private void body() {
			this.ran = true;
			try {
				Thread.sleep(this.job.plan.body().toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
