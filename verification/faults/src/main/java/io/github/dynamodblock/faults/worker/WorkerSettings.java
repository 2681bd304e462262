/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.Base64;

import io.github.dynamodblock.faults.checker.Owner;
import io.github.dynamodblock.faults.checker.RemoteHistory;
import io.github.dynamodblock.faults.checker.RemoteResources;

/**
 * What a worker is to do.
 *
 * @param owner who it is
 * @param kind what it locks with
 * @param history where it reports
 * @param resources what the locks guard
 * @param dynamoDbPort where it finds DynamoDB, on the loopback address
 * @param table the lock table
 * @param locks how many locks there are
 * @param threads how many threads want them
 * @param lease how long a lock outlives its last heartbeat
 * @param clockRate how fast its clock runs; 1 is right
 * @param seed of its random choices
 * @param handsOn whether its threads prefer one of the locks, which they then hand on to
 * each other
 */
public record WorkerSettings(Owner owner, LockKind kind, RemoteHistory history, RemoteResources resources,
		int dynamoDbPort, String table, int locks, int threads, Duration lease, double clockRate, long seed,
		boolean handsOn) implements Serializable {

	/** As the argument of a program. */
	public String argument() throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(this);
		}
		return Base64.getEncoder().encodeToString(bytes.toByteArray());
	}

	/** What {@link #argument()} has made. */
	static WorkerSettings of(String argument) throws IOException, ClassNotFoundException {
		byte[] bytes = Base64.getDecoder().decode(argument);
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
			return (WorkerSettings) in.readObject();
		}
	}

}
