/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.core.env.PropertyResolver;

/**
 * The options of a run.
 *
 * @param region the AWS Region; {@code null} for DynamoDB Local
 * @param endpoint the address of a DynamoDB Local, {@code local} to start one, or
 * {@code null} for AWS
 * @param yes whether to create tables without asking first
 * @param role the ARN of the role whose permissions are restricted to the documented
 * policy, if any
 * @param report the file for the report, if any
 * @param cleanUp the run whose tables are to be deleted, empty for all runs that have
 * ended, or {@code null} to run the checks
 */
record Options(@Nullable String region, @Nullable String endpoint, boolean yes, @Nullable String role,
		@Nullable Path report, @Nullable String cleanUp) {

	/** Starts DynamoDB Local for this run. */
	static final String LOCAL = "local";

	/** Reads the options, which the script has checked. */
	static Options read(PropertyResolver commandLine) {
		String report = commandLine.getProperty("report");
		return new Options(commandLine.getProperty("region"), commandLine.getProperty("endpoint"),
				commandLine.containsProperty("yes"), commandLine.getProperty("assume-role"),
				(report != null) ? Path.of(report) : null, commandLine.getProperty("clean-up"));
	}

	/** Returns whether nothing of this run outlives it, so that it needs no consent. */
	boolean isSelfContained() {
		return LOCAL.equals(this.endpoint);
	}

}
