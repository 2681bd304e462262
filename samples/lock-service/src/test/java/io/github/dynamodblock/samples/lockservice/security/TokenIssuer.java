/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.function.Consumer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;

/**
 * Issues tokens, and serves its keys and its OpenID configuration on the loopback
 * address.
 */
public final class TokenIssuer implements AutoCloseable {

	static final String AUDIENCE = "locks";

	private static final String KEY_ID = "key-of-the-test";

	private final HttpServer server;

	private final RSAKey key = newKey();

	private volatile boolean down;

	private TokenIssuer(HttpServer server) {
		this.server = server;
	}

	public static TokenIssuer start() {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			TokenIssuer issuer = new TokenIssuer(server);
			issuer.serve("/jwks.json", new JWKSet(issuer.key.toPublicJWK()).toString());
			issuer.serve("/.well-known/openid-configuration",
					"{\"issuer\":\"%s\",\"jwks_uri\":\"%s\",\"subject_types_supported\":[\"public\"]}"
						.formatted(issuer.address(), issuer.keysAddress()));
			server.start();
			return issuer;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void serve(String path, String body) {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		this.server.createContext(path, (exchange) -> {
			try (exchange) {
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(this.down ? 500 : 200, bytes.length);
				exchange.getResponseBody().write(bytes);
			}
		});
	}

	private static RSAKey newKey() {
		try {
			return new RSAKeyGenerator(2048).keyID(KEY_ID).generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String address() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	public String keysAddress() {
		return address() + "/jwks.json";
	}

	/**
	 * Lets the issuer fail from now on, or work again.
	 */
	void down(boolean value) {
		this.down = value;
	}

	/** A good token. */
	public String token(String subject) {
		return token((claims) -> claims.subject(subject));
	}

	/** A token that is good but for what is changed. */
	public String token(Consumer<JWTClaimsSet.Builder> change) {
		return signed(JOSEObjectType.JWT, change, this.key);
	}

	String tokenOfType(String type, String subject) {
		return signed(new JOSEObjectType(type), (claims) -> claims.subject(subject), this.key);
	}

	/** A token signed with somebody else's key of the same name. */
	String forged(String subject) {
		return signed(JOSEObjectType.JWT, (claims) -> claims.subject(subject), newKey());
	}

	String unsigned(String subject) {
		return new PlainJWT(claims((claims) -> claims.subject(subject))).serialize();
	}

	private String signed(JOSEObjectType type, Consumer<JWTClaimsSet.Builder> change, RSAKey signingKey) {
		JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256).type(type).keyID(KEY_ID).build();
		SignedJWT token = new SignedJWT(header, claims(change));
		try {
			token.sign(new RSASSASigner(signingKey));
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
		return token.serialize();
	}

	private JWTClaimsSet claims(Consumer<JWTClaimsSet.Builder> change) {
		Instant now = Instant.now();
		JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder().issuer(address())
			.audience(AUDIENCE)
			.subject("somebody")
			.issueTime(Date.from(now))
			.expirationTime(Date.from(now.plus(Duration.ofHours(1))));
		change.accept(claims);
		return claims.build();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
