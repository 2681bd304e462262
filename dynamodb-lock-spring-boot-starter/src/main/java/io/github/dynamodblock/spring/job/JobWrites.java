/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockRequest;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What the claim and the release of a run's lock write to the job's {@link JobRecord}.
 */
final class JobWrites {

	/** Recorded by a claim that found no earlier value. */
	private static final AttributeValue NEVER = JobRecord.number(0);

	private JobWrites() {
	}

	/**
	 * Adds the condition and the record to the request for the job's lock. The request
	 * has no wait time and no minimum hold time: {@link JobRuns} retries it, and the
	 * condition prevents a second start.
	 * @param run the run
	 * @param plain the request of a call under a plain lock
	 * @param application the name of the application, or {@code null}
	 * @return the request that starts the run, or records its end
	 */
	static LockRequest claim(JobRun run, LockRequest plain, @Nullable String application) {
		LockRequest claim = plain.waitTime(Duration.ZERO)
			.awaitSilentOwner(false)
			.holdAtLeast(Duration.ZERO)
			.keptItem(KeptItem.create())
			.condition(run.condition());
		if (run.end() != null) {
			return claim.change(ended(run, run.now().at(), run.end(), null));
		}
		ItemChange started = started(run, run.isFirst(), run.now().at(), run.job().client().ownerName(), application);
		Duration limit = run.job().limit();
		ItemChange timedOut = ended(run, (limit != null) ? run.now().at().plus(limit) : run.now().at(),
				JobOutcome.TIMED_OUT, null);
		KeptItem record = KeptItem.create().undo(unused(run)).changeAtLimit(timedOut);
		return claim.change(started).keptItem(record).releaseOnClose(false);
	}

	/**
	 * Returns the change that the claim of a run writes.
	 * @param run the run
	 * @param first whether it is the first claim of its tick
	 * @param at the time by the node's clock
	 * @param node the name of the node
	 * @param application the {@linkplain JobRecord#recorded recorded} name of the
	 * application, or {@code null}
	 */
	static ItemChange started(JobRun run, boolean first, Instant at, @Nullable String node,
			@Nullable String application) {
		ItemChange change = ItemChange.none()
			.attribute(JobRecord.TICK, JobRecord.time(run.tick()))
			.attribute(JobRecord.ATTEMPT, JobRecord.number(run.attempt()))
			.attribute(JobRecord.STARTED_AT, JobRecord.time(at))
			// A mock without stubs has no owner name; its acquisition fails with an
			// explanation.
			.attribute(JobRecord.NODE,
					JobRecord.text(JobRecord.shortened(Objects.requireNonNullElse(node, "?"), JobRecord.LONGEST_NAME)))
			.attribute(JobRecord.METHOD, JobRecord.text(JobRecord.methodAt(run.job().location())))
			.attribute(JobRecord.SCHEDULE, JobRecord.text(JobRecord.describe(run.job().schedule())))
			.data(JobRecord.marker(run.tick(), run.attempt()));
		change = (application != null) ? change.attribute(JobRecord.APPLICATION, JobRecord.text(application))
				: change.removeAttributes(JobRecord.APPLICATION);
		return first ? change.copy(JobRecord.TICK, JobRecord.PREVIOUS_TICK, NEVER)
			.copy(JobRecord.STARTED_AT, JobRecord.PREVIOUS_STARTED_AT, NEVER)
			.copy(JobRecord.SCHEDULE, JobRecord.PREVIOUS_SCHEDULE, JobRecord.text("")) : change;
	}

	/**
	 * Returns the change that undoes the claim of a run whose body never started. The
	 * record then shows the previous attempt. If there was none, any node with the job
	 * may start the tick, whatever its method.
	 */
	static ItemChange unused(JobRun run) {
		ItemChange change = returned(run);
		for (String attribute : List.of(JobRecord.STARTED_AT, JobRecord.NODE, JobRecord.METHOD,
				JobRecord.APPLICATION)) {
			AttributeValue before = run.isFirst() ? null : run.seen().attribute(attribute);
			change = (before != null) ? change.attribute(attribute, before) : change.removeAttributes(attribute);
		}
		return change;
	}

	/**
	 * Returns the change that lets another node repeat the attempt of a run that a
	 * shutdown interrupted. Missed ticks before the run were reported when it started,
	 * and are not reported again.
	 */
	static ItemChange interrupted(JobRun run) {
		return returned(run).removeAttributes(JobRecord.STARTED_AT, JobRecord.NODE)
			.attribute(JobRecord.PREVIOUS_TICK, JobRecord.time(run.tick()));
	}

	private static ItemChange returned(JobRun run) {
		return ItemChange.none().attribute(JobRecord.ATTEMPT, JobRecord.number(run.attempt() - 1)).removeData();
	}

	/**
	 * Returns the change that the end of a run writes.
	 * @param run the run
	 * @param at when it ended
	 * @param failure the exception of the body, or {@code null}
	 */
	static ItemChange ended(JobRun run, Instant at, JobOutcome outcome, @Nullable Throwable failure) {
		ItemChange change = ItemChange.none()
			.attribute(JobRecord.FINISHED_TICK, JobRecord.time(run.tick()))
			.attribute(JobRecord.FINISHED_AT, JobRecord.time(at))
			.attribute(JobRecord.OUTCOME, JobRecord.text(outcome.name()))
			.removeData();
		if (outcome == JobOutcome.SUCCEEDED) {
			change = change.then(JobRecord.succeeded(at));
		}
		return (failure != null) ? change.attribute(JobRecord.ERROR, JobRecord.text(describe(failure)))
				: change.removeAttributes(JobRecord.ERROR);
	}

	/** Returns the change that records the body's start, which follows the claim. */
	static ItemChange began(Instant at) {
		return ItemChange.none().attribute(JobRecord.STARTED_AT, JobRecord.time(at));
	}

	private static String describe(Throwable failure) {
		String type = JobRecord.shortened(failure.getClass().getName(), JobRecord.LONGEST_NAME);
		String message;
		try {
			message = failure.getMessage();
		}
		catch (RuntimeException ex) {
			message = null;
		}
		return (message != null) ? type + ": " + JobRecord.shortened(message, JobRecord.LONGEST_MESSAGE) : type;
	}

}
