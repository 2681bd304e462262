/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

/**
 * An application whose nodes have the job.
 *
 * @param name its name, as records show it
 * @param method the method that it calls
 */
record SimulatedApplication(String name, String method) {
}
