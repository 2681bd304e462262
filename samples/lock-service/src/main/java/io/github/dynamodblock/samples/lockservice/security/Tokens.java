/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.security;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.nimbusds.jose.RemoteKeySourceException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder.JwkSetUriJwtDecoderBuilder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/**
 * Reads and checks tokens. The issuer is first asked when the first token comes, so that
 * a start does not need it.
 */
final class Tokens implements JwtDecoder {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

	private final JwtDecoder decoder;

	Tokens(JwtProperties properties) {
		this.decoder = new SupplierJwtDecoder(() -> decoder(properties));
	}

	private static JwtDecoder decoder(JwtProperties properties) {
		NimbusJwtDecoder decoder = keys(properties).restOperations(client()).validateType(false).build();
		decoder.setJwtValidator(validator(properties));
		return decoder;
	}

	private static JwkSetUriJwtDecoderBuilder keys(JwtProperties properties) {
		if (properties.jwks() != null) {
			// All that are signed by a private key. A key fits its own kind only.
			return NimbusJwtDecoder.withJwkSetUri(properties.jwks())
				.jwsAlgorithms((algorithms) -> algorithms.addAll(List.of(SignatureAlgorithm.values())));
		}
		if (properties.issuer() == null) {
			throw new IllegalArgumentException("Neither jwt.issuer nor jwt.jwks is set; set one of them");
		}
		return NimbusJwtDecoder.withIssuerLocation(properties.issuer());
	}

	private static RestOperations client() {
		SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
		requests.setConnectTimeout(CONNECT_TIMEOUT);
		requests.setReadTimeout(READ_TIMEOUT);
		return new RestTemplate(requests);
	}

	private static OAuth2TokenValidator<Jwt> validator(JwtProperties properties) {
		List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>();
		JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt");
		type.setAllowEmpty(true);
		validators.add(type);
		validators.add(new JwtClaimValidator<@Nullable String>(JwtClaimNames.SUB, StringUtils::hasText));
		if (properties.issuer() != null) {
			String issuer = properties.issuer();
			validators.add(new JwtClaimValidator<@Nullable Object>(JwtClaimNames.ISS,
					(claim) -> claim != null && issuer.equals(claim.toString())));
		}
		if (properties.audience() != null) {
			String audience = properties.audience();
			validators.add(new JwtClaimValidator<@Nullable List<String>>(JwtClaimNames.AUD,
					(claim) -> claim != null && claim.contains(audience)));
		}
		return JwtValidators.createDefaultWithValidators(validators);
	}

	/**
	 * Reads and checks a token.
	 * @throws BadJwtException if the token is bad
	 * @throws JwtException if the issuer's keys cannot be had, so that nobody knows
	 */
	@Override
	public Jwt decode(String token) {
		try {
			return this.decoder.decode(token);
		}
		catch (JwtDecoderInitializationException ex) {
			throw new JwtException("The issuer could not be discovered", ex);
		}
		catch (BadJwtException ex) {
			throw ex;
		}
		catch (JwtException ex) {
			if (hasCause(ex, RemoteKeySourceException.class)) {
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
