/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.faults.checker.Owner;

/**
 * What a worker is to do.
 *
 * @param owner who it is
 * @param kind what it locks with
 * @param coordinatorPort where it reports, on the loopback address
 * @param dynamoDbPort where it finds DynamoDB, on the loopback address
 * @param table the lock table
 * @param locks how many locks there are
 * @param threads how many threads want them
 * @param lease how long a lock outlives its last heartbeat
 * @param clockRate how fast its clock runs; 1 is right
 * @param seed of its random choices
 */
public record WorkerSettings(Owner owner, LockKind kind, int coordinatorPort, int dynamoDbPort, String table, int locks,
		int threads, Duration lease, double clockRate, long seed) {

	/** As arguments of a program. */
	public List<String> arguments() {
		return List.of(Integer.toString(this.owner.node()), Integer.toString(this.owner.incarnation()),
				this.kind.name(), Integer.toString(this.coordinatorPort), Integer.toString(this.dynamoDbPort),
				this.table, Integer.toString(this.locks), Integer.toString(this.threads), this.lease.toString(),
				Double.toString(this.clockRate), Long.toString(this.seed));
	}

	/** What {@link #arguments()} has made. */
	static WorkerSettings of(String[] arguments) {
		Owner owner = new Owner(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
		return new WorkerSettings(owner, LockKind.valueOf(arguments[2]), Integer.parseInt(arguments[3]),
				Integer.parseInt(arguments[4]), arguments[5], Integer.parseInt(arguments[6]),
				Integer.parseInt(arguments[7]), Duration.parse(arguments[8]), Double.parseDouble(arguments[9]),
				Long.parseLong(arguments[10]));
	}

}
