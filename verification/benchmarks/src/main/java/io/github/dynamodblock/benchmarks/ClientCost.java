/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

/**
 * What a cycle of one client costs, beside the others.
 *
 * @param name of the client
 * @param calls how many calls of DynamoDB a cycle makes
 * @param cpuOnAll microseconds of processor time on 16 threads
 * @param cpuOnOne microseconds of processor time on one thread
 * @param kilobytes KB allocated on 16 threads
 * @param perSecond cycles a second of 16 threads, with added latency
 * @param millis milliseconds on one thread, with added latency
 */
record ClientCost(String name, double calls, double cpuOnAll, double cpuOnOne, double kilobytes, double perSecond,
		double millis) {

}
