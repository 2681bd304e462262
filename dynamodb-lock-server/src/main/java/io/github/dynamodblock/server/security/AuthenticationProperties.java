/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties that decide whether callers must authenticate.
 *
 * @param disabled whether every client may call without a token; all of them are then one
 * owner. {@code null} means no
 * @param anyAudience whether tokens for other services are also accepted; no audience
 * needs to be configured then
 * @param allowedHosts the host names under which the service is reachable, besides IP
 * addresses and {@code localhost}; {@code *} allows all. If empty, all names are allowed,
 * unless authentication is disabled
 */
@ConfigurationProperties("authentication")
record AuthenticationProperties(@Nullable Boolean disabled, @DefaultValue("false") boolean anyAudience,
		@DefaultValue List<String> allowedHosts) {

	/**
	 * The host names that DNS rebinding cannot abuse. The page of another site can let
	 * its own name resolve to the service's address, but not these names.
	 */
	private static final Pattern NEVER_REBOUND = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[.*]|(.+\\.)?localhost",
			Pattern.CASE_INSENSITIVE);

	boolean isDisabled() {
		return Boolean.TRUE.equals(this.disabled);
	}

	/**
	 * Returns whether the service may be called under a host name.
	 * @param name the name, without a port
	 */
	boolean allowsHost(String name) {
		return (!isDisabled() && this.allowedHosts.isEmpty()) || NEVER_REBOUND.matcher(name).matches()
				|| this.allowedHosts.stream().anyMatch((host) -> host.equals("*") || host.equalsIgnoreCase(name));
	}

}
