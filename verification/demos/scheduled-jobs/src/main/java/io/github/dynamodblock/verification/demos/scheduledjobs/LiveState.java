/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.job.JobRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;

/**
 * What the live page shows: the jobs and the locks as their items in the table show them,
 * and the end of the timeline. Thread-safe.
 */
final class LiveState {

	/** How many lines of the timeline are shown. */
	static final int ROWS = 60;

	private final LockClient locks;

	private final Deque<List<String>> rows = new ArrayDeque<>();

	LiveState(LockClient locks) {
		this.locks = locks;
	}

	/** Adds a line of the timeline. */
	void addRow(List<String> cells) {
		synchronized (this.rows) {
			this.rows.addLast(List.copyOf(cells));
			if (this.rows.size() > ROWS) {
				this.rows.removeFirst();
			}
		}
	}

	/**
	 * Reads the table.
	 * @return the state as JSON, on one line
	 */
	String read(Instant now) {
		Map<String, Object> state = new LinkedHashMap<>();
		state.put("now", now.toEpochMilli());
		try (Stream<LockRecord> items = this.locks.list(ListRequest.all())) {
			List<LockRecord> records = items.toList();
			state.put("jobs", Job.ALL.stream().map((job) -> job(job, find(records, job), now)).toList());
			state.put("locks", records.stream().filter((lock) -> !lock.isReleased()).map(LiveState::lock).toList());
		}
		catch (LockException ex) {
			// Until the first node is up, there is no table.
			state.put("problem", "The lock table cannot be read yet");
		}
		synchronized (this.rows) {
			state.put("timeline", new ArrayList<>(this.rows));
		}
		return JsonWriter.standard().writeToString(state);
	}

	private static Optional<LockRecord> find(List<LockRecord> records, Job job) {
		return records.stream().filter((lock) -> lock.key().toString().equals(job.key())).findFirst();
	}

	private static Map<String, Object> job(Job job, Optional<LockRecord> lock, Instant now) {
		JobRecord record = lock.map(JobRecord::of).orElse(JobRecord.NONE);
		Map<String, Object> result = new LinkedHashMap<>();
		result.put("name", job.key());
		result.put("schedule", job.cron().toString());
		result.put("next", job.next(now).toEpochMilli());
		result.put("state", state(record, now));
		putTime(result, "tick", record.tick());
		result.put("attempt", record.attempt());
		result.put("node", record.node().map(LiveState::node).orElse(""));
		putTime(result, "startedAt", record.startedAt());
		putTime(result, "finishedTick", record.finishedTick());
		result.put("outcome", record.outcome().map(Enum::name).orElse(""));
		result.put("error", record.error().orElse(""));
		return result;
	}

	private static String state(JobRecord record, Instant now) {
		if (record.tick().isEmpty()) {
			return "NEVER_RUN";
		}
		if (record.isFinished()) {
			return "FINISHED";
		}
		if (record.isRunning(now)) {
			return "RUNNING";
		}
		return record.startedAt().isPresent() ? "CRASHED" : "INTERRUPTED";
	}

	private static Map<String, Object> lock(LockRecord lock) {
		Map<String, Object> result = new LinkedHashMap<>();
		result.put("key", lock.key().toString());
		result.put("owner", node(lock.ownerName()));
		// More digits than a number of JavaScript is sure to have.
		result.put("token", lock.fencingToken().isPresent() ? Long.toString(lock.fencingToken().getAsLong()) : "");
		putTime(result, "since", lock.acquiredAt());
		putTime(result, "renewedAt", lock.renewedAt());
		return result;
	}

	/** A client adds a random suffix to its node's name. */
	private static String node(String ownerName) {
		return ownerName.replaceFirst("-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$", "");
	}

	private static void putTime(Map<String, Object> result, String name, Optional<Instant> time) {
		@Nullable Instant found = time.orElse(null);
		if (found != null) {
			result.put(name, found.toEpochMilli());
		}
	}

}
