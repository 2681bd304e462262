/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.security.Principal;

import io.github.dynamodblock.server.operation.RequestFacts;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Adds the owner in whose name the call is to the request's log line.
 */
final class OwnerFactFilter extends OncePerRequestFilter {

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Principal owner = request.getUserPrincipal();
		if (owner != null) {
			RequestFacts.of(request).owner(owner.getName());
		}
		chain.doFilter(request, response);
	}

}
