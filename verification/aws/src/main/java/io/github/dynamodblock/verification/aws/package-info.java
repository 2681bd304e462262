/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Runs the locks against DynamoDB in AWS, with a reader's credentials, or against
 * DynamoDB Local, and writes a report. {@code AwsRun} is the entry point. It carries out
 * one {@code Check} after the other. {@code RunTables} names the tables of a run and
 * deletes them, and {@code Meter} counts what a run costs.
 */
@NullMarked
package io.github.dynamodblock.verification.aws;

import org.jspecify.annotations.NullMarked;
