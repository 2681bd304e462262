/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks on Amazon DynamoDB. The exported packages are the API of the lock
 * client; all others are internal.
 */
@SuppressWarnings({ "requires-automatic", "requires-transitive-automatic" }) // The SDK has automatic modules only.
module io.github.dynamodblock {

	requires transitive software.amazon.awssdk.services.dynamodb;
	requires software.amazon.awssdk.core;
	requires software.amazon.awssdk.awscore;
	requires software.amazon.awssdk.http;
	requires org.slf4j;
	requires static transitive org.jspecify;

	exports io.github.dynamodblock;
	exports io.github.dynamodblock.table;

}
