/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The starter's properties by which all lock clients have fresh tables: the default one,
 * and those under {@code dynamodb-lock.clients} that name a separate table. Lock clients
 * that shared a table go on sharing one.
 */
final class FreshTableProperties {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("dynamodb-lock");

	private static final ConfigurationPropertyName CLIENTS = ROOT.append("clients");

	private static final String NAME = "table.name";

	private static final String CREATE = "table.create";

	private final Map<String, Object> values = new LinkedHashMap<>();

	/** The fresh tables, by what they stand in for. */
	private final Map<String, String> tables = new HashMap<>();

	private final Binder binder;

	FreshTableProperties(ConfigurableEnvironment environment) {
		Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources
			.from(environment.getPropertySources());
		this.binder = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
		replaceTable(ROOT);
		createTable(ROOT);
		for (ConfigurationPropertySource source : sources) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(CLIENTS::isAncestorOf).forEach(this::replaceForClient);
			}
		}
	}

	Map<String, Object> values() {
		return this.values;
	}

	Set<String> tables() {
		return new TreeSet<>(this.tables.values());
	}

	private void replaceForClient(ConfigurationPropertyName property) {
		ConfigurationPropertyName client = property.chop(CLIENTS.getNumberOfElements() + 1);
		if (property.equals(client.append(NAME))) {
			replaceTable(client);
		}
		if (property.equals(client.append(NAME)) || property.equals(client.append(CREATE))) {
			createTable(client);
		}
	}

	private void replaceTable(ConfigurationPropertyName client) {
		ConfigurationPropertyName property = client.append(NAME);
		String replaced = this.binder.bind(property, Bindable.of(String.class)).orElse("");
		this.values.put(property.toString(),
				this.tables.computeIfAbsent(replaced, (name) -> "fresh-locks-" + UUID.randomUUID()));
	}

	private void createTable(ConfigurationPropertyName client) {
		this.values.put(client.append(CREATE).toString(), "if-missing");
	}

}
