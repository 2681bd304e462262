/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRecord;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The record of a job's runs in the item of its lock. The claim of the lock writes the
 * latest start, and its release the latest end. While a run is in progress, the record
 * shows the end of an earlier run.
 *
 * <p>
 * Times are milliseconds since 1970 by the clock of the node that wrote them. Any record
 * can be read: attributes that a newer version has added are ignored, and attributes of
 * an unexpected type are listed as {@link #problems()}. Immutable and thread-safe.
 */
public final class JobRecord {

	/** The record of a job that has never run. */
	public static final JobRecord NONE = new JobRecord(Map.of(), null);

	static final String TICK = "jobTick";

	static final String ATTEMPT = "jobAttempt";

	/**
	 * Absent if the latest attempt must start again, because a shutdown interrupted it or
	 * its body never began.
	 */
	static final String STARTED_AT = "jobStartedAt";

	static final String NODE = "jobNode";

	/** The method that the latest attempt calls: only nodes with this method rerun it. */
	static final String METHOD = "jobMethod";

	/** The application of the latest attempt. Informational only. */
	static final String APPLICATION = "jobApplication";

	/** The schedule of the tick, because ticks of two schedules are not compared. */
	static final String SCHEDULE = "jobSchedule";

	// The values that the claim of a tick replaced. The ticks in between were missed.
	static final String PREVIOUS_TICK = "jobPreviousTick";

	static final String PREVIOUS_STARTED_AT = "jobPreviousStartedAt";

	static final String PREVIOUS_SCHEDULE = "jobPreviousSchedule";

	static final String FINISHED_TICK = "jobFinishedTick";

	static final String FINISHED_AT = "jobFinishedAt";

	static final String OUTCOME = "jobOutcome";

	static final String ERROR = "jobError";

	private static final String LAST_SUCCESS_AT = "jobLastSuccessAt";

	private static final String PAUSED = "jobPaused";

	static final int LONGEST_MESSAGE = 200;

	static final int LONGEST_NAME = 100;

	/** The times that decide whether a run may start. */
	private static final List<String> DECISIVE_TIMES = List.of(TICK, STARTED_AT, FINISHED_TICK, FINISHED_AT);

	private static final List<String> TEXTS = List.of(NODE, METHOD, APPLICATION, SCHEDULE, PREVIOUS_SCHEDULE, OUTCOME,
			ERROR);

	private final Map<String, AttributeValue> attributes;

	private final @Nullable LockRecord lock;

	private JobRecord(Map<String, AttributeValue> attributes, @Nullable LockRecord lock) {
		this.attributes = attributes;
		this.lock = lock;
	}

	/**
	 * Reads a record.
	 * @param lock the record of the job's lock
	 * @return the job's record
	 */
	public static JobRecord of(LockRecord lock) {
		return new JobRecord(lock.attributes(), lock);
	}

	/**
	 * {@return the latest tick that was claimed, or empty if none was}
	 */
	public Optional<Instant> tick() {
		return time(TICK);
	}

	/**
	 * {@return the latest attempt of that tick, from 1; 0 if none has begun}
	 */
	public int attempt() {
		return Math.max(0, storedAttempt());
	}

	/**
	 * {@return when the latest attempt started; empty if there was none, or if it must
	 * start again because a shutdown interrupted it or its body never began}
	 */
	public Optional<Instant> startedAt() {
		return time(STARTED_AT);
	}

	/**
	 * {@return the node of the latest attempt: the owner name of its lock client}
	 */
	public Optional<String> node() {
		return string(NODE);
	}

	/**
	 * {@return the application of the latest attempt, its
	 * {@code spring.application.name}; empty if it has none}
	 */
	public Optional<String> application() {
		return string(APPLICATION);
	}

	/**
	 * {@return the method of the latest attempt: the last 100 characters of its class,
	 * name and parameters}
	 */
	public Optional<String> method() {
		return string(METHOD);
	}

	/**
	 * {@return the tick that finished last}
	 */
	public Optional<Instant> finishedTick() {
		return time(FINISHED_TICK);
	}

	/**
	 * {@return when that tick finished}
	 */
	public Optional<Instant> finishedAt() {
		return time(FINISHED_AT);
	}

	/**
	 * {@return how that tick ended}
	 */
	public Optional<JobOutcome> outcome() {
		return string(OUTCOME).flatMap((name) -> Arrays.stream(JobOutcome.values())
			.filter((outcome) -> outcome.name().equals(name))
			.findFirst());
	}

	/**
	 * {@return the exception of that tick: the type and the beginning of the message;
	 * empty if there is none}
	 */
	public Optional<String> error() {
		return string(ERROR);
	}

	/**
	 * {@return when a run, or another call of the job, last succeeded}
	 */
	public Optional<Instant> lastSuccessAt() {
		return time(LAST_SUCCESS_AT);
	}

	/**
	 * {@return why the job is paused, or empty if it is not}
	 */
	public Optional<String> paused() {
		return Optional.ofNullable(this.attributes.get(PAUSED))
			.map((value) -> (value.s() != null) ? value.s() : "paused");
	}

	/**
	 * {@return whether the latest tick has finished, however it ended}
	 */
	public boolean isFinished() {
		return tick().isPresent() && tick().equals(finishedTick());
	}

	/** Returns whether a tick was claimed and has not finished. */
	boolean isUnfinished() {
		return tick().isPresent() && !isFinished();
	}

	/**
	 * Returns whether the last claim of the lock was for the latest attempt. Any other
	 * claim removes the data that identifies the run.
	 */
	boolean isOfRun() {
		return tick()
			.flatMap((tick) -> Optional.ofNullable(this.lock)
				.flatMap(LockRecord::data)
				.filter((data) -> Arrays.equals(data, marker(tick, attempt()))))
			.isPresent();
	}

	/** Returns the lock if the latest attempt holds it, or held it when its node died. */
	private Optional<LockRecord> held() {
		return Optional.ofNullable(this.lock).filter((held) -> !held.isReleased() && isUnfinished() && isOfRun());
	}

	/**
	 * {@return whether the latest attempt is in progress, as far as the clocks show: its
	 * owner holds the lock and renews it}
	 * @param now the time by the node's clock
	 */
	public boolean isRunning(Instant now) {
		return held().filter((lock) -> !lock.isOwnerSilent(now)).isPresent();
	}

	/**
	 * Returns whether the latest attempt reached its limit, by its owner's clock. Its
	 * body may then still be running. If another claim has replaced the owner's times,
	 * the attempt counts as running until now.
	 * @param limit for how long a run may hold the lock, or {@code null}
	 * @param now the time, not before any other node's clock
	 */
	boolean isTimedOut(@Nullable Duration limit, Instant now) {
		if (limit == null) {
			return false;
		}
		Instant leaseEnd = held()
			.flatMap((lock) -> lock.renewedAt().map((renewed) -> renewed.plus(lock.leaseDuration())))
			.orElse(now);
		return startedAt().filter((started) -> !leaseEnd.isBefore(started.plus(limit))).isPresent();
	}

	/**
	 * {@return descriptions of what is wrong with the record; empty if nothing is}
	 */
	public List<String> problems() {
		Stream<String> others = Stream.of(LAST_SUCCESS_AT, PREVIOUS_TICK, PREVIOUS_STARTED_AT).filter(this::isNoTime);
		Stream<String> texts = TEXTS.stream()
			.filter((name) -> this.attributes.containsKey(name)
					&& (name.equals(OUTCOME) ? outcome() : string(name)).isEmpty());
		return Stream.of(decisiveProblems(), others, texts)
			.flatMap(Function.identity())
			.map((name) -> name + " is " + shown(this.attributes.get(name)))
			.toList();
	}

	/** Returns whether all attributes that decide about runs are readable. */
	boolean isDecidable() {
		return decisiveProblems().findAny().isEmpty();
	}

	private Stream<String> decisiveProblems() {
		boolean counted = !this.attributes.containsKey(TICK) || storedAttempt() >= 0;
		return Stream.concat(DECISIVE_TIMES.stream().filter(this::isNoTime),
				counted ? Stream.of() : Stream.of(ATTEMPT));
	}

	private boolean isNoTime(String name) {
		return this.attributes.containsKey(name) && time(name).isEmpty();
	}

	/** Returns whether the latest tick belongs to a schedule. */
	boolean isOf(JobSchedule other) {
		return string(SCHEDULE).filter(describe(other)::equals).isPresent();
	}

	/**
	 * Returns whether the latest attempt called this method, or the record does not
	 * contain the method.
	 */
	boolean isOfMethod(String location) {
		return method().filter((other) -> !other.equals(methodAt(location))).isEmpty();
	}

	/** Keeps the end of the text, which distinguishes the methods of a package. */
	static String methodAt(String location) {
		return location.substring(Math.max(0, location.length() - LONGEST_NAME));
	}

	/** Returns whether the body had started for this tick before the latest attempt. */
	boolean isRerun() {
		return attempt() > 1 || tick().equals(time(PREVIOUS_TICK));
	}

	/**
	 * Returns the earlier tick that had crashed when the latest tick was first claimed,
	 * if there was one.
	 */
	Optional<Instant> previousCrash() {
		return previous(PREVIOUS_TICK).filter((tick) -> previous(PREVIOUS_STARTED_AT).isPresent()
				&& !tick.equals(tick().orElse(null)) && !tick.equals(finishedTick().orElse(null)));
	}

	/**
	 * Returns the ticks that no node ran before the first attempt. They include an
	 * attempt that a shutdown interrupted and no node started again.
	 * @param most the maximum number to return
	 */
	List<Instant> missed(JobSchedule schedule, int most) {
		Instant first = previous(PREVIOUS_TICK).orElse(Instant.MAX);
		Instant tick = tick().orElse(Instant.MIN);
		boolean compared = string(PREVIOUS_SCHEDULE).filter(describe(schedule)::equals).isPresent();
		if (!compared || !first.isBefore(tick)) {
			return List.of();
		}
		boolean ran = previous(PREVIOUS_STARTED_AT).isPresent() || first.equals(finishedTick().orElse(null));
		return schedule.between(ran ? first : first.minusMillis(1), tick, most);
	}

	private Optional<Instant> previous(String attribute) {
		return time(attribute).filter((time) -> !time.equals(Instant.EPOCH));
	}

	static String describe(JobSchedule schedule) {
		return shortened(schedule.toString(), LONGEST_NAME);
	}

	/** Returns the data that identifies the claim of an attempt. */
	static byte[] marker(Instant tick, int attempt) {
		return (tick.toEpochMilli() + "#" + attempt).getBytes(StandardCharsets.UTF_8);
	}

	/** Returns the name of an application as records contain it. */
	static @Nullable String recorded(@Nullable String application) {
		return (application != null) ? shortened(application, LONGEST_NAME) : null;
	}

	/** Returns the change that a successful call under a plain lock writes. */
	static ItemChange succeeded(Instant at) {
		return ItemChange.none().attribute(LAST_SUCCESS_AT, time(at));
	}

	static ItemChange pause(String reason) {
		return ItemChange.none()
			.attribute(PAUSED, text(shortened(reason.isBlank() ? "paused" : reason, LONGEST_MESSAGE)));
	}

	static ItemChange resume() {
		return ItemChange.none().removeAttributes(PAUSED);
	}

	/** Returns the condition that no operator has paused the job. */
	static ItemCondition notPaused() {
		return ItemCondition.notExists(PAUSED);
	}

	/** Returns the condition that an attempt of a tick is the latest, and unfinished. */
	static ItemCondition unfinished(Instant tick, int attempt) {
		return ItemCondition.equalTo(TICK, time(tick))
			.and(ItemCondition.equalTo(ATTEMPT, number(attempt)))
			.and(ItemCondition.notEqualTo(FINISHED_TICK, time(tick)));
	}

	/**
	 * Returns the condition that a time of the record is not after the given one, or is
	 * the value that a wrong clock wrote.
	 * @param wrong that value, or {@code null}
	 */
	static ItemCondition notAfter(String attribute, Instant time, @Nullable Instant wrong) {
		return (wrong != null) ? ItemCondition.equalTo(attribute, time(wrong))
				: ItemCondition.notExists(attribute).or(ItemCondition.atMost(attribute, time(time)));
	}

	/** Returns an attribute of the record, or {@code null}. */
	@Nullable AttributeValue attribute(String name) {
		return this.attributes.get(name);
	}

	/** Returns the attribute from whose time a rate or delay counts. */
	static String origin(JobSchedule.Periodic rate) {
		return rate.afterEnd() ? FINISHED_AT : STARTED_AT;
	}

	/** Returns the time in an attribute of the record. */
	Optional<Instant> time(String attribute) {
		return stored(attribute).map(Instant::ofEpochMilli);
	}

	/** Returns the recorded attempt, or a negative number if there is none. */
	private int storedAttempt() {
		return stored(ATTEMPT).filter((number) -> number >= 0 && number <= Integer.MAX_VALUE).orElse(-1L).intValue();
	}

	private Optional<Long> stored(String attribute) {
		try {
			return Optional.ofNullable(this.attributes.get(attribute)).map(AttributeValue::n).map(Long::valueOf);
		}
		catch (NumberFormatException ex) {
			return Optional.empty();
		}
	}

	private Optional<String> string(String attribute) {
		return Optional.ofNullable(this.attributes.get(attribute)).map(AttributeValue::s);
	}

	private static String shown(@Nullable AttributeValue value) {
		if (value == null) {
			return "missing";
		}
		String content = (value.s() != null) ? value.s() : value.n();
		return (content != null) ? "'" + shortened(content, LONGEST_NAME) + "'" : "of type " + value.type();
	}

	/**
	 * Truncates a text to a number of bytes, between two characters.
	 */
	static String shortened(String text, int longest) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		int length = Math.min(bytes.length, longest);
		while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
			length--;
		}
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	static AttributeValue text(String text) {
		return AttributeValue.fromS(text);
	}

	static AttributeValue number(long number) {
		return AttributeValue.fromN(Long.toString(number));
	}

	static AttributeValue time(Instant time) {
		return number(time.toEpochMilli());
	}

	@Override
	public String toString() {
		Map<String, AttributeValue> shown = new TreeMap<>(this.attributes);
		shown.keySet().removeIf((name) -> !name.startsWith("job"));
		return "JobRecord" + shown;
	}

}
