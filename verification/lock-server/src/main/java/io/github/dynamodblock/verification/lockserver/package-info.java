/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The demo of the lock server: starts DynamoDB Local and two instances, lets many clients
 * contend for few locks through both, kills one instance, and checks what the clients
 * were answered.
 */
@NullMarked
package io.github.dynamodblock.verification.lockserver;

import org.jspecify.annotations.NullMarked;
