/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import io.github.dynamodblock.faults.network.CallFault;
import org.jspecify.annotations.Nullable;

/**
 * What can go wrong.
 */
public enum FaultKind {

	/** {@code kill -9}; another process takes its place. */
	KILL("process killed and started again", Place.PROCESS, 6),

	/** SIGSTOP, and SIGCONT while leases still run. */
	SHORT_PAUSE("process stopped for less than a lease", Place.PROCESS, 3),

	/** SIGSTOP, and SIGCONT when leases have ended. */
	LONG_PAUSE("process stopped for longer than a lease", Place.PROCESS, 4),

	/** Connections are reset. */
	CUT("connections of a node reset", Place.LINK, 2),

	/** Nothing comes through, and nobody is told. */
	BLACK_HOLE("network of a node loses everything", Place.LINK, 3),

	/** Everything takes longer. */
	SLOW("network of a node slow", Place.LINK, 2),

	/** See {@link CallFault#REQUEST_LOST}. */
	REQUEST_LOST("requests lost", CallFault.REQUEST_LOST, 1),

	/** See {@link CallFault#ANSWER_LOST}. */
	ANSWER_LOST("answers lost", CallFault.ANSWER_LOST, 3),

	/** See {@link CallFault#ANSWER_CUT}. */
	ANSWER_CUT("answers cut in the middle", CallFault.ANSWER_CUT, 1),

	/** See {@link CallFault#REQUEST_LATE}. */
	REQUEST_LATE("requests late", CallFault.REQUEST_LATE, 2),

	/** See {@link CallFault#REQUEST_TWICE}. */
	REQUEST_TWICE("requests delivered twice", CallFault.REQUEST_TWICE, 2),

	/** See {@link CallFault#THROTTLED}. */
	THROTTLED("calls throttled", CallFault.THROTTLED, 2),

	/** See {@link CallFault#SERVER_ERROR}. */
	SERVER_ERROR("calls carried out and answered with an error", CallFault.SERVER_ERROR, 2),

	/** An administrator deletes a lock's item. */
	DELETED_ITEM("item of a lock deleted", Place.TABLE, 2),

	/** An administrator deletes the table and makes a new one. */
	NEW_TABLE("table deleted and created again", Place.TABLE, 1),

	/** DynamoDB is killed, and started again with its data. */
	DATABASE_RESTART("DynamoDB killed and started again", Place.DATABASE, 1),

	/** DynamoDB stands still. */
	DATABASE_PAUSE("DynamoDB stopped for a time", Place.DATABASE, 1),

	/** A clock runs faster or slower, within the tolerance; from a process's start. */
	CLOCK_RATE("process whose clock is wrong by 1 % or less", Place.CLOCK, 0),

	/** A clock runs faster or slower than is allowed; from a process's start. */
	WILD_CLOCK_RATE("process whose clock is wrong by 20 % or more", Place.CLOCK, 0);

	private final String title;

	private final Place place;

	private final @Nullable CallFault callFault;

	private final int weight;

	FaultKind(String title, Place place, int weight) {
		this(title, place, null, weight);
	}

	FaultKind(String title, CallFault callFault, int weight) {
		this(title, Place.LINK, callFault, weight);
	}

	FaultKind(String title, Place place, @Nullable CallFault callFault, int weight) {
		this.title = title;
		this.place = place;
		this.callFault = callFault;
		this.weight = weight;
	}

	public String title() {
		return this.title;
	}

	public Place place() {
		return this.place;
	}

	/** What becomes of some calls, or {@code null} if this is not about calls. */
	@Nullable CallFault callFault() {
		return this.callFault;
	}

	/** How many there are among the cards of one deal. */
	int weight() {
		return this.weight;
	}

	/**
	 * Where it goes wrong. Two faults are not at the same place at the same time.
	 */
	public enum Place {

		/** A worker's process. */
		PROCESS,

		/** A worker's way to DynamoDB. */
		LINK,

		/** The lock table. */
		TABLE,

		/** DynamoDB itself. */
		DATABASE,

		/** A worker's clock. */
		CLOCK

	}

}
