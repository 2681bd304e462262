/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.security;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Whether callers have to say who they are.
 *
 * @param disabled whether everybody may call, and all are one owner; not, if {@code null}
 */
@ConfigurationProperties("authentication")
record AuthenticationProperties(@Nullable Boolean disabled) {

	boolean isDisabled() {
		return Boolean.TRUE.equals(this.disabled);
	}

}
