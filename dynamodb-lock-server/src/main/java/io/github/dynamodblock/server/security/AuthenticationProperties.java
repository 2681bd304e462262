/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether callers have to say who they are.
 *
 * @param disabled whether every client may call, and all are one owner; not, if
 * {@code null}
 * @param allowedHosts the host names under which the service may be called while
 * authentication is disabled, besides IP addresses and {@code localhost}; {@code *} for
 * all
 */
@ConfigurationProperties("authentication")
record AuthenticationProperties(@Nullable Boolean disabled, @DefaultValue List<String> allowedHosts) {

	boolean isDisabled() {
		return Boolean.TRUE.equals(this.disabled);
	}

}
