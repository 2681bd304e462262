/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.github.dynamodblock.LogText;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * Decides when a job is due, by times that are passed as arguments. Immutable and
 * thread-safe.
 */
public sealed interface JobSchedule {

	/**
	 * Creates a schedule of nominal fire times.
	 * @param expression a Spring cron expression
	 * @param zone the zone in which it is evaluated
	 * @return the schedule
	 * @throws IllegalArgumentException if the expression is invalid or never fires
	 */
	static Cron cron(String expression, ZoneId zone) {
		Cron cron = new Cron(CronExpression.parse(expression), zone);
		if (cron.next(Instant.EPOCH).isEmpty()) {
			throw new IllegalArgumentException("the cron expression \"" + expression + "\" never fires; correct it");
		}
		return cron;
	}

	/**
	 * Creates a schedule of starts at a fixed rate. A start is refused if the last one
	 * was less than 90 % of the period ago, by the nodes' wall clocks.
	 * @param period the time between two starts in the cluster, positive
	 * @return the schedule
	 * @throws IllegalArgumentException if the period is not positive
	 */
	static JobSchedule fixedRate(Duration period) {
		if (period.isNegative() || period.isZero()) {
			throw new IllegalArgumentException("the fixed rate is " + period + "; set a positive period");
		}
		return new Periodic(period, false);
	}

	/**
	 * Creates a schedule of starts with a fixed delay after the end of the last run, by
	 * the nodes' wall clocks.
	 * @param delay the time between an end and the next start in the cluster, not
	 * negative
	 * @return the schedule
	 * @throws IllegalArgumentException if the delay is negative
	 */
	static JobSchedule fixedDelay(Duration delay) {
		if (delay.isNegative()) {
			throw new IllegalArgumentException("the fixed delay is " + delay + "; set one that is not negative");
		}
		return new Periodic(delay, true);
	}

	/**
	 * Returns the tick to which a call of the scheduler belongs.
	 * @param now the time by the node's clock
	 * @param last the tick of the scheduler's last call on this node, or {@code null} if
	 * there was none
	 * @return the tick, in whole milliseconds; empty if there is none
	 */
	Optional<Instant> tick(Instant now, @Nullable Instant last);

	/**
	 * Returns the next time at which this schedule is due.
	 * @param now the time by the node's clock
	 * @return the time; empty if there is none, or if it depends on the last run
	 */
	Optional<Instant> next(Instant now);

	/**
	 * Returns the shortest time between two starts.
	 * @param now the time by the node's clock
	 * @return the time, or empty if the job starts at most once more
	 */
	Optional<Duration> interval(Instant now);

	/**
	 * Returns the ticks between two others, which are not included.
	 * @param after a tick
	 * @param before a later tick
	 * @param most the maximum number to return
	 * @return the ticks, in order
	 */
	List<Instant> between(Instant after, Instant before, int most);

	/**
	 * Nominal fire times of a cron expression.
	 *
	 * @param expression the expression
	 * @param zone the zone in which it is evaluated
	 */
	record Cron(CronExpression expression, ZoneId zone) implements JobSchedule {

		/** The number of fire times from which the shortest interval is derived. */
		private static final int SAMPLE = 200;

		/**
		 * The maximum time by which a call may come early. For short intervals, it is a
		 * share of the interval.
		 */
		static final Duration MOST_EARLY = Duration.ofSeconds(30);

		private static final int EARLY_SHARE = 10;

		/**
		 * Returns the latest fire time that has passed by the node's clock. Every node
		 * fires by its own clock, so nodes agree on the tick even if their clocks differ,
		 * and a late call does not claim a later tick. If this node was already called
		 * for that tick, the call is early, because the clock was set back while the
		 * timer waited. The call then belongs to the next tick, if that tick is at most
		 * 30 s or a tenth of the interval away, whichever is less.
		 */
		@Override
		public Optional<Instant> tick(Instant now, @Nullable Instant handled) {
			Instant next = after(now);
			if (next == null) {
				return Optional.ofNullable(last(now.minus(Duration.ofDays(1)), now));
			}
			Instant last = last(Instant.EPOCH, now);
			boolean called = last == null || handled == null || !last.isAfter(handled);
			return Optional.of((last == null || (called && isEarly(now, last, next))) ? next : last);
		}

		private static boolean isEarly(Instant now, Instant last, Instant next) {
			Duration share = Duration.between(last, next).dividedBy(EARLY_SHARE);
			Duration most = (share.compareTo(MOST_EARLY) < 0) ? share : MOST_EARLY;
			return Duration.between(now, next).compareTo(most) <= 0;
		}

		/**
		 * Returns the latest fire time that has passed.
		 * @param after a time, which is not included
		 * @param now the time by the node's clock
		 * @return the fire time, or empty if there is none after that time
		 */
		public Optional<Instant> latest(Instant after, Instant now) {
			return after.isBefore(now) ? Optional.ofNullable(last(after.plusNanos(1), now)) : Optional.empty();
		}

		/** Returns the last fire time in an interval that includes both ends. */
		private @Nullable Instant last(Instant begin, Instant end) {
			Instant low = begin.minusNanos(1);
			if (!isFiredIn(low, end)) {
				return null;
			}
			Instant high = end;
			while (Duration.between(low, high).compareTo(Duration.ofSeconds(1)) > 0) {
				Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
				if (isFiredIn(middle, end)) {
					low = middle;
				}
				else {
					high = middle;
				}
			}
			return after(low);
		}

		private boolean isFiredIn(Instant begin, Instant end) {
			Instant next = after(begin);
			return next != null && !next.isAfter(end);
		}

		/** Returns the first fire time after a time. */
		private @Nullable Instant after(Instant time) {
			ZonedDateTime next = this.expression.next(time.atZone(this.zone));
			return (next != null) ? next.toInstant() : null;
		}

		@Override
		public Optional<Instant> next(Instant now) {
			return Optional.ofNullable(after(now));
		}

		@Override
		public Optional<Duration> interval(Instant now) {
			List<Instant> times = between(now, Instant.MAX, SAMPLE);
			return IntStream.range(1, times.size())
				.mapToObj((i) -> Duration.between(times.get(i - 1), times.get(i)))
				.min(Comparator.naturalOrder());
		}

		@Override
		public List<Instant> between(Instant after, Instant before, int most) {
			List<Instant> found = new ArrayList<>();
			Instant next = after(after);
			while (next != null && next.isBefore(before) && found.size() < most) {
				found.add(next);
				next = after(next);
			}
			return found;
		}

		@Override
		public String toString() {
			return "cron " + this.expression + " in " + this.zone;
		}

	}

	/**
	 * Starts at a fixed rate, or with a fixed delay after the end of the last run.
	 *
	 * @param period the time between two starts, or between an end and the next start
	 * @param afterEnd whether the period counts from an end
	 */
	record Periodic(Duration period, boolean afterEnd) implements JobSchedule {

		@Override
		public Optional<Instant> tick(Instant now, @Nullable Instant last) {
			return Optional.of(now.truncatedTo(ChronoUnit.MILLIS));
		}

		@Override
		public Optional<Instant> next(Instant now) {
			return Optional.empty();
		}

		/** Returns the minimum time between the start, or the end, and the next start. */
		Duration gap() {
			return this.afterEnd ? this.period : this.period.multipliedBy(9).dividedBy(10);
		}

		@Override
		public Optional<Duration> interval(Instant now) {
			return Optional.of(this.period);
		}

		@Override
		public List<Instant> between(Instant after, Instant before, int most) {
			return List.of();
		}

		@Override
		public String toString() {
			return this.afterEnd ? LogText.of(this.period) + " after the last run" : "every " + LogText.of(this.period);
		}

	}

}
