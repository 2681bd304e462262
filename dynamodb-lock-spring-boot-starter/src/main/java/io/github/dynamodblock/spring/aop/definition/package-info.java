/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Reads {@link io.github.dynamodblock.spring.DistributedLock} annotations into
 * definitions. Not meant to be used by applications.
 *
 * <pre>
 * LockDefinitions -&gt; LockDefinitionReader -&gt; LockDefinition (one annotated method, checked)
 * </pre>
 */
@NullMarked
package io.github.dynamodblock.spring.aop.definition;

import org.jspecify.annotations.NullMarked;
