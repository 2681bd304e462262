/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The trial: starts DynamoDB Local and two instances of the service, lets many clients
 * contend for few locks through both, kills one instance, and judges what the clients
 * were told. No part of the application.
 */
@NullMarked
package io.github.dynamodblock.verification.lockserver;

import org.jspecify.annotations.NullMarked;
