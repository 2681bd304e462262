/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Who may call.
 */
enum Access {

	/** All, and all are one owner. */
	EVERYBODY,

	/** Who has a token: the owner is its subject. */
	BY_TOKEN,

	/** No client, as long as nothing else is set. */
	NOBODY;

	/**
	 * What the settings say.
	 * @param authentication whether callers have to say who they are
	 * @param jwt whose tokens are taken
	 * @return who may call
	 * @throws InvalidConfigurationPropertyValueException if the settings contradict each
	 * other, or are no addresses
	 */
	static Access of(AuthenticationProperties authentication, JwtProperties jwt) {
		List<String> set = namesOfSet(jwt);
		if (authentication.isDisabled() && !set.isEmpty()) {
			throw new InvalidConfigurationPropertyValueException("authentication.disabled", true,
					"It admits every client without a token, but tokens are required by " + String.join(", ", set)
							+ ". Remove authentication.disabled if clients must have a token, or "
							+ String.join(", ", set) + " if they need none.");
		}
		if (authentication.isDisabled()) {
			return EVERYBODY;
		}
		if (set.isEmpty()) {
			return NOBODY;
		}
		if (jwt.issuer() == null && jwt.jwks() == null) {
			throw new InvalidConfigurationPropertyValueException("jwt.audience", jwt.audience(),
					"No issuer and no keys are configured to verify tokens. Set jwt.issuer, jwt.jwks, or both, or "
							+ "remove jwt.audience.");
		}
		requireAddress("jwt.issuer", jwt.issuer(), jwt, "https://issuer.example");
		requireAddress("jwt.jwks", jwt.jwks(), jwt, "https://issuer.example/jwks.json");
		return BY_TOKEN;
	}

	private static List<String> namesOfSet(JwtProperties jwt) {
		List<String> names = new ArrayList<>();
		if (jwt.issuer() != null) {
			names.add("jwt.issuer");
		}
		if (jwt.jwks() != null) {
			names.add("jwt.jwks");
		}
		if (jwt.audience() != null) {
			names.add("jwt.audience");
		}
		return names;
	}

	private static void requireAddress(String property, @Nullable String value, JwtProperties jwt, String example) {
		if (value == null) {
			return;
		}
		if (!isAddress(value)) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"Set " + property + " to an http or https address, such as " + example + ".");
		}
		if (!jwt.trusts(URI.create(value))) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"An attacker on the network can replace the keys that are read over http. Set " + property
							+ " to an https address, or jwt.allow-http=true if the network is trusted.");
		}
	}

	private static boolean isAddress(String value) {
		try {
			URI address = new URI(value);
			return address.getHost() != null
					&& ("https".equalsIgnoreCase(address.getScheme()) || "http".equalsIgnoreCase(address.getScheme()));
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

}
