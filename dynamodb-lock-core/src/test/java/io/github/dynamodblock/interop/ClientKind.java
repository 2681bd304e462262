/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.time.Duration;

/**
 * The two kinds of clients.
 */
enum ClientKind {

	/** The client of this project. */
	OURS {
		@Override
		Contender open(SharedLock lock, Duration lease) {
			return new OurContender(lock, lease);
		}

		@Override
		ClientKind other() {
			return AWS;
		}
	},

	/** The AWS lock client for Java. */
	AWS {
		@Override
		Contender open(SharedLock lock, Duration lease) {
			return new AwsContender(lock, lease);
		}

		@Override
		ClientKind other() {
			return OURS;
		}
	};

	/** A lease that no test outlives. */
	static final Duration LONG_LEASE = Duration.ofHours(1);

	/** How often a client of either kind sends heartbeats. */
	static final Duration HEARTBEAT_PERIOD = Duration.ofMillis(500);

	/** A new client, whose locks have this lease; to be closed. */
	abstract Contender open(SharedLock lock, Duration lease);

	abstract ClientKind other();

}
