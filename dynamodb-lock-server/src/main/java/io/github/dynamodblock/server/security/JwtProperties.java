/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Whose tokens are taken. A blank value counts as none.
 *
 * @param issuer who must have issued a token; its keys are found by OpenID discovery,
 * unless they are configured
 * @param jwks the address of the issuer's keys, a JWK set
 * @param audience for whom a token must be meant
 * @param allowHttp whether keys may be read over plain http from other machines
 */
@ConfigurationProperties("jwt")
record JwtProperties(@Nullable String issuer, @Nullable String jwks, @Nullable String audience,
		@DefaultValue("false") boolean allowHttp) {

	JwtProperties {
		issuer = textOrNull(issuer);
		jwks = textOrNull(jwks);
		audience = textOrNull(audience);
	}

	/**
	 * Whether keys may be read from an address: who can change them on the way can make
	 * tokens.
	 * @param address an http or https address
	 */
	boolean trusts(URI address) {
		return this.allowHttp || !"http".equalsIgnoreCase(address.getScheme())
				|| AllowedHosts.isLoopback(String.valueOf(address.getHost()));
	}

	private static @Nullable String textOrNull(@Nullable String value) {
		return StringUtils.hasText(value) ? value.strip() : null;
	}

}
