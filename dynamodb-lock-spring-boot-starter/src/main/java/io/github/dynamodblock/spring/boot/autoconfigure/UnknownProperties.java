/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Reports properties under {@code dynamodb-lock} that have no effect, since binding
 * ignores them: those that do not exist, such as mistyped ones, and those of a single
 * lock client that exist for all clients together only.
 */
final class UnknownProperties implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private final Environment environment;

	private final KnownProperties known;

	/** The properties, as their sources write them. */
	private final Space properties;

	/** Environment variables in which underscores stand for dashes, too. */
	private final Space variables;

	UnknownProperties(Environment environment, KnownProperties known) {
		this.environment = environment;
		this.known = known;
		Set<ConfigurationPropertyName> ofOneClient = known.ofOneClient();
		this.properties = new Space(DynamoDbLockProperties.PREFIX, known.names(), ofOneClient, false);
		this.variables = new Space(dotted(DynamoDbLockProperties.PREFIX).toString(), dotted(known.names()),
				dotted(ofOneClient), true);
	}

	private static Set<ConfigurationPropertyName> dotted(Set<ConfigurationPropertyName> names) {
		return names.stream().map((name) -> dotted(name.toString())).collect(Collectors.toSet());
	}

	private static ConfigurationPropertyName dotted(String name) {
		return ConfigurationPropertyName.of(name.replace('-', '.'));
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.known.names().isEmpty()) {
			return;
		}
		Set<ConfigurationPropertyName> reported = new HashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				boolean isEnvironment = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				iterable.stream()
					.filter((name) -> this.properties.isUnknown(name)
							|| (isEnvironment && this.variables.isUnknown(name)))
					.filter(reported::add)
					.forEach((name) -> report(source, name));
			}
		}
	}

	private void report(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationPropertyName common = commonProperty(name);
		String nearest = (common != null) ? null : this.known.nearest(name.toString());
		boolean certain = this.properties.isUnknown(name);
		if (nearest == null && !certain) {
			// A variable of something else, such as a service that is called the same.
			return;
		}
		ConfigurationProperty property = source.getConfigurationProperty(name);
		Object origin = (property != null) ? property.getOrigin() : null;
		String shown = Printable.of(name.toString());
		String where = (origin != null) ? " (" + origin + ")" : "";
		if (common != null) {
			logger.warn("Property {}{} has no effect, because a single lock client has no such property; set {}, "
					+ "which is for all", shown, where, common);
		}
		else {
			logger.warn("Property {}{} does not exist and has no effect{}", shown, where,
					(nearest != null) ? "; did you mean " + nearest + "?" : "");
		}
	}

	/**
	 * The property that one under a client's name would be if it stood under no client's,
	 * or {@code null}.
	 */
	private @Nullable ConfigurationPropertyName commonProperty(ConfigurationPropertyName name) {
		ConfigurationPropertyName root = ConfigurationPropertyName.of(DynamoDbLockProperties.PREFIX);
		ConfigurationPropertyName clients = root.append("clients");
		if (!clients.isAncestorOf(name) || name.getNumberOfElements() <= clients.getNumberOfElements() + 1) {
			return null;
		}
		ConfigurationPropertyName common = root.append(name.subName(clients.getNumberOfElements() + 1));
		return this.known.names().stream().filter(common::equals).findFirst().orElse(null);
	}

	/**
	 * The properties under a prefix.
	 *
	 * @param root the prefix
	 * @param known those that there are
	 * @param ofOneClient those that a single client has, as under the prefix
	 * @param dotted whether the words of a client's name are elements of their own
	 */
	private record Space(ConfigurationPropertyName root, Set<ConfigurationPropertyName> known,
			Set<ConfigurationPropertyName> ofOneClient, boolean dotted) {

		Space(String root, Set<ConfigurationPropertyName> known, Set<ConfigurationPropertyName> ofOneClient,
				boolean dotted) {
			this(ConfigurationPropertyName.of(root), known, ofOneClient, dotted);
		}

		boolean isUnknown(ConfigurationPropertyName name) {
			if (!this.root.isAncestorOf(name) || this.known.contains(name)) {
				return false;
			}
			ConfigurationPropertyName clients = this.root.append("clients");
			int depth = clients.getNumberOfElements() + 1;
			if (!clients.isAncestorOf(name) || name.getNumberOfElements() == depth) {
				return !clients.isAncestorOf(name);
			}
			int deepest = this.dotted ? name.getNumberOfElements() - 1 : depth;
			return IntStream.rangeClosed(depth, deepest)
				.mapToObj((end) -> this.root.append(name.subName(end)))
				.allMatch((ofDefault) -> clients.isAncestorOf(ofDefault) || !this.ofOneClient.contains(ofDefault));
		}

	}

}
