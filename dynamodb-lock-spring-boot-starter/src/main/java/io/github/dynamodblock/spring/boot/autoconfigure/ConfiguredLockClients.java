/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * The lock clients that the environment describes, by the names of their beans: the
 * default one, and those under {@code dynamodb-lock.clients}. What one of the latter does
 * not set itself is as for the default one, except the connection: one that sets any
 * property under {@code dynamodb} inherits none of these.
 */
final class ConfiguredLockClients {

	/** The bean of the default client. */
	static final String DEFAULT = "dynamoDbLockClient";

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(DynamoDbLockProperties.PREFIX);

	private static final ConfigurationPropertyName CLIENTS = ROOT.append("clients");

	private static final String DYNAMODB = "dynamodb";

	private final Environment environment;

	private final Map<String, ConfigurationPropertyName> additional;

	ConfiguredLockClients(Environment environment) {
		this.environment = environment;
		this.additional = additional(ConfigurationPropertySources.get(environment));
	}

	/** The names of the clients beside the default one. */
	Collection<String> additional() {
		return this.additional.keySet();
	}

	/** What the names of their properties begin with. */
	Collection<ConfigurationPropertyName> prefixes() {
		return this.additional.values();
	}

	/** The properties of a client; those of the default one for any unknown name. */
	DynamoDbLockProperties properties(String name) {
		return binder(name).bindOrCreate(prefix(name), Bindable.of(DynamoDbLockProperties.class), BindHandler.DEFAULT);
	}

	/** Names and checks the properties of a client. */
	PropertyValues values(String name) {
		// The name as it is written, in capitals too.
		return this.additional.containsKey(name)
				? new PropertyValues(CLIENTS + "." + name, (property) -> isInherited(name, property))
				: new PropertyValues(ROOT.toString());
	}

	private boolean isInherited(String name, String property) {
		boolean connection = property.startsWith(DYNAMODB + ".");
		return ConfigurationPropertyName.isValid(property) && !(connection && hasSeparateDynamoDbClient(name))
				&& !isSet(prefix(name).append(property)) && isSet(ROOT.append(property));
	}

	private boolean isSet(ConfigurationPropertyName property) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source.getConfigurationProperty(property) != null) {
				return true;
			}
		}
		return false;
	}

	/** Whether the client has its own property under {@code dynamodb}. */
	boolean hasSeparateDynamoDbClient(String name) {
		ConfigurationPropertyName prefix = this.additional.get(name);
		return prefix != null && !new DynamoDbLockProperties.DynamoDb(null, null, null, null, null, null)
			.equals(Binder.get(this.environment)
				.bindOrCreate(prefix.append(DYNAMODB), Bindable.of(DynamoDbLockProperties.DynamoDb.class),
						BindHandler.DEFAULT));
	}

	/**
	 * Refuses a client that is switched off by itself.
	 * @param name the name of an additional client
	 * @throws InvalidConfigurationPropertyValueException if it is
	 */
	void refuseDisabled(String name) {
		ConfigurationPropertyName enabled = prefix(name).append("enabled");
		if (!Binder.get(this.environment).bind(enabled, Bindable.of(Boolean.class)).orElse(true)) {
			throw values(name).refusal("enabled", false,
					"A single lock client cannot be switched off: its methods would run unlocked. Remove all properties "
							+ "under " + CLIENTS + "." + name + ", so that there is no such client, or set "
							+ PropertyValues.name("enabled") + "=false, which switches all locks off.");
		}
	}

	private ConfigurationPropertyName prefix(String name) {
		return this.additional.getOrDefault(name, ROOT);
	}

	private Binder binder(String name) {
		ConfigurationPropertyName prefix = prefix(name);
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		ConfigurationPropertySources.get(this.environment).forEach(sources::add);
		if (!prefix.equals(ROOT)) {
			// After all that is set for the client, what is set for the default one.
			ConfigurationPropertyName own = hasSeparateDynamoDbClient(name) ? prefix.append(DYNAMODB) : null;
			sources.addAll(sources.stream().map((source) -> inherited(prefix, own, source)).toList());
		}
		return new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment));
	}

	private static ConfigurationPropertySource inherited(ConfigurationPropertyName prefix,
			@Nullable ConfigurationPropertyName own, ConfigurationPropertySource source) {
		return (name) -> (prefix.isAncestorOf(name) && !(own != null && own.isAncestorOf(name)))
				? source.getConfigurationProperty(ROOT.append(name.subName(prefix.getNumberOfElements()))) : null;
	}

	private static Map<String, ConfigurationPropertyName> additional(Iterable<ConfigurationPropertySource> sources) {
		// Names are equal however they are written.
		Map<ConfigurationPropertyName, String> written = new LinkedHashMap<>();
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter(CLIENTS::isAncestorOf)
					.map((name) -> name.chop(CLIENTS.getNumberOfElements() + 1))
					.forEach((name) -> written.merge(name, name.getLastElement(Form.ORIGINAL),
							ConfiguredLockClients::moreTelling));
			}
		}
		Map<String, ConfigurationPropertyName> named = new LinkedHashMap<>();
		written.forEach((property, name) -> named.put(name, property));
		return named;
	}

	/** Environment variables have neither dashes nor capitals that separate words. */
	private static String moreTelling(String one, String other) {
		return one.equals(one.toLowerCase(Locale.ROOT)) && !one.contains("-") ? other : one;
	}

}
