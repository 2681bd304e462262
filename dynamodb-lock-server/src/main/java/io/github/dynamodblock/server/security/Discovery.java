/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.util.JSONObjectUtils;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestOperations;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Finds an issuer's keys by what it says of itself: as OpenID Connect Discovery has it,
 * or RFC 8414.
 */
final class Discovery {

	private static final String OPENID = "/.well-known/openid-configuration";

	private static final String OAUTH = "/.well-known/oauth-authorization-server";

	private final RestOperations client;

	private final String issuer;

	Discovery(RestOperations client, String issuer) {
		this.client = client;
		this.issuer = issuer;
	}

	/**
	 * Where the issuer's keys are.
	 * @return the address of a JWK set
	 * @throws ParseException if what the issuer says cannot be read
	 * @throws org.springframework.web.client.RestClientException if it says nothing
	 * @throws IllegalStateException if it is another issuer, or says nothing of its keys
	 */
	URI keysAddress() throws ParseException {
		HttpClientErrorException nothingThere = null;
		for (URI location : locations()) {
			try {
				return keysAddress(location, JSONObjectUtils.parse(read(location)));
			}
			catch (HttpClientErrorException ex) {
				nothingThere = ex;
			}
		}
		throw new IllegalStateException(
				"Nothing says where the keys of the issuer " + this.issuer + " are; set jwt.jwks to their address",
				nothingThere);
	}

	private URI keysAddress(URI location, Map<String, Object> said) throws ParseException {
		@Nullable String name = JSONObjectUtils.getString(said, "issuer");
		if (!this.issuer.equals(name)) {
			throw new IllegalStateException("What stands at " + location + " is said by the issuer '" + name
					+ "', not by jwt.issuer, which is '" + this.issuer + "'");
		}
		@Nullable URI keys = JSONObjectUtils.getURI(said, "jwks_uri");
		if (keys == null) {
			throw new IllegalStateException("What stands at " + location + " has no jwks_uri; set jwt.jwks");
		}
		return keys;
	}

	private String read(URI location) {
		String body = this.client
			.exchange(RequestEntity.get(location).accept(MediaType.APPLICATION_JSON).build(), String.class)
			.getBody();
		return (body != null) ? body : "";
	}

	private List<URI> locations() {
		String path = UriComponentsBuilder.fromUriString(this.issuer).build().getPath();
		String ownPath = (path == null || path.equals("/")) ? "" : path.replaceFirst("/$", "");
		return List.of(location(ownPath + OPENID), location(OPENID + ownPath), location(OAUTH + ownPath));
	}

	private URI location(String path) {
		return UriComponentsBuilder.fromUriString(this.issuer).replacePath(path).build(true).toUri();
	}

}
