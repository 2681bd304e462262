/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/**
 * Asks the issuer for its keys; before the first time, where they are. The result of the
 * last request is remembered for a short time, so that neither tokens with unknown keys
 * nor an issuer that does not answer make requests in a row. Thread-safe; asks once at a
 * time.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {

	private static final MediaType JWK_SET = MediaType.parseMediaType("application/jwk-set+json");

	private final JwtProperties properties;

	private final RestOperations client;

	private final KeyTimes times;

	/**
	 * No monitor, since the issuer is asked under it: a virtual thread would keep its
	 * carrier.
	 */
	private final Lock asking = new ReentrantLock();

	private @Nullable URI address;

	private @Nullable JWKSet keys;

	private @Nullable Exception failure;

	/** When the last request ended, as {@link System#nanoTime()} has it. */
	private long asked;

	IssuerKeys(JwtProperties properties, KeyTimes times) {
		this.properties = properties;
		this.times = times;
		this.client = client(times);
		this.address = (properties.jwks() != null) ? URI.create(properties.jwks()) : null;
	}

	private static RestOperations client(KeyTimes times) {
		SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
		requests.setConnectTimeout(times.connect());
		requests.setReadTimeout(times.read());
		return new RestTemplate(requests);
	}

	@Override
	public JWKSet getJWKSet(@Nullable JWKSetCacheRefreshEvaluator evaluator, long currentTime,
			@Nullable SecurityContext context) throws JWKSetUnavailableException {
		this.asking.lock();
		try {
			return present();
		}
		finally {
			this.asking.unlock();
		}
	}

	private JWKSet present() throws JWKSetUnavailableException {
		if (this.failure != null && isWithin(this.times.pauseAfterFailure())) {
			throw unavailable(this.failure);
		}
		if (this.failure == null && this.keys != null && isWithin(this.times.pauseAfterAnswer())) {
			return this.keys;
		}
		try {
			JWKSet present = ask();
			this.keys = present;
			this.failure = null;
			return present;
		}
		catch (RuntimeException | ParseException ex) {
			this.failure = ex;
			throw unavailable(ex);
		}
		finally {
			this.asked = System.nanoTime();
		}
	}

	private boolean isWithin(Duration pause) {
		return System.nanoTime() - this.asked < pause.toNanos();
	}

	private JWKSet ask() throws ParseException {
		URI place = this.address;
		if (place == null) {
			place = discovered(String.valueOf(this.properties.issuer()));
			if (!this.properties.trusts(place)) {
				throw new IllegalStateException("The issuer publishes its keys at " + place
						+ ", which is not an https address; set jwt.jwks, or jwt.allow-http=true");
			}
			this.address = place;
		}
		return JWKSet.parse(read(place));
	}

	/** Where the issuer's keys are, by OpenID Connect Discovery. */
	private URI discovered(String issuer) throws ParseException {
		URI location = URI.create(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration");
		Map<String, Object> said = JSONObjectUtils.parse(read(location));
		@Nullable String name = JSONObjectUtils.getString(said, "issuer");
		if (!issuer.equals(name)) {
			throw new IllegalStateException("The document at " + location + " is from the issuer '" + name
					+ "', but jwt.issuer is '" + issuer + "'");
		}
		@Nullable URI keys = JSONObjectUtils.getURI(said, "jwks_uri");
		if (keys == null) {
			throw new IllegalStateException("The document at " + location + " has no jwks_uri; set jwt.jwks");
		}
		return keys;
	}

	private String read(URI place) {
		String body = this.client
			.exchange(RequestEntity.get(place).accept(MediaType.APPLICATION_JSON, JWK_SET).build(), String.class)
			.getBody();
		return (body != null) ? body : "";
	}

	private static JWKSetUnavailableException unavailable(Exception reason) {
		return new JWKSetUnavailableException("The issuer's keys are not available", reason);
	}

	@Override
	public void close() {
		// Has nothing open.
	}

}
