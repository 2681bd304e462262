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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

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
		database.createTable(SHEDLOCK_TABLE, CycleClients.SHEDLOCK_KEY);
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<Future<Sums>> sums = Stream
				.of(job(database, threads, this.brief, true), job(database, threads, this.brief, false),
						job(database, threads, this.enduring, true), job(database, threads, this.enduring, false))
				.map(threads::submit)
				.toList();
			List<Figure> figures = new ArrayList<>(ofBrief(get(sums.get(0))));
			figures.addAll(information("ShedLock, short job", get(sums.get(1))));
			figures.addAll(ofEnduring(get(sums.get(2))));
			figures.addAll(information("ShedLock, long job", get(sums.get(3))));
			return figures;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private List<Figure> ofBrief(Sums sums) {
		return List.of(runs("short job", sums), figure("short job, writes of a run", sums.writesOfARun(), 2),
				figure("short job, capacity of a run", sums.unitsOfARun(), 2),
				figure("short job, capacity of a node that is refused, each tick", sums.unitsOfATick(), 1));
	}

	private List<Figure> ofEnduring(Sums sums) {
		double leases = (double) this.enduring.body().toMillis() / LEASE.toMillis();
		double reads = Math.ceil(leases * READS_OF_A_LEASE) / 2;
		return List.of(runs("long job", sums),
				figure("long job, writes of a run of " + format(leases) + " leases", sums.writesOfARun(),
						2 + HEARTBEATS_OF_A_LEASE * leases),
				figure("long job, capacity of a node that is refused and watches, each tick", sums.unitsOfATick(),
						1 + reads + END_OF_A_WATCH));
	}

	private static List<Figure> information(String name, Sums sums) {
		return List.of(
				new Figure(name + ", runs", sums.runs() + " of " + sums.ticks() + " ticks", "for comparison", true),
				new Figure(name + ", writes of a run", format(sums.writesOfARun()), "for comparison", true),
				new Figure(name + ", capacity of a node that is refused, each tick", format(sums.unitsOfATick()),
						"for comparison", true));
	}

	private static Figure runs(String name, Sums sums) {
		return new Figure(name + ", runs", sums.runs() + " of " + sums.ticks() + " ticks", "each tick once",
				sums.runs() == sums.ticks());
	}

	private static Figure figure(String name, double measured, double most) {
		return new Figure(name, format(measured), "at most " + format(most), measured <= most + 0.001);
	}

	private static String format(double number) {
		return String.format(Locale.ROOT, "%.2f", number);
	}

	private static Sums get(Future<Sums> sums) throws InterruptedException {
		try {
			return sums.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A job was not measured", ex.getCause());
		}
	}

	/** Three nodes, all of which are ready before the first tick. */
	private static Callable<Sums> job(DatabaseProcess database, ExecutorService threads, Plan plan, boolean ours) {
		return () -> {
			Instant first = Instant
				.ofEpochSecond((Instant.now().getEpochSecond() + 10) / plan.interval().toSeconds()
						* plan.interval().toSeconds())
				.plus(plan.interval());
			List<Future<Sums>> nodes = new ArrayList<>();
			for (Duration clock : CLOCKS) {
				nodes.add(threads.submit(() -> new Node(database, plan, clock, ours).run(first)));
			}
			Sums all = Sums.NONE;
			for (Future<Sums> node : nodes) {
				all = all.plus(node.get());
			}
			return new Sums(plan.ticks(), all.runs(), all.writes(), all.runUnits(), all.refusals());
		};
	}

	/**
	 * A job.
	 *
	 * @param cron when it is due
	 * @param interval the time between two ticks
	 * @param body how long it takes
	 * @param ticks how often
	 */
	record Plan(String cron, Duration interval, Duration body, int ticks) {
	}

	/**
	 * What nodes sent.
	 *
	 * @param ticks how many ticks there were
	 * @param runs how often a node ran the job
	 * @param writes what those that ran it wrote
	 * @param runUnits the capacity that those consumed
	 * @param refusals the capacity that each of the others consumed until the next tick
	 */
	private record Sums(int ticks, int runs, long writes, double runUnits, List<Double> refusals) {

		static final Sums NONE = new Sums(0, 0, 0, 0, List.of());

		Sums plus(Sums other) {
			return new Sums(this.ticks, this.runs + other.runs, this.writes + other.writes,
					this.runUnits + other.runUnits,
					Stream.concat(this.refusals.stream(), other.refusals.stream()).toList());
		}

		double writesOfARun() {
			return (double) this.writes / this.runs;
		}

		double unitsOfARun() {
			return this.runUnits / this.runs;
		}

		/** The median: on a busy machine, some nodes meet a run that should be over. */
		double unitsOfATick() {
			return this.refusals.stream().sorted().skip(this.refusals.size() / 2).findFirst().orElseThrow();
		}

	}

	/** One node, whose scheduler has one thread. */
	private static final class Node {

		private final CallMeter calls = new CallMeter();

		private final CapacityMeter capacity = new CapacityMeter();

		private final DynamoDbClient dynamoDb;

		private final Plan plan;

		private final Clock clock;

		private final JobRunner runner;

		private boolean ran;

		Node(DatabaseProcess database, Plan plan, Duration error, boolean ours) {
			this.dynamoDb = database.newClient(this.calls, this.capacity);
			this.plan = plan;
			this.clock = Clock.offset(Clock.systemUTC(), error);
			String name = "job of " + plan.body();
			this.runner = ours ? new ScheduledLockJob(this.dynamoDb, TABLE, name, plan.cron(), this.clock, LEASE)
					: new ShedLockJob(this.dynamoDb, SHEDLOCK_TABLE, name);
		}

		Sums run(Instant first) throws InterruptedException {
			try (this.runner; this.dynamoDb) {
				Sums sums = Sums.NONE;
				for (int number = 0; number < this.plan.ticks(); number++) {
					sums = sums.plus(tick(first.plus(this.plan.interval().multipliedBy(number))));
				}
				return sums;
			}
		}

		/** Until shortly before the next tick, so that what follows the tick counts. */
		private Sums tick(Instant tick) throws InterruptedException {
			sleepUntil(tick);
			long writesBefore = this.calls.writes();
			double unitsBefore = this.capacity.units();
			this.ran = false;
			this.runner.tick(this.clock.instant(), this::body);
			sleepUntil(tick.plus(this.plan.interval()).minusMillis(200));
			double units = this.capacity.units() - unitsBefore;
			return this.ran ? new Sums(0, 1, this.calls.writes() - writesBefore, units, List.of())
					: new Sums(0, 0, 0, 0, List.of(units));
		}

		private void sleepUntil(Instant time) throws InterruptedException {
			Thread.sleep(Math.max(0, Duration.between(this.clock.instant(), time).toMillis() + 1));
		}

		private void body() {
			this.ran = true;
			try {
				Thread.sleep(this.plan.body().toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
