/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.ConditionalOnIssuerLocationJwtDecoder;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.ConditionalOnJwkSetUriJwtDecoder;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpStatus;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.util.CollectionUtils;
import org.springframework.util.StringUtils;

/**
 * Verifies tokens, configured by Spring Boot's resource server properties. Spring Boot's
 * own decoders stop accepting tokens a few minutes after the issuer goes down. They then
 * send a request to the issuer for each token, and answer a failed discovery with 500.
 * The Nimbus key sources that are used here prevent that.
 */
@Configuration(proxyBeanMethods = false)
class TokenConfiguration {

	private static final int MOST_CHARACTERS_OF_NAME = 255;

	static final ResourceRetriever HTTP = new DefaultResourceRetriever(2000, 3000, 1024 * 1024);

	/**
	 * Without this, Spring Security would report missing keys as an error of the service.
	 */
	private static final BearerTokenError NO_KEYS = new BearerTokenError(OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE,
			HttpStatus.SERVICE_UNAVAILABLE, "The issuer's keys are not available", null);

	private static final Duration OUTAGE = Duration.ofHours(12);

	@Bean
	@ConditionalOnJwkSetUriJwtDecoder
	JWKSource<SecurityContext> configuredKeys(OAuth2ResourceServerProperties properties) {
		return keys(url("jwk-set-uri", properties.getJwt().getJwkSetUri(), ""), HTTP, KeyTimes.DEFAULTS);
	}

	@Bean
	@ConditionalOnIssuerLocationJwtDecoder
	JWKSource<SecurityContext> discoveredKeys(OAuth2ResourceServerProperties properties) {
		String issuer = String.valueOf(properties.getJwt().getIssuerUri());
		URL metadata = url("issuer-uri", issuer.replaceFirst("/$", ""), "/.well-known/openid-configuration");
		return keys(metadata, (location) -> HTTP.retrieveResource(discovered(issuer, location)), KeyTimes.DEFAULTS);
	}

	private static URL url(String property, @Nullable String address, String path) {
		try {
			URI location = URI.create(address + path);
			if (location.getHost() != null && String.valueOf(location.getScheme()).matches("(?i)https?")) {
				return location.toURL();
			}
		}
		catch (IllegalArgumentException | MalformedURLException ex) {
			// Refused below, by the name of the property.
		}
		throw refused(property, address, "Set it to an https address, such as https://issuer.example.");
	}

	private static InvalidConfigurationPropertyValueException refused(String property, @Nullable String value,
			String reason) {
		return new InvalidConfigurationPropertyValueException("spring.security.oauth2.resourceserver.jwt." + property,
				value, reason);
	}

	/** Finds the address of the issuer's keys with OpenID Connect Discovery. */
	private static URL discovered(String issuer, URL location) throws IOException {
		try {
			Map<String, Object> metadata = JSONObjectUtils.parse(HTTP.retrieveResource(location).getContent());
			if (!issuer.equals(metadata.get("issuer"))) {
				throw new IOException("The document at " + location + " is from the issuer '" + metadata.get("issuer")
						+ "', not from '" + issuer + "'");
			}
			return URI.create(JSONObjectUtils.getString(metadata, "jwks_uri")).toURL();
		}
		catch (ParseException | RuntimeException ex) {
			throw new IOException("The document at " + location + " has no valid jwks_uri", ex);
		}
	}

	/**
	 * Returns the keys at a location. They are first read when the first token arrives,
	 * and then refreshed in the background. If the issuer does not answer, they stay
	 * valid for hours, because an outage of the issuer must not stop the locks.
	 */
	static JWKSource<SecurityContext> keys(URL location, ResourceRetriever http, KeyTimes times) {
		return JWKSourceBuilder.create(location, http)
			.cache(times.fresh().toMillis(), times.patience().toMillis())
			.refreshAheadCache(times.fresh().dividedBy(2).toMillis(), false)
			.outageTolerant(OUTAGE.toMillis())
			.rateLimited(times.pause().toMillis())
			.build();
	}

	@Bean
	@ConditionalOnBean(JWKSource.class)
	JwtDecoder jwtDecoder(JWKSource<SecurityContext> source, OAuth2TokenValidator<Jwt> validator,
			OAuth2ResourceServerProperties properties) {
		JWKSetBasedJWKSource<SecurityContext> keys = (JWKSetBasedJWKSource<SecurityContext>) source;
		NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource((selector, context) -> {
			try {
				return keys.get(selector, context);
			}
			catch (RateLimitReachedException ex) {
				// A token with an unknown key is a bad token, if there are keys at all.
				return selector.select(keys.getJWKSetSource()
					.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), System.currentTimeMillis(), context));
			}
		})
			.jwsAlgorithms((algorithms) -> properties.getJwt()
				.getJwsAlgorithms()
				.forEach((name) -> algorithms.add(algorithm(name))))
			.build();
		decoder.setJwtValidator(validator);
		return (token) -> {
			try {
				return decoder.decode(token);
			}
			catch (JwtException ex) {
				if (ex.getCause() instanceof KeySourceException) {
					throw new OAuth2AuthenticationException(NO_KEYS,
							"The issuer's keys are not available: " + NestedExceptionUtils.getMostSpecificCause(ex),
							ex);
				}
				// Such as a key that does not fit the token's algorithm.
				throw (ex instanceof BadJwtException) ? ex : new BadJwtException(String.valueOf(ex.getMessage()), ex);
			}
		};
	}

	private static SignatureAlgorithm algorithm(String name) {
		@Nullable SignatureAlgorithm known = SignatureAlgorithm.from(name);
		if (known == null) {
			throw refused("jws-algorithms", name, "Set it to some of "
					+ Arrays.stream(SignatureAlgorithm.values()).map(SignatureAlgorithm::getName).toList() + ".");
		}
		return known;
	}

	/**
	 * Creates the validator as a bean, so Spring Boot's decoder for {@code
	 * public-key-location} also uses it.
	 */
	@Bean
	static OAuth2TokenValidator<Jwt> tokenValidator(OAuth2ResourceServerProperties properties) {
		OAuth2ResourceServerProperties.Jwt jwt = properties.getJwt();
		List<OAuth2TokenValidator<Jwt>> validators = new ArrayList<>();
		JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt");
		type.setAllowEmpty(true);
		validators.add(type);
		// A token without an expiry could not be revoked.
		validators.add(new JwtClaimValidator<>(JwtClaimNames.EXP, Objects::nonNull));
		// It is stored in each lock, and logged for each call.
		validators
			.add(new JwtClaimValidator<>(Objects.requireNonNullElse(jwt.getPrincipalClaimName(), JwtClaimNames.SUB),
					(name) -> name instanceof String text && StringUtils.hasText(text)
							&& text.length() <= MOST_CHARACTERS_OF_NAME));
		if (StringUtils.hasText(jwt.getIssuerUri())) {
			validators.add(new JwtIssuerValidator(jwt.getIssuerUri()));
		}
		if (!CollectionUtils.isEmpty(jwt.getAudiences())) {
			validators.add(new JwtClaimValidator<List<String>>(JwtClaimNames.AUD,
					(claimed) -> claimed != null && !Collections.disjoint(claimed, jwt.getAudiences())));
		}
		return JwtValidators.createDefaultWithValidators(validators);
	}

	/**
	 * How long keys are used, and how long callers wait for them.
	 *
	 * @param fresh how long keys are used before they are read again; after half of this
	 * time, they are read in the background
	 * @param patience how long callers wait for another caller to read the keys
	 * @param pause the time during which the keys are read at most twice
	 */
	record KeyTimes(Duration fresh, Duration patience, Duration pause) {

		/**
		 * Callers wait longer than one request can take (5 s), and shorter than two
		 * requests to an issuer that hangs (6 s): otherwise, they would make further
		 * ones.
		 */
		static final KeyTimes DEFAULTS = new KeyTimes(Duration.ofMinutes(5), Duration.ofMillis(5500),
				Duration.ofSeconds(5));

	}

}
