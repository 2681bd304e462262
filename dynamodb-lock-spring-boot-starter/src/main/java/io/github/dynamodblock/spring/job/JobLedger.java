/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What the item of a job's lock shows about the job's runs: the latest start, which the
 * claim of the lock writes, and the latest end, which its release writes. While a run is
 * under way, or after its node has crashed, the end is that of an earlier run:
 * {@link #isFinished()} says which.
 *
 * <p>
 * Times are numbers of milliseconds since 1970 by the clock of the node that wrote them.
 * A ledger is read whatever it contains: attributes that a newer version has added are
 * ignored, and attributes that have an unexpected type are listed as {@link #problems()}.
 * Immutable and thread-safe.
 */
public final class JobLedger {

	/** The tick of the latest run. */
	static final String TICK = "jobTick";

	/** The attempt of the latest run, from 1. */
	static final String ATTEMPT = "jobAttempt";

	/** When the latest attempt started. */
	static final String STARTED_AT = "jobStartedAt";

	/** The node of the latest attempt. */
	static final String NODE = "jobNode";

	/** When the latest manual run started, until a tick finishes. */
	static final String MANUAL = "jobManual";

	/** The tick that finished last. */
	static final String FINISHED_TICK = "jobFinishedTick";

	/** The start of the manual run that finished last, until a tick finishes. */
	static final String FINISHED_MANUAL = "jobFinishedManual";

	/** When the run finished that finished last. */
	static final String FINISHED_AT = "jobFinishedAt";

	/** How it ended. */
	static final String OUTCOME = "jobOutcome";

	/** Why it failed. */
	static final String ERROR = "jobError";

	/** When a run was successful last. */
	static final String LAST_SUCCESS_AT = "jobLastSuccessAt";

	/** The schedule of the tick that finished last, since ticks are of one schedule. */
	static final String SCHEDULE = "jobSchedule";

	/** Exists while no run may start. */
	static final String PAUSED = "jobPaused";

	private static final int LONGEST_MESSAGE = 200;

	private static final int LONGEST_TYPE = 100;

	private static final int LONGEST_NODE = 100;

	private final @Nullable Instant tick;

	private final int attempt;

	private final @Nullable Instant startedAt;

	private final @Nullable String node;

	private final @Nullable Instant manual;

	private final @Nullable Instant finishedTick;

	private final @Nullable Instant finishedManual;

	private final @Nullable Instant finishedAt;

	private final @Nullable JobOutcome outcome;

	private final @Nullable String error;

	private final @Nullable Instant lastSuccessAt;

	private final @Nullable String schedule;

	private final @Nullable String paused;

	private final List<String> problems;

	private JobLedger(Reader reader) {
		this.tick = reader.time(TICK);
		this.attempt = reader.attempt();
		this.startedAt = reader.time(STARTED_AT);
		this.node = reader.text(NODE);
		this.manual = reader.time(MANUAL);
		this.finishedTick = reader.time(FINISHED_TICK);
		this.finishedManual = reader.time(FINISHED_MANUAL);
		this.finishedAt = reader.time(FINISHED_AT);
		this.outcome = reader.outcome();
		this.error = reader.text(ERROR);
		this.lastSuccessAt = reader.time(LAST_SUCCESS_AT);
		this.schedule = reader.text(SCHEDULE);
		this.paused = reader.paused();
		this.problems = List.copyOf(reader.problems);
	}

	/**
	 * Reads a ledger.
	 * @param attributes the application's attributes of the lock's item; empty if it has
	 * no item
	 * @return the ledger
	 */
	public static JobLedger of(Map<String, AttributeValue> attributes) {
		return new JobLedger(new Reader(attributes));
	}

	/**
	 * Reads a ledger.
	 * @param lock the lock's record
	 * @return the ledger
	 */
	public static JobLedger of(LockRecord lock) {
		return of(lock.attributes());
	}

	/**
	 * {@return the latest tick that was started, or empty if none was}
	 */
	public Optional<Instant> tick() {
		return Optional.ofNullable(this.tick);
	}

	/**
	 * {@return the latest attempt of that tick, from 1; 0 if no tick was started}
	 */
	public int attempt() {
		return this.attempt;
	}

	/**
	 * {@return when the latest run started}
	 */
	public Optional<Instant> startedAt() {
		return Optional.ofNullable(this.startedAt);
	}

	/**
	 * {@return the node of the latest run: the owner name of its lock client}
	 */
	public Optional<String> node() {
		return Optional.ofNullable(this.node);
	}

	/**
	 * {@return whether the latest run is no run of a tick, but was started by
	 * {@link LockedJobs#runNow}}
	 */
	public boolean isManual() {
		return this.manual != null && this.manual.equals(this.startedAt);
	}

	/** Returns when the latest manual run started, unless a tick has finished since. */
	Optional<Instant> manual() {
		return Optional.ofNullable(this.manual);
	}

	/**
	 * {@return the tick that finished last}
	 */
	public Optional<Instant> finishedTick() {
		return Optional.ofNullable(this.finishedTick);
	}

	/**
	 * {@return whether the run that finished last is no run of a tick, but was started by
	 * {@link LockedJobs#runNow}}
	 */
	public boolean isFinishedManual() {
		return this.finishedManual != null;
	}

	/**
	 * {@return when the run finished that finished last}
	 */
	public Optional<Instant> finishedAt() {
		return Optional.ofNullable(this.finishedAt);
	}

	/**
	 * {@return how the run ended that finished last}
	 */
	public Optional<JobOutcome> outcome() {
		return Optional.ofNullable(this.outcome);
	}

	/**
	 * {@return the exception of the run that finished last, with its type and the
	 * beginning of its message; empty if it was successful}
	 */
	public Optional<String> error() {
		return Optional.ofNullable(this.error);
	}

	/**
	 * {@return when a run was successful last}
	 */
	public Optional<Instant> lastSuccessAt() {
		return Optional.ofNullable(this.lastSuccessAt);
	}

	/**
	 * {@return why the job is paused, or empty if it is not}
	 */
	public Optional<String> paused() {
		return Optional.ofNullable(this.paused);
	}

	/**
	 * {@return whether the latest run has finished. If not, it is under way, or its node
	 * has crashed: the lock is then held or expired}
	 */
	public boolean isFinished() {
		return isManual() ? isManualFinished() : isTickFinished();
	}

	/** Returns whether the latest manual run has finished. */
	boolean isManualFinished() {
		return this.manual != null && this.manual.equals(this.finishedManual);
	}

	/** Returns whether the latest tick has finished, whatever was started manually. */
	boolean isTickFinished() {
		return this.tick != null && this.tick.equals(this.finishedTick);
	}

	/**
	 * {@return what is wrong with the ledger, for people; empty if nothing is}
	 */
	public List<String> problems() {
		return this.problems;
	}

	/** Returns whether the tick that finished last is of a schedule. */
	boolean isOf(JobSchedule other) {
		return describe(other).equals(this.schedule);
	}

	private static String describe(JobSchedule schedule) {
		return shortened(schedule.toString(), LONGEST_NODE);
	}

	/**
	 * Returns what the release of a finished run writes.
	 * @param run the run
	 * @param at the time by the node's clock
	 * @param failure the exception of the body, or {@code null} if it was successful
	 * @return the change
	 */
	static ItemChange finished(JobRun run, Instant at, @Nullable Throwable failure) {
		ItemChange change = ItemChange.none().attribute(FINISHED_AT, time(at));
		change = run.manual() ? change.attribute(FINISHED_MANUAL, time(run.tick()))
				: change.attribute(FINISHED_TICK, time(run.tick()))
					.attribute(SCHEDULE, text(describe(run.job().schedule())))
					.removeAttributes(MANUAL, FINISHED_MANUAL);
		if (failure != null) {
			return change.attribute(OUTCOME, text(JobOutcome.FAILED.name())).attribute(ERROR, text(describe(failure)));
		}
		return change.attribute(OUTCOME, text(JobOutcome.SUCCEEDED.name()))
			.attribute(LAST_SUCCESS_AT, time(at))
			.removeAttributes(ERROR);
	}

	/**
	 * Returns what pauses a job. {@link LockedJob#pause(String)} writes it; a request of
	 * your own has to keep the item, which otherwise expires.
	 * @param reason why, for people
	 * @return the change
	 */
	public static ItemChange pause(String reason) {
		return ItemChange.none()
			.attribute(PAUSED, text(shortened(reason.isBlank() ? "paused" : reason, LONGEST_MESSAGE)));
	}

	/**
	 * {@return what resumes a paused job}
	 */
	public static ItemChange resume() {
		return ItemChange.none().removeAttributes(PAUSED);
	}

	/**
	 * Returns what the claim of a tick writes. It keeps what a manual run has written, so
	 * that its node sees whether that run has finished.
	 */
	static ItemChange started(Instant tick, int attempt, Instant at, String node) {
		return started(at, node).attribute(TICK, time(tick))
			.attribute(ATTEMPT, AttributeValue.fromN(Integer.toString(attempt)));
	}

	/** Returns what the claim of a manual run writes. */
	static ItemChange startedManually(Instant at, String node) {
		return started(at, node).attribute(MANUAL, time(at));
	}

	private static ItemChange started(Instant at, String node) {
		return ItemChange.none().attribute(STARTED_AT, time(at)).attribute(NODE, text(shortened(node, LONGEST_NODE)));
	}

	/** Returns the condition of a manual run. */
	static ItemCondition notPaused() {
		return ItemCondition.notExists(PAUSED);
	}

	/**
	 * Returns the condition of the first attempt: a later tick, of a job that is not
	 * paused.
	 */
	static ItemCondition first(Instant tick) {
		return notPaused().and(ItemCondition.notExists(TICK).or(ItemCondition.lessThan(TICK, time(tick))));
	}

	/** Returns the condition of the attempt that follows one that has not finished. */
	static ItemCondition next(Instant tick, int attempt) {
		return notPaused().and(ItemCondition.equalTo(TICK, time(tick)))
			.and(ItemCondition.equalTo(ATTEMPT, AttributeValue.fromN(Integer.toString(attempt))))
			.and(ItemCondition.notEqualTo(FINISHED_TICK, time(tick)));
	}

	/** Returns the condition that a time of the ledger is not after another one. */
	static ItemCondition notAfter(String attribute, Instant time) {
		return ItemCondition.notExists(attribute).or(ItemCondition.atMost(attribute, time(time)));
	}

	private static String describe(Throwable failure) {
		String type = shortened(failure.getClass().getName(), LONGEST_TYPE);
		String message;
		try {
			message = failure.getMessage();
		}
		catch (RuntimeException ex) {
			message = null;
		}
		return (message != null) ? type + ": " + shortened(message, LONGEST_MESSAGE) : type;
	}

	/**
	 * Cuts a text, so that it has no half characters and at most so many bytes.
	 */
	private static String shortened(String text, int longest) {
		StringBuilder result = new StringBuilder();
		int bytes = 0;
		for (int i = 0; i < text.length() && result.length() < longest;) {
			int codePoint = text.codePointAt(i);
			i += Character.charCount(codePoint);
			boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
			String character = half ? "?" : Character.toString(codePoint);
			bytes += character.getBytes(StandardCharsets.UTF_8).length;
			if (bytes > longest) {
				break;
			}
			result.append(character);
		}
		return result.toString();
	}

	private static AttributeValue text(String text) {
		return AttributeValue.fromS(text);
	}

	private static AttributeValue time(Instant time) {
		return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
	}

	@Override
	public String toString() {
		return "JobLedger[tick=" + this.tick + ", attempt=" + this.attempt + ", startedAt=" + this.startedAt + ", node="
				+ this.node + ", manual=" + this.manual + ", finishedTick=" + this.finishedTick + ", finishedManual="
				+ this.finishedManual + ", finishedAt=" + this.finishedAt + ", outcome=" + this.outcome + ", error="
				+ this.error + ", lastSuccessAt=" + this.lastSuccessAt + ", paused=" + this.paused + ", problems="
				+ this.problems + "]";
	}

	/** Reads attributes, whatever their types. */
	private static final class Reader {

		private final Map<String, AttributeValue> attributes;

		private final List<String> problems = new ArrayList<>();

		Reader(Map<String, AttributeValue> attributes) {
			this.attributes = attributes;
		}

		@Nullable Instant time(String name) {
			AttributeValue value = this.attributes.get(name);
			if (value == null) {
				return null;
			}
			try {
				return Instant.ofEpochMilli(Long.parseLong((value.n() != null) ? value.n() : "no number"));
			}
			catch (NumberFormatException | DateTimeException ex) {
				this.problems.add(name + " is " + shown(value) + " instead of a number of milliseconds since 1970");
				return null;
			}
		}

		int attempt() {
			AttributeValue value = this.attributes.get(ATTEMPT);
			if (value == null) {
				if (this.attributes.containsKey(TICK)) {
					this.problems.add(ATTEMPT + " is missing");
				}
				return 0;
			}
			try {
				return Integer.parseInt((value.n() != null) ? value.n() : "no number");
			}
			catch (NumberFormatException ex) {
				this.problems.add(ATTEMPT + " is " + shown(value) + " instead of a whole number");
				return 0;
			}
		}

		@Nullable String text(String name) {
			AttributeValue value = this.attributes.get(name);
			if (value == null || value.s() != null) {
				return (value != null) ? value.s() : null;
			}
			this.problems.add(name + " is " + shown(value) + " instead of a string");
			return null;
		}

		@Nullable JobOutcome outcome() {
			String text = text(OUTCOME);
			for (JobOutcome outcome : JobOutcome.values()) {
				if (outcome.name().equals(text)) {
					return outcome;
				}
			}
			if (text != null) {
				this.problems
					.add(OUTCOME + " is '" + shortened(text, LONGEST_NODE) + "', which this version does not know");
			}
			return null;
		}

		/** The attribute pauses the job whatever its value. */
		@Nullable String paused() {
			AttributeValue value = this.attributes.get(PAUSED);
			if (value == null) {
				return null;
			}
			return (value.s() != null) ? value.s() : "paused";
		}

		private static String shown(AttributeValue value) {
			String content = (value.s() != null) ? value.s() : value.n();
			return (content != null) ? "'" + shortened(content, LONGEST_NODE) + "'" : "of type " + value.type();
		}

	}

}
