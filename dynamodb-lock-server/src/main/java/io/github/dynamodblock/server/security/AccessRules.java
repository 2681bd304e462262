/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.util.PatternMatchUtils;
import org.springframework.util.StringUtils;

/**
 * Decides which tokens may use which namespaces. Without rules, every valid token may use
 * all namespaces. With rules, a token may use only the namespaces that a rule allows.
 *
 * @param rules the rules; it is enough if one of them allows the namespace
 */
@ConfigurationProperties("lock-server")
record AccessRules(@DefaultValue List<Rule> rules) {

	/**
	 * Returns whether a token may use a namespace.
	 * @param token the token
	 * @param namespace the namespace, or an empty string for all namespaces
	 */
	boolean allow(Jwt token, String namespace) {
		return this.rules.isEmpty() || this.rules.stream().anyMatch((rule) -> rule.allows(token, namespace));
	}

	/**
	 * Returns whether a token may release locks of a namespace by force.
	 * @param token the token
	 * @param namespace the namespace
	 */
	boolean allowAdministration(Jwt token, String namespace) {
		return this.rules.stream().anyMatch((rule) -> rule.administrator() && rule.allows(token, namespace));
	}

	/**
	 * Allows tokens with a certain claim to use certain namespaces.
	 *
	 * @param claim the name of the claim
	 * @param value the claim's value; for a list, one of its values; for {@code scope} or
	 * {@code scp}, one of its words
	 * @param namespaces the namespaces; a {@code *} at the end matches any characters
	 * @param administrator whether these tokens may also release locks by force
	 */
	record Rule(@DefaultValue("") String claim, @DefaultValue("") String value, @DefaultValue List<String> namespaces,
			@DefaultValue("false") boolean administrator) {

		/**
		 * The claims that consist of words. The values of other claims may contain
		 * spaces.
		 */
		private static final Set<String> CLAIMS_OF_WORDS = Set.of("scope", "scp");

		private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_-]+\\*?|\\*");

		Rule {
			if (!StringUtils.hasText(claim) || !StringUtils.hasText(value) || namespaces.isEmpty()
					|| !namespaces.stream().allMatch((namespace) -> NAMESPACE.matcher(namespace).matches())) {
				throw new IllegalArgumentException("A rule in lock-server.rules has the claim '" + claim
						+ "', the value '" + value + "' and the namespaces " + namespaces + "; it needs a claim, a "
						+ "value, and namespaces such as billing, billing-* or *");
			}
		}

		boolean allows(Jwt token, String namespace) {
			return hasValue(token.getClaims().get(this.claim))
					&& PatternMatchUtils.simpleMatch(this.namespaces.toArray(String[]::new), namespace);
		}

		private boolean hasValue(@Nullable Object claimed) {
			if (claimed instanceof Collection<?> values) {
				return values.contains(this.value);
			}
			String text = (claimed != null) ? claimed.toString() : "";
			return CLAIMS_OF_WORDS.contains(this.claim) ? List.of(text.split(" ")).contains(this.value)
					: text.equals(this.value);
		}

	}

}
