/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The host names under which the service may be called without a token. A page of another
 * site can let its own name resolve to the service's address (DNS rebinding): to the
 * browser, its requests are then of the same site, but they carry that name. An IP
 * address or {@code localhost} cannot be rebound. Thread-safe.
 */
final class AllowedHosts {

	private static final Pattern IP_V4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

	private final List<String> names;

	/**
	 * Creates a list of names.
	 * @param names the names besides {@code localhost}; {@code *} allows all
	 */
	AllowedHosts(List<String> names) {
		this.names = names.stream().map((name) -> name.strip().toLowerCase(Locale.ROOT)).toList();
	}

	/**
	 * Whether the service may be called under a name. A request without a name is no
	 * browser's.
	 * @param header the {@code Host} header of the request, with or without a port, or
	 * {@code null} if it has none
	 */
	boolean allows(@Nullable String header) {
		if (header == null) {
			return true;
		}
		@Nullable String host = host(header);
		return host != null
				&& (isAddress(host) || isLocal(host) || this.names.contains(host) || this.names.contains("*"));
	}

	/**
	 * Whether a host is this machine, whatever the network says.
	 * @param host a host name, or an IP address, an IPv6 one in brackets
	 */
	static boolean isLoopback(String host) {
		if (isLocal(host)) {
			return true;
		}
		try {
			// Resolves nothing: it is an address.
			return isAddress(host) && InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	private static boolean isLocal(String host) {
		return host.equalsIgnoreCase("localhost") || host.toLowerCase(Locale.ROOT).endsWith(".localhost");
	}

	private static boolean isAddress(String host) {
		return host.startsWith("[") || IP_V4.matcher(host).matches();
	}

	private static @Nullable String host(String header) {
		try {
			@Nullable String host = new URI("http://" + header).getHost();
			return (host != null) ? host.toLowerCase(Locale.ROOT) : null;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

}
