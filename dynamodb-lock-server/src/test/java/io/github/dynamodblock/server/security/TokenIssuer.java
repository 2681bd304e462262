/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
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

	/** One for all: to make one takes long. */
	private static final RSAKey KEY = newKey();

	private static final RSAKey UNKNOWN_KEY = newKey();

	/** The property that accepts the tokens' audience. */
	public static final String AUDIENCE_SETTING = "spring.security.oauth2.resourceserver.jwt.audiences=locks";

	private static final String AUDIENCE = "locks";

	private static final String KEY_ID = "key-of-the-test";

	private final HttpServer server;

	private final AtomicInteger requests = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private volatile JWK key = KEY;

	private volatile boolean down;

	private volatile boolean hanging;

	private TokenIssuer(HttpServer server) {
		this.server = server;
	}

	public static TokenIssuer start() {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			TokenIssuer issuer = new TokenIssuer(server);
			issuer.serve("/jwks.json", () -> new JWKSet(issuer.key.toPublicJWK()).toString());
			issuer.serve("/.well-known/openid-configuration",
					() -> "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\",\"subject_types_supported\":[\"public\"]}"
						.formatted(issuer.address(), issuer.keysAddress()));
			server.setExecutor(issuer.threads);
			server.start();
			return issuer;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void serve(String path, Supplier<String> body) {
		this.server.createContext(path, (exchange) -> {
			try (exchange) {
				this.requests.incrementAndGet();
				hang();
				byte[] bytes = body.get().getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(this.down ? 500 : 200, bytes.length);
				exchange.getResponseBody().write(bytes);
			}
		});
	}

	private void hang() {
		try {
			if (this.hanging) {
				this.closed.await();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
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

	String keysAddress() {
		return address() + "/jwks.json";
	}

	/**
	 * The property that accepts the tokens by the address of the keys.
	 */
	public String keysSetting() {
		return "spring.security.oauth2.resourceserver.jwt.jwk-set-uri=" + keysAddress();
	}

	/**
	 * The property that accepts the tokens by the issuer's address.
	 */
	String issuerSetting() {
		return "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + address();
	}

	/**
	 * Lets the issuer fail from now on, or work again.
	 */
	void down(boolean value) {
		this.down = value;
	}

	/**
	 * Lets the issuer take requests from now on and answer none.
	 */
	void hangs() {
		this.hanging = true;
	}

	/**
	 * How many requests came.
	 */
	int requests() {
		return this.requests.get();
	}

	/**
	 * Signs with a new key of another kind from now on, and publishes that one only.
	 */
	void changeToEllipticCurve() {
		try {
			this.key = new ECKeyGenerator(Curve.P_256).keyID("next-key-of-the-test").generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
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
		return signed(JOSEObjectType.JWT, (claims) -> claims.subject(subject), UNKNOWN_KEY);
	}

	/** A token signed with a key that the issuer does not publish. */
	String ofUnknownKey(String subject) {
		RSAKey unknown = new RSAKey.Builder(UNKNOWN_KEY).keyID(UUID.randomUUID().toString()).build();
		return signed(JOSEObjectType.JWT, (claims) -> claims.subject(subject), unknown);
	}

	String unsigned(String subject) {
		return new PlainJWT(claims((claims) -> claims.subject(subject))).serialize();
	}

	private String signed(JOSEObjectType type, Consumer<JWTClaimsSet.Builder> change, JWK signingKey) {
		try {
			JWSAlgorithm algorithm = (signingKey instanceof ECKey) ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
			JWSHeader header = new JWSHeader.Builder(algorithm).type(type).keyID(signingKey.getKeyID()).build();
			SignedJWT token = new SignedJWT(header, claims(change));
			token.sign((signingKey instanceof ECKey curve) ? new ECDSASigner(curve)
					: new RSASSASigner(signingKey.toRSAKey()));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
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
		this.closed.countDown();
		this.server.stop(0);
		this.threads.shutdown();
	}

}
