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
 * Which tokens may use which namespaces. Without a rule, every valid token may use all of
 * them; with one, a token may use only those that a rule allows.
 *
 * @param rules the rules; one that allows is enough
 */
@ConfigurationProperties("lock-server")
record AccessRules(@DefaultValue List<Rule> rules) {

	/**
	 * Returns whether a token may use a namespace.
	 * @param token the token
	 * @param namespace the namespace; the empty text stands for all of them
	 */
	boolean allow(Jwt token, String namespace) {
		return this.rules.isEmpty() || this.rules.stream().anyMatch((rule) -> rule.allows(token, namespace));
	}

	/**
	 * Returns whether a token may break the locks of a namespace.
	 * @param token the token
	 * @param namespace the namespace
	 */
	boolean allowAdministration(Jwt token, String namespace) {
		return this.rules.stream().anyMatch((rule) -> rule.administrator() && rule.allows(token, namespace));
	}

	/**
	 * Allows the tokens with a certain claim to use certain namespaces.
	 *
	 * @param claim the name of the claim
	 * @param value the claim's value, one of its values if it is a list, or one of its
	 * words if it is {@code scope} or {@code scp}
	 * @param namespaces the namespaces; a final {@code *} stands for any characters
	 * @param administrator whether these tokens may also break locks
	 */
	record Rule(@DefaultValue("") String claim, @DefaultValue("") String value, @DefaultValue List<String> namespaces,
			@DefaultValue("false") boolean administrator) {

		/** The others may contain spaces that their owner chose. */
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
