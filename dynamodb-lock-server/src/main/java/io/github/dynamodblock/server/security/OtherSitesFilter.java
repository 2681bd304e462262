/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what a browser sends for a page of another site: where no token is needed, any
 * page that a person opens could otherwise take locks in that person's network. Programs
 * send none of the headers that show it. A page that rebinds its own host name to the
 * service's address is recognised by that name, see {@link AllowedHosts}.
 */
final class OtherSitesFilter extends OncePerRequestFilter {

	private static final String FETCH_SITE = "Sec-Fetch-Site";

	/** From the service's own page, or typed into the browser. */
	private static final Set<String> OWN = Set.of("same-origin", "none");

	private final SecurityAnswers answers;

	private final AllowedHosts hosts;

	OtherSitesFilter(SecurityAnswers answers, AllowedHosts hosts) {
		this.answers = answers;
		this.hosts = hosts;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (isOfAnotherSite(request)) {
			this.answers.forbidden(request, response);
		}
		else if (!this.hosts.allows(request.getHeader(HttpHeaders.HOST))) {
			this.answers.hostNotAllowed(request, response);
		}
		else {
			chain.doFilter(request, response);
		}
	}

	/**
	 * A proxy may change the host that was asked, but not what the browser says of it.
	 */
	private static boolean isOfAnotherSite(HttpServletRequest request) {
		String site = request.getHeader(FETCH_SITE);
		if (site != null) {
			return !OWN.contains(site);
		}
		String origin = request.getHeader(HttpHeaders.ORIGIN);
		return origin != null && !isOwn(origin, request.getHeader(HttpHeaders.HOST));
	}

	private static boolean isOwn(String origin, @Nullable String host) {
		try {
			URI sender = new URI(origin);
			URI asked = new URI(sender.getScheme() + "://" + host);
			return sender.getHost() != null && sender.getHost().equalsIgnoreCase(asked.getHost())
					&& port(sender) == port(asked);
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

	private static int port(URI address) {
		if (address.getPort() != -1) {
			return address.getPort();
		}
		return "https".equalsIgnoreCase(address.getScheme()) ? 443 : 80;
	}

}
