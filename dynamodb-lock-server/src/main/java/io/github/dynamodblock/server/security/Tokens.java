/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.util.StringUtils;

/**
 * Reads and checks tokens. The issuer is first asked when the first token comes, so that
 * a start does not need it. Known keys are looked at again in the background, and stay in
 * use for hours when the issuer does not answer: locks must not stop with it.
 */
final class Tokens implements JwtDecoder {

	private static final Logger logger = LoggerFactory.getLogger(Tokens.class);

	private final JwtDecoder decoder;

	Tokens(JwtProperties properties) {
		this(properties, KeyTimes.DEFAULTS);
	}

	Tokens(JwtProperties properties, KeyTimes times) {
		// Whichever kind of key the issuer uses today. A key fits its own kind only.
		NimbusJwtDecoder keysDecoder = NimbusJwtDecoder.withJwkSource(keys(properties, times))
			.jwsAlgorithms((algorithms) -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
			.build();
		keysDecoder.setJwtValidator(validator(properties));
		this.decoder = keysDecoder;
	}

	/**
	 * The library's limit of requests is not used: it refuses known keys too when it is
	 * reached, and the source has its own.
	 */
	private static JWKSource<SecurityContext> keys(JwtProperties properties, KeyTimes times) {
		return JWKSourceBuilder.create(new IssuerKeys(properties, times))
			.cache(times.fresh().toMillis(), times.patience().toMillis())
			.refreshAheadCache(times.fresh().dividedBy(2).toMillis(), null, background(), true, null, false)
			.outageTolerant(times.outage().toMillis())
			.rateLimited(false)
			.build();
	}

	/** One thread, which ends when nothing is to be done. */
	private static ExecutorService background() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("issuer-keys-");
		threads.setDaemon(true);
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private static OAuth2TokenValidator<Jwt> validator(JwtProperties properties) {
		if (properties.audience() == null) {
			logger.warn("jwt.audience is not set: tokens that the issuer created for other services are also accepted");
		}
		List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>();
		JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt");
		type.setAllowEmpty(true);
		validators.add(type);
		// A token without an end cannot be taken back.
		validators.add(new JwtClaimValidator<Object>(JwtClaimNames.EXP, Objects::nonNull));
		validators.add(new JwtClaimValidator<String>(JwtClaimNames.SUB, StringUtils::hasText));
		if (properties.issuer() != null) {
			String issuer = properties.issuer();
			validators.add(new JwtClaimValidator<Object>(JwtClaimNames.ISS,
					(claim) -> claim != null && issuer.equals(claim.toString())));
		}
		if (properties.audience() != null) {
			String audience = properties.audience();
			validators.add(new JwtClaimValidator<List<String>>(JwtClaimNames.AUD,
					(claim) -> claim != null && claim.contains(audience)));
		}
		return JwtValidators.createDefaultWithValidators(validators);
	}

	/**
	 * Reads and checks a token.
	 * @throws BadJwtException if the token is bad
	 * @throws JwtException if the issuer's keys cannot be had, so that the token cannot
	 * be checked
	 */
	@Override
	public Jwt decode(String token) {
		try {
			return this.decoder.decode(token);
		}
		catch (BadJwtException ex) {
			throw ex;
		}
		catch (JwtException ex) {
			if (hasCause(ex, KeySourceException.class)) {
				throw ex;
			}
			throw new BadJwtException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static boolean hasCause(Throwable failure, Class<? extends Throwable> type) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * What kept the keys away, in the words of its root.
	 */
	static String reason(Throwable failure) {
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure));
	}

}
