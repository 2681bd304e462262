/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import jakarta.servlet.DispatcherType;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Guards the service's calls, and leaves everything else open: the page, the
 * documentation, and what the actuator shows of the service itself.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

	private static final String CALLS = "/v1/**";

	/** They may show what is another host's. */
	private static final String PAGES_OF_LIBRARIES = "/webjars/**";

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
			+ "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	private final SecurityAnswers answers = new SecurityAnswers();

	@Bean
	RequestRejectedHandler requestRejectedHandler() {
		return this.answers::rejected;
	}

	/** An odd verb is answered as any other: by the guards first, then by the calls. */
	@Bean
	HttpFirewall httpFirewall() {
		StrictHttpFirewall firewall = new StrictHttpFirewall();
		firewall.setUnsafeAllowAnyHttpMethod(true);
		return firewall;
	}

	@Bean
	@Order(0)
	SecurityFilterChain calls(HttpSecurity http, AuthenticationProperties authentication, JwtProperties jwt)
			throws Exception {
		http.securityMatcher(CALLS);
		stateless(http);
		http.exceptionHandling((handling) -> handling.authenticationEntryPoint(this.answers::unauthenticated)
			.accessDeniedHandler((request, response, reason) -> this.answers.forbidden(request, response)));
		switch (Access.of(authentication, jwt)) {
			case EVERYBODY -> letEverybodyIn(http, new AllowedHosts(authentication.allowedHosts()));
			case BY_TOKEN -> askForTokens(http, jwt);
			case NOBODY -> letNobodyIn(http);
		}
		return http.build();
	}

	private void letEverybodyIn(HttpSecurity http, AllowedHosts hosts) throws Exception {
		// Where tokens are asked for, a page of another site has none to send.
		http.addFilterBefore(new OtherSitesFilter(this.answers, hosts), AnonymousAuthenticationFilter.class);
		http.anonymous((caller) -> caller.principal("anonymous"));
		http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll());
	}

	private void askForTokens(HttpSecurity http, JwtProperties jwt) throws Exception {
		// A stream's last dispatch is the service's own.
		http.authorizeHttpRequests((requests) -> requests.dispatcherTypeMatchers(DispatcherType.ASYNC)
			.permitAll()
			.anyRequest()
			.authenticated());
		http.oauth2ResourceServer((server) -> server.jwt((tokens) -> tokens.decoder(new Tokens(jwt)))
			.authenticationEntryPoint(this.answers::unauthenticated)
			.withObjectPostProcessor(new ObjectPostProcessor<BearerTokenAuthenticationFilter>() {
				@Override
				public <O extends BearerTokenAuthenticationFilter> O postProcess(O filter) {
					// The default throws what is no fault of the token.
					filter.setAuthenticationFailureHandler(SecurityConfiguration.this.answers::unauthenticated);
					return filter;
				}
			}));
	}

	private void letNobodyIn(HttpSecurity http) throws Exception {
		http.authorizeHttpRequests((requests) -> requests.anyRequest().denyAll());
		http.exceptionHandling((handling) -> handling
			.authenticationEntryPoint((request, response, reason) -> this.answers.forbidden(request, response)));
	}

	@Bean
	@Order(1)
	SecurityFilterChain everythingElse(HttpSecurity http) throws Exception {
		stateless(http);
		http.headers((headers) -> headers.cacheControl(HeadersConfigurer.CacheControlConfig::disable));
		http.authorizeHttpRequests(
				(requests) -> requests.requestMatchers(PAGES_OF_LIBRARIES).denyAll().anyRequest().permitAll());
		return http.build();
	}

	/** No session, no cookie, no page to log in: a request carries all that counts. */
	private static void stateless(HttpSecurity http) throws Exception {
		http.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
			.csrf(AbstractHttpConfigurer::disable)
			.requestCache(AbstractHttpConfigurer::disable)
			.logout(AbstractHttpConfigurer::disable)
			.headers((headers) -> headers.contentSecurityPolicy((content) -> content.policyDirectives(POLICY))
				.referrerPolicy((referrer) -> referrer.policy(ReferrerPolicy.NO_REFERRER)));
	}

}
