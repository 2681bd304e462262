/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.security;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.StringUtils;

/**
 * Whose tokens are taken. A blank value counts as none.
 *
 * @param issuer who must have issued a token; its keys are found by OpenID discovery,
 * unless they are told
 * @param jwks the address of the issuer's keys, a JWK set
 * @param audience for whom a token must be meant
 */
@ConfigurationProperties("jwt")
record JwtProperties(@Nullable String issuer, @Nullable String jwks, @Nullable String audience) {

	JwtProperties {
		issuer = textOrNull(issuer);
		jwks = textOrNull(jwks);
		audience = textOrNull(audience);
	}

	private static @Nullable String textOrNull(@Nullable String value) {
		return StringUtils.hasText(value) ? value.strip() : null;
	}

}
