/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Annotations and classes with which applications lock. Start with
 * {@link io.github.dynamodblock.spring.DistributedLock}, or with
 * {@link io.github.dynamodblock.spring.LockTemplate} to lock part of a method.
 */
@NullMarked
package io.github.dynamodblock.spring;

import org.jspecify.annotations.NullMarked;
