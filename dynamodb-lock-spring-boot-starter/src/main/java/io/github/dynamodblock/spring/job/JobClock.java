/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.ServiceTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ConcurrentLruCache;

/**
 * The clock by which this node decides which tick is due. Before a tick is claimed, the
 * clock is compared with DynamoDB's, because a tick that is claimed a day early would
 * block all other nodes until then. While the clocks agree, this makes no call, except
 * for one read of the job's lock if DynamoDB has not answered for a long time.
 * Thread-safe.
 *
 * <pre class="code">
 * &#64;Bean
 * JobClock jobClock() {
 *     return new JobClock(Clock.systemUTC(), Duration.ofSeconds(30));
 * }
 * </pre>
 */
public class JobClock {

	private static final Logger logger = LoggerFactory.getLogger(JobClock.class);

	/** DynamoDB's time has a resolution of one second, and a server may reuse it. */
	private static final Duration SMALLEST = Duration.ofSeconds(2);

	private final InstantSource clock;

	private final Duration tolerance;

	/** Bounded, but larger than the number of jobs in an application. */
	private final ConcurrentLruCache<JobSchedule, Duration> limits = new ConcurrentLruCache<>(1_000, this::limit);

	/** The limits that the difference exceeded at the last comparison. */
	private final Set<Duration> exceeded = new HashSet<>();

	/**
	 * Creates a clock.
	 * @param clock this node's clock
	 * @param tolerance the maximum difference from DynamoDB's clock, at least 2 s. For a
	 * job with short intervals, it is half an interval, but at least 2 s.
	 * @throws IllegalArgumentException if the tolerance is less than 2 s
	 */
	public JobClock(InstantSource clock, Duration tolerance) {
		if (tolerance.compareTo(SMALLEST) < 0) {
			throw new IllegalArgumentException("must be at least " + LogText.of(SMALLEST)
					+ ", because DynamoDB's clock cannot be read more precisely");
		}
		this.clock = clock;
		this.tolerance = tolerance;
	}

	/**
	 * {@return the time by the node's clock}
	 */
	public Instant now() {
		return this.clock.instant();
	}

	/**
	 * {@return the reading of a monotonic clock in nanoseconds, which measures the
	 * duration of runs}
	 */
	public long nanoTime() {
		return System.nanoTime();
	}

	/**
	 * Reads the clock, whether or not it is right.
	 * @param job the job
	 * @return the reading
	 */
	protected Reading read(LockedJob job) {
		// In this order: a pause in between must not date the run too early.
		long nanoTime = nanoTime();
		return new Reading(now(), limit(job), nanoTime);
	}

	/**
	 * Reads the clock to start a run of a job. If DynamoDB's time is unknown, as with
	 * tables in memory, the clock is accepted.
	 * @param job the job
	 * @return the reading; empty if the clock is too inaccurate to start a run
	 * @throws LockException if DynamoDB does not answer, and its last answer does not
	 * show that the clock is right
	 */
	public Optional<Reading> checked(LockedJob job) {
		Duration limit = limit(job);
		// Long after an answer, or after a slow one, DynamoDB's time is so uncertain that
		// almost any clock seems right.
		if (!isKnown(job, limit, (time) -> time.uncertainty().compareTo(limit) <= 0)) {
			try {
				job.client().find(job.key());
			}
			catch (LockException ex) {
				// An old answer, such as from before this machine was suspended, does not
				// prove that the clock is wrong.
				if (!isKnown(job, limit, (time) -> true)) {
					throw ex;
				}
			}
		}
		Reading reading = read(job);
		boolean wrong = job.client().serviceTime().filter((time) -> !isAccepted(time, reading.at(), limit)).isPresent();
		return wrong ? Optional.empty() : Optional.of(reading);
	}

	private boolean isKnown(LockedJob job, Duration limit, Predicate<ServiceTime> enough) {
		return job.client().serviceTime().filter((time) -> time.allows(now(), limit)).filter(enough).isPresent();
	}

	private Duration limit(LockedJob job) {
		return this.limits.get(job.schedule());
	}

	private Duration limit(JobSchedule schedule) {
		Duration half = schedule.interval(now()).map((interval) -> interval.dividedBy(2)).orElse(this.tolerance);
		Duration limit = (half.compareTo(this.tolerance) < 0) ? half : this.tolerance;
		return (limit.compareTo(SMALLEST) < 0) ? SMALLEST : limit;
	}

	/** Logs once when the clock becomes wrong, and when it is right again. */
	private boolean isAccepted(ServiceTime time, Instant at, Duration limit) {
		Duration difference = time.differenceOf(at).abs();
		boolean within = time.allows(at, limit);
		boolean changed;
		synchronized (this.exceeded) {
			// This also removes the limits of schedules that no job has any more.
			boolean fewer = this.exceeded.removeIf((other) -> difference.compareTo(other) <= 0);
			boolean longest = this.exceeded.stream().allMatch((other) -> other.compareTo(limit) < 0);
			changed = within ? fewer && this.exceeded.isEmpty() : this.exceeded.add(limit) && longest;
		}
		if (changed && within) {
			logger.info("The clock of this node agrees with DynamoDB's again; scheduled jobs can start here again");
		}
		else if (changed) {
			logger.warn("{}. Such jobs do not start here until the clocks agree; check the node's time service (NTP)",
					describe(time.differenceOf(at), limit));
		}
		return within;
	}

	private static String describe(Duration difference, Duration limit) {
		return "The clock of this node is " + LogText.of(difference.abs().truncatedTo(ChronoUnit.SECONDS))
				+ (difference.isNegative() ? " behind" : " ahead of") + " DynamoDB's, more than the "
				+ LogText.of(limit) + " that scheduled jobs allow";
	}

	/**
	 * A reading of the node's clock.
	 *
	 * @param at the time
	 * @param tolerance by how much it may be wrong
	 * @param nanoTime when it was read, by {@link JobClock#nanoTime()}
	 */
	public record Reading(Instant at, Duration tolerance, long nanoTime) {

		/** Returns the latest time that another node's clock may show. */
		Instant latest() {
			return this.at.plus(this.tolerance.multipliedBy(2));
		}

	}

}
