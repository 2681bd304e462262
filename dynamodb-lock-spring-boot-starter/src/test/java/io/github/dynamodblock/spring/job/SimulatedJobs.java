/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

/**
 * Several nodes with one job, in virtual time and one thread. The nodes decide by the
 * real {@link JobRuns} and the real conditions; the lock is a model of the client's: a
 * claim is one conditional write, and an owner is taken over from when its version was
 * seen unchanged for a lease.
 */
final class SimulatedJobs {

	static final Duration INTERVAL = Duration.ofSeconds(10);

	static final Duration LEASE = Duration.ofSeconds(3);

	private static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

	private static final int NODES = 5;

	/** Sends nothing: this class stands for it. */
	private static final LockClient CLIENT = Mockito.mock(LockClient.class);

	private static final LockKey KEY = LockKey.of("job");

	final Map<String, Integer> starts = new TreeMap<>();

	final List<Long> rerunDelays = new ArrayList<>();

	/** How many runs were started manually. */
	int manual;

	/** How early a call was that claimed a tick, by the clock of its node. */
	Duration mostEarly = Duration.ZERO;

	private final Map<Instant, String> fates = new TreeMap<>();

	private final Random random;

	private final int ticks;

	private final OnCrash onCrash;

	private final boolean harsh;

	private final PriorityQueue<Task> tasks = new PriorityQueue<>();

	private final List<Node> nodes = new ArrayList<>();

	private @Nullable LockRecord item;

	private long now = BEGIN;

	private long sequence;

	private long outageUntil;

	private long lastWrite;

	/**
	 * Prepares a run.
	 * @param harsh whether clocks and timers differ as far as is allowed, and everything
	 * fails at times; otherwise nodes are killed one at a time in the middle of a run
	 */
	SimulatedJobs(long seed, int ticks, OnCrash onCrash, boolean harsh) {
		this.random = new Random(seed);
		this.ticks = ticks;
		this.onCrash = onCrash;
		this.harsh = harsh;
	}

	void run() {
		for (int i = 0; i < NODES; i++) {
			// Any two clocks differ by less than half the interval.
			double share = this.harsh ? 0.99 : 0.01;
			long offset = (long) ((this.random.nextDouble() - 0.5) * share * INTERVAL.toMillis() / 2);
			Node node = new Node("node-" + i, offset);
			this.nodes.add(node);
			node.up();
			node.scheduleTick(1);
		}
		at(this.now + 20_000, this.harsh ? this::disturb : this::killTheOwner);
		long end = BEGIN + (this.ticks + 1) * INTERVAL.toMillis();
		while (!this.tasks.isEmpty() && this.tasks.peek().at() <= end) {
			Task task = this.tasks.poll();
			this.now = task.at();
			task.action().run();
		}
	}

	/** Ticks before the last run that finished, which are neither run nor reported. */
	List<Instant> lost() {
		List<Instant> lost = new ArrayList<>();
		Instant last = JobLedger.of(Objects.requireNonNull(this.item)).finishedTick().orElseThrow();
		Instant first = this.fates.keySet().iterator().next();
		for (Instant tick = first; !tick.isAfter(last); tick = tick.plus(INTERVAL)) {
			if (!this.fates.containsKey(tick)) {
				lost.add(tick);
			}
		}
		return lost;
	}

	long count(String fate) {
		return this.fates.values().stream().filter(fate::equals).count();
	}

	private void disturb() {
		Node victim = this.nodes.get(this.random.nextInt(NODES));
		switch (this.random.nextInt(5)) {
			case 0 -> this.outageUntil = this.now + this.random.nextInt(25_000);
			case 1 -> victim.loseAnswer = true;
			case 2 -> victim.runNow();
			default -> victim.kill(1_000 + this.random.nextInt(30_000));
		}
		at(this.now + 500 + this.random.nextInt(60_000), this::disturb);
	}

	private void killTheOwner() {
		Optional<Node> owner = this.nodes.stream().filter((node) -> node.running).findAny();
		owner.ifPresent((node) -> node.kill(20_000));
		at(this.now + (owner.isPresent() ? 60_000 : 50), this::killTheOwner);
	}

	private void at(long time, Runnable action) {
		this.tasks.add(new Task(time, this.sequence++, action));
	}

	private boolean isOut() {
		return this.now < this.outageUntil;
	}

	/** One node, which loses what it knows when it is killed. */
	private final class Node implements JobClock, JobListener {

		private final String name;

		private final long offset;

		private final LockedJob job;

		private JobRuns runs;

		/** Counts the processes of this node; tasks of a dead one do nothing. */
		private int process;

		private boolean alive;

		private boolean running;

		private boolean loseAnswer;

		private String seenVersion = "";

		private long seenSince;

		Node(String name, long offset) {
			this.name = name;
			this.runs = newRuns();
			this.offset = offset;
			this.job = new LockedJob("job", KEY, "Job.run()", JobSchedule.cron("*/10 * * * * *", ZoneOffset.UTC),
					SimulatedJobs.this.onCrash, 3, OnMissed.SKIP, CLIENT);
		}

		@Override
		public Instant now() {
			return Instant.ofEpochMilli(SimulatedJobs.this.now + this.offset);
		}

		private JobRuns newRuns() {
			return new JobRuns(this, (delay, task) -> later(delay.toMillis(), task), this);
		}

		void up() {
			this.alive = true;
			this.running = false;
			this.runs = newRuns();
			if (!isOut()) {
				this.runs.open(this.job, Optional.ofNullable(SimulatedJobs.this.item).map(JobLedger::of), this::start);
			}
		}

		void kill(long downtime) {
			if (this.alive) {
				this.alive = false;
				this.process++;
				this.runs.close();
				this.seenVersion = "";
				at(SimulatedJobs.this.now + downtime, this::up);
			}
		}

		private void later(long delay, Runnable task) {
			int mine = this.process;
			at(SimulatedJobs.this.now + delay, () -> {
				if (this.alive && this.process == mine) {
					task.run();
				}
			});
		}

		/** The timer is early or late, and the scheduler's thread may be busy. */
		void scheduleTick(int number) {
			if (number > SimulatedJobs.this.ticks) {
				return;
			}
			long nominal = BEGIN + number * INTERVAL.toMillis() - this.offset;
			boolean busy = SimulatedJobs.this.harsh && SimulatedJobs.this.random.nextInt(10) == 0;
			long late = SimulatedJobs.this.random.nextInt(busy ? 9_000 : 30) - 10L;
			at(nominal + late, () -> {
				if (this.alive && !this.running) {
					this.runs.tick(this.job, this::start).ifPresent((start) -> {
						Duration early = Duration.between(now(), start.run().tick());
						SimulatedJobs.this.mostEarly = (early.compareTo(SimulatedJobs.this.mostEarly) > 0) ? early
								: SimulatedJobs.this.mostEarly;
						claim(start);
					});
				}
			});
			at(nominal + INTERVAL.toMillis() / 2, () -> scheduleTick(number + 1));
		}

		private void start(JobStart start) {
			later(SimulatedJobs.this.random.nextInt(20), () -> {
				if (!this.running) {
					claim(start);
				}
			});
		}

		private void runNow() {
			if (this.alive) {
				start(JobStart.manual(this.job, now()));
			}
		}

		private void claim(JobStart start) {
			if (isOut()) {
				later(2_000, () -> this.runs.failed(start));
				return;
			}
			LockRequest request = start.claim(LockRequest.of(KEY), this.name);
			ItemCondition condition = request.condition().orElseThrow();
			LockRecord found = SimulatedJobs.this.item;
			if (found != null && !found.isReleased() && !canTakeOver(found)) {
				long rest = LEASE.toMillis() - (SimulatedJobs.this.now - this.seenSince);
				this.runs.refused(start, new LockNotGrantedException(KEY, "held", found, Duration.ofMillis(rest)));
				return;
			}
			if (!condition.holds((found != null) ? found.attributes() : Map.of())) {
				this.runs.refused(start, new ConditionNotMetException(KEY, condition, found));
				return;
			}
			long silentSince = SimulatedJobs.this.lastWrite;
			LockRecord claimed = write(LockRecord.builder(KEY, this.name, LEASE, version())
				.attributes((found != null) ? found.attributes() : Map.of())
				.change(request.change())
				.build());
			if (start.isRerun()) {
				SimulatedJobs.this.rerunDelays.add(SimulatedJobs.this.now - silentSince);
			}
			granted(start, claimed);
		}

		private void granted(JobStart start, LockRecord claimed) {
			if (this.loseAnswer) {
				this.loseAnswer = false;
				// The client releases what an unanswered claim has taken.
				later(1_500, () -> release(claimed, claimed.toBuilder()));
				later(2_000, () -> this.runs.failed(start));
				return;
			}
			this.running = true;
			later(SimulatedJobs.this.random.nextInt(5), () -> begin(start, claimed));
		}

		private void begin(JobStart start, LockRecord claimed) {
			this.runs.started(start, claimed);
			if (start.run().manual()) {
				SimulatedJobs.this.manual++;
			}
			else {
				String id = start.run().tick()
						+ ((SimulatedJobs.this.onCrash == OnCrash.RERUN) ? " #" + start.run().attempt() : "");
				SimulatedJobs.this.starts.merge(id, 1, Integer::sum);
				SimulatedJobs.this.fates.put(start.run().tick(), "run");
			}
			long duration = (SimulatedJobs.this.random.nextInt(20) == 0) ? SimulatedJobs.this.random.nextInt(15_000)
					: SimulatedJobs.this.random.nextInt(1_500);
			heartbeat(start, claimed, SimulatedJobs.this.now + duration);
		}

		private void heartbeat(JobStart start, LockRecord mine, long end) {
			long next = SimulatedJobs.this.now + LEASE.toMillis() / 4;
			if (next >= end) {
				later(end - SimulatedJobs.this.now, () -> finish(start, mine));
				return;
			}
			later(LEASE.toMillis() / 4, () -> {
				boolean renewed = !isOut() && isItem(mine);
				heartbeat(start, renewed ? write(mine.toBuilder().recordVersionNumber(version()).build()) : mine, end);
			});
		}

		private void finish(JobStart start, LockRecord mine) {
			this.running = false;
			release(mine, mine.toBuilder().change(this.runs.ended(start, null).change()));
		}

		/** Repeated for a lease, while the table does not answer. */
		private void release(LockRecord mine, LockRecord.Builder released) {
			if (isOut()) {
				later(1_000, () -> release(mine, released));
			}
			else if (isItem(mine)) {
				write(released.recordVersionNumber(version()).released(true).build());
			}
		}

		private boolean isItem(LockRecord mine) {
			LockRecord found = SimulatedJobs.this.item;
			return found != null && found.recordVersionNumber().equals(mine.recordVersionNumber());
		}

		private LockRecord write(LockRecord next) {
			SimulatedJobs.this.item = next;
			SimulatedJobs.this.lastWrite = SimulatedJobs.this.now;
			return next;
		}

		private String version() {
			return Long.toString(SimulatedJobs.this.sequence++);
		}

		private boolean canTakeOver(LockRecord found) {
			if (!found.recordVersionNumber().equals(this.seenVersion)) {
				this.seenVersion = found.recordVersionNumber();
				this.seenSince = SimulatedJobs.this.now;
			}
			return SimulatedJobs.this.now - this.seenSince >= LEASE.toMillis();
		}

		@Override
		public void onMissed(LockedJob missed, List<Instant> all, boolean runOnce) {
			all.forEach((tick) -> SimulatedJobs.this.fates.putIfAbsent(tick, "missed"));
		}

		@Override
		public void onCrashed(JobRun run, boolean rerun) {
			if (!run.manual()) {
				SimulatedJobs.this.fates.putIfAbsent(run.tick(), "crashed");
			}
		}

	}

	/** What happens at a time. */
	private record Task(long at, long sequence, Runnable action) implements Comparable<Task> {

		@Override
		public int compareTo(Task other) {
			return (this.at != other.at) ? Long.compare(this.at, other.at)
					: Long.compare(this.sequence, other.sequence);
		}

	}

}
