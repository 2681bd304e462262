/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * With {@code dynamodb-lock.enabled=false}, lets each request find a lock that excludes
 * no other request. Otherwise, the sample's guard would fail.
 */
public class UnlockedRequests extends OncePerRequestFilter {

	private final LockClient client = proxy(LockClient.class);

	private final HeldLock lock = proxy(HeldLock.class);

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try (LockContext.Scope scope = LockContext.open(this.client, this.lock)) {
			chain.doFilter(request, response);
		}
	}

	private static <T> T proxy(Class<T> type) {
		return type.cast(Proxy.newProxyInstance(UnlockedRequests.class.getClassLoader(), new Class<?>[] { type },
				UnlockedRequests::call));
	}

	private static Object call(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
		return switch (method.getName()) {
			case "key" -> LockKey.of("no-lock");
			case "isHeld" -> true;
			case "fencingToken" -> 0L;
			case "hashCode" -> System.identityHashCode(proxy);
			case "equals" -> arguments != null && proxy == arguments[0];
			default -> throw new UnsupportedOperationException(method.toString());
		};
	}

}
