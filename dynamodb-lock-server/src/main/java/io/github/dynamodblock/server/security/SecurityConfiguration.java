/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.util.CollectionUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.cors.CorsUtils;

/**
 * Protects the service's calls with tokens and rules. Everything else is open under the
 * allowed host names: the page, the documentation, and the exposed actuator endpoints.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

	private static final Logger LOG = LoggerFactory.getLogger(SecurityConfiguration.class);

	private static final String CALLS = "/v1/**";

	private static final String NAMESPACE = "namespace";

	private static final String LIST = "/v1/locks";

	private static final String CALLS_OF_NAMESPACE = "/v1/{namespace}/**";

	private static final String FORCE_RELEASE = "/v1/{namespace}/lock/{lockName}/force-release";

	/** These pages may show content of other hosts. */
	private static final String PAGES_OF_LIBRARIES = "/webjars/**";

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
			+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	/**
	 * The request comes from the service's own page, or its address was typed into the
	 * browser.
	 */
	private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

	private final AuthenticationProperties authentication;

	private final SecurityAnswers answers;

	SecurityConfiguration(AuthenticationProperties authentication) {
		this.authentication = authentication;
		this.answers = new SecurityAnswers(authentication);
	}

	@Bean
	RequestRejectedHandler requestRejectedHandler() {
		return this.answers::rejected;
	}

	/**
	 * Treats unusual HTTP methods like all others: first the security filters answer,
	 * then the calls.
	 */
	@Bean
	HttpFirewall httpFirewall() {
		StrictHttpFirewall firewall = new StrictHttpFirewall();
		firewall.setUnsafeAllowAnyHttpMethod(true);
		firewall.setAllowedHostnames(this.authentication::allowsHost);
		return firewall;
	}

	@Bean
	@Order(0)
	SecurityFilterChain calls(HttpSecurity http, AccessRules rules, ObjectProvider<JwtDecoder> decoders,
			OAuth2ResourceServerProperties properties) {
		http.securityMatcher(CALLS);
		stateless(http);
		// The service itself makes the last dispatch of a stream.
		http.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC).permitAll());
		http.exceptionHandling((handling) -> handling.authenticationEntryPoint(this.answers::forbidden)
			.accessDeniedHandler(this.answers::forbidden));
		@Nullable JwtDecoder decoder = decoders.getIfAvailable();
		if (this.authentication.isDisabled()) {
			requireNoTokens(decoder, rules);
			admitEveryClient(http);
		}
		else if (decoder != null) {
			requireAudience(properties.getJwt());
			admitTokens(http, decoder, rules, properties.getJwt());
		}
		else {
			LOG.warn("No client may call: set spring.security.oauth2.resourceserver.jwt.issuer-uri or jwk-set-uri, or "
					+ "authentication.disabled=true");
			http.authorizeHttpRequests((requests) -> requests.anyRequest()
				.access((caller, call) -> grantedIf(false, "the service is not configured to admit any client")));
		}
		return http.build();
	}

	private static void requireNoTokens(@Nullable JwtDecoder decoder, AccessRules rules) {
		if (decoder != null || !rules.rules().isEmpty()) {
			throw new InvalidConfigurationPropertyValueException("authentication.disabled", true,
					"It admits every client without a token, but tokens are required by "
							+ "spring.security.oauth2.resourceserver.jwt or lock-server.rules. Remove "
							+ "authentication.disabled if clients must have a token, or the others if they need none.");
		}
	}

	private void requireAudience(OAuth2ResourceServerProperties.Jwt jwt) {
		if (CollectionUtils.isEmpty(jwt.getAudiences()) && !this.authentication.anyAudience()) {
			throw new InvalidConfigurationPropertyValueException("spring.security.oauth2.resourceserver.jwt.audiences",
					null,
					"Without an audience, the service accepts tokens that the issuer created for other services. Set "
							+ "it to the 'aud' of this service's tokens, or set authentication.any-audience=true to "
							+ "accept all tokens of the issuer.");
		}
	}

	private static void admitEveryClient(HttpSecurity http) {
		LOG.warn("Every client may call without a token, as the owner 'anonymous', because authentication.disabled is "
				+ "true");
		http.anonymous((caller) -> caller.principal("anonymous"));
		http.authorizeHttpRequests((requests) -> requests.requestMatchers(FORCE_RELEASE)
			.access((caller, call) -> grantedIf(false, "only an administrator's token may break a lock"))
			.anyRequest()
			.access((caller, call) -> grantedIf(isOwnSites(call.getRequest()),
					"a browser sent the request for a page of another site")));
	}

	/**
	 * Returns {@code false} if a browser sent the request for a page of another site.
	 * Otherwise, any page that a person opens could acquire locks in that person's
	 * network. Programs send neither of the two headers. Spring's CORS filter reads only
	 * the origin, which is wrong behind a proxy that terminates TLS.
	 */
	private static boolean isOwnSites(HttpServletRequest request) {
		@Nullable String site = request.getHeader("Sec-Fetch-Site");
		return (site != null) ? OWN_SITE.contains(site) : !CorsUtils.isCorsRequest(request);
	}

	private void admitTokens(HttpSecurity http, JwtDecoder decoder, AccessRules rules,
			OAuth2ResourceServerProperties.Jwt jwt) {
		LOG.info("Clients with a token from {} for {} may call; {}",
				StringUtils.hasText(jwt.getIssuerUri()) ? jwt.getIssuerUri() : "any issuer with the configured keys",
				CollectionUtils.isEmpty(jwt.getAudiences()) ? "any audience" : jwt.getAudiences(),
				rules.rules().isEmpty() ? "without rules, each may use every namespace"
						: "number of rules for namespaces: " + rules.rules().size());
		http.exceptionHandling((handling) -> handling.authenticationEntryPoint(this.answers::unauthenticated));
		http.authorizeHttpRequests((requests) -> requests.requestMatchers(FORCE_RELEASE)
			.access(allowed(rules::allowAdministration, "makes this token an administrator of"))
			.requestMatchers(LIST)
			.access(allowed(rules::allow, "allows this token"))
			.requestMatchers(CALLS_OF_NAMESPACE)
			.access(allowed(rules::allow, "allows this token"))
			.anyRequest()
			.authenticated());
		http.oauth2ResourceServer((server) -> server.jwt((tokens) -> tokens.decoder(decoder))
			.authenticationEntryPoint(this.answers::unauthenticated));
	}

	/** Checks the namespace in the path or, for the list, in the query. */
	private static AuthorizationManager<RequestAuthorizationContext> allowed(BiPredicate<Jwt, String> rules,
			String refused) {
		return (caller, call) -> {
			if (!(caller.get().getPrincipal() instanceof Jwt token)) {
				return new AuthorizationDecision(false);
			}
			@Nullable String ofPath = call.getVariables().get(NAMESPACE);
			@Nullable String namespace = (ofPath != null) ? ofPath : call.getRequest().getParameter(NAMESPACE);
			return grantedIf(rules.test(token, Objects.requireNonNullElse(namespace, "")),
					"no rule in lock-server.rules " + refused + ((namespace != null)
							? " the namespace '" + namespace + "'" : " all namespaces; select one with ?namespace="));
		};
	}

	private static AuthorizationDecision grantedIf(boolean granted, String otherwise) {
		if (!granted) {
			throw new AccessDeniedException(otherwise);
		}
		return new AuthorizationDecision(true);
	}

	@Bean
	@Order(1)
	SecurityFilterChain everythingElse(HttpSecurity http) {
		stateless(http);
		http.headers((headers) -> headers.cacheControl(HeadersConfigurer.CacheControlConfig::disable));
		http.authorizeHttpRequests(
				(requests) -> requests.requestMatchers(PAGES_OF_LIBRARIES).denyAll().anyRequest().permitAll());
		return http.build();
	}

	/** Uses no session, cookie or login page, because each request contains its token. */
	private static void stateless(HttpSecurity http) {
		http.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf(AbstractHttpConfigurer::disable)
			.requestCache(AbstractHttpConfigurer::disable)
			.logout(AbstractHttpConfigurer::disable)
			.headers((headers) -> headers.contentSecurityPolicy((content) -> content.policyDirectives(POLICY))
				.referrerPolicy((referrer) -> referrer.policy(ReferrerPolicy.NO_REFERRER)));
	}

}
