/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one job. Thread-safe.
 */
final class JobState {

	private static final int MOST_MISSED = 1_000;

	private final Lock mutex = new ReentrantLock();

	private @Nullable LockedJob job;

	private @Nullable Consumer<JobStart> starter;

	private JobLedger seen = JobLedger.of(Map.of());

	/** Ticks that this node has started or reported, since the last run that finished. */
	private final NavigableSet<Instant> known = new TreeSet<>();

	/**
	 * The first tick that a manual run delayed, until this node knows of a later one. If
	 * no tick has finished yet, ticks are counted from it.
	 */
	private @Nullable Instant delayed;

	private List<String> problems = List.of();

	private long begun;

	/** Counts plans, of which the last one is valid. */
	private long plan;

	/** A manual run that was requested on this node, until it starts. */
	private @Nullable JobStart queued;

	void use(LockedJob job, Consumer<JobStart> starter) {
		locked(() -> {
			this.job = job;
			this.starter = starter;
			return null;
		});
	}

	LockedJob job() {
		return locked(() -> Objects.requireNonNull(this.job));
	}

	Consumer<JobStart> starter() {
		return locked(() -> Objects.requireNonNull(this.starter));
	}

	JobLedger seen() {
		return locked(() -> this.seen);
	}

	void see(JobLedger ledger) {
		locked(() -> {
			this.seen = ledger;
			Instant first = this.delayed;
			if (first != null && ledger.tick().filter((tick) -> !tick.isBefore(first)).isPresent()) {
				this.delayed = null;
			}
			return null;
		});
	}

	/** Notes that a manual run is in the way of a tick. */
	void delay(Instant tick) {
		locked(() -> {
			this.delayed = (this.delayed != null) ? this.delayed : tick;
			return null;
		});
	}

	private void know(Instant tick) {
		this.known.add(tick);
		while (this.known.size() > MOST_MISSED) {
			this.known.pollFirst();
		}
	}

	/**
	 * Notes that a run starts on this node.
	 * @return what became of earlier ticks
	 */
	Gap started(JobStart start, LockRecord lock) {
		return locked(() -> {
			this.begun = System.nanoTime();
			JobLedger after = JobLedger.of(lock);
			Gap gap = gap(start, this.seen, after);
			see(after);
			return gap;
		});
	}

	private Gap gap(JobStart start, JobLedger before, JobLedger after) {
		List<JobRun> crashes = new ArrayList<>();
		manualCrash(start, before, after).ifPresent(crashes::add);
		if (start.run().manual()) {
			return new Gap(crashes, List.of());
		}
		JobRun crashed = crashed(start, before, after);
		if (crashed != null) {
			know(crashed.tick());
			crashes.add(crashed);
		}
		List<Instant> missed = missed(start, after);
		know(start.run().tick());
		missed.forEach(this::know);
		return new Gap(crashes, missed);
	}

	/**
	 * The latest manual run, if it did not finish, and if this node has seen no tick that
	 * started after it and reported it. A tick keeps what it wrote. A further manual run
	 * replaces that, so that what was read at its request counts.
	 */
	private static Optional<JobRun> manualCrash(JobStart start, JobLedger before, JobLedger after) {
		boolean replaced = start.run().manual();
		JobLedger left = replaced ? before : after;
		if (left.isManualFinished() || (replaced && !before.finishedAt().equals(after.finishedAt()))) {
			return Optional.empty();
		}
		return left.manual()
			.filter((at) -> before.isManual() || !before.manual().equals(left.manual()))
			.map((at) -> new JobRun(start.run().job(), at, 1, true));
	}

	/** The claim keeps the end of the run that finished last. */
	private static @Nullable JobRun crashed(JobStart start, JobLedger before, JobLedger after) {
		JobRun run = start.run();
		if (start.isRerun()) {
			return new JobRun(run.job(), run.tick(), run.attempt() - 1);
		}
		Instant last = before.tick().orElse(null);
		if (last == null || before.isTickFinished() || !last.isBefore(run.tick())) {
			return null;
		}
		boolean finishedSince = after.finishedTick().filter((tick) -> !tick.isBefore(last)).isPresent();
		return finishedSince ? null : new JobRun(run.job(), last, before.attempt());
	}

	private List<Instant> missed(JobStart start, JobLedger after) {
		JobRun run = start.run();
		JobSchedule schedule = run.job().schedule();
		Instant finished = after.isOf(schedule) ? after.finishedTick().orElse(null) : null;
		if (finished == null && this.delayed == null) {
			return List.of();
		}
		// The delayed tick did not run either.
		Instant from = (finished != null) ? finished : Objects.requireNonNull(this.delayed).minusMillis(1);
		this.known.headSet(from).clear();
		return schedule.between(from, run.tick(), MOST_MISSED)
			.stream()
			.filter((tick) -> !this.known.contains(tick))
			.toList();
	}

	Duration ended() {
		return locked(() -> Duration.ofNanos(System.nanoTime() - this.begun));
	}

	boolean isNewProblem(List<String> found) {
		return locked(() -> {
			boolean other = !this.problems.equals(found);
			this.problems = found;
			return other;
		});
	}

	/** Notes a manual run that was requested, and returns whether none waits to start. */
	boolean queue(JobStart manual) {
		return locked(() -> {
			boolean first = this.queued == null;
			this.queued = first ? manual : this.queued;
			return first;
		});
	}

	/** Forgets a manual run that has started, or never will. */
	void dequeue(JobStart manual) {
		locked(() -> this.queued = manual.equals(this.queued) ? null : this.queued);
	}

	void dequeue() {
		locked(() -> this.queued = null);
	}

	long newPlan() {
		return locked(() -> ++this.plan);
	}

	void cancelPlan() {
		newPlan();
	}

	/** Returns whether a plan is still the last one, and takes it. */
	boolean takePlan(long number) {
		return locked(() -> {
			boolean last = this.plan == number;
			this.plan += last ? 1 : 0;
			return last;
		});
	}

	private <T extends @Nullable Object> T locked(Supplier<T> action) {
		this.mutex.lock();
		try {
			return action.get();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * What became of the ticks before one that starts.
	 *
	 * @param crashes runs that did not finish
	 * @param missed ticks that were not started
	 */
	record Gap(List<JobRun> crashes, List<Instant> missed) {
	}

}
