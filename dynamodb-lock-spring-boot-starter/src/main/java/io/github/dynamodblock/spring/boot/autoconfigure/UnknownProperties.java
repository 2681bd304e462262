/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

import io.github.dynamodblock.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StringUtils;

/**
 * Reports properties under {@code dynamodb-lock} that have no effect because binding
 * ignores them: those that do not exist, such as mistyped ones, and those that exist for
 * all lock clients together but are set for a single one. Variables that Kubernetes sets
 * for a service named {@code dynamodblock} are not reported.
 */
class UnknownProperties implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	/** Of dynamodb-lock-test. */
	private static final ConfigurationPropertyName EMBEDDED = ConfigurationPropertyName
		.of(DynamoDbLockProperties.PREFIX + ".embedded.enabled");

	private static final Set<String> OF_KUBERNETES = Set.of("service", "port");

	private final Environment environment;

	UnknownProperties(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<ConfigurationPropertySource> sources = StreamSupport
			.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.filter((name) -> !name.equals(EMBEDDED)))
			.toList();
		try {
			new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment)).bind(
					DynamoDbLockProperties.PREFIX, Bindable.of(DynamoDbLockProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		}
		catch (BindException ex) {
			// A value that cannot be bound fails startup elsewhere.
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
				unbound.getUnboundProperties()
					.stream()
					.filter((property) -> hasText(property) && !isOfKubernetes(property))
					.forEach((property) -> logger.warn("Property {}{} has no effect, because there is no such property",
							Printable.of(property.getName().toString()),
							(property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : ""));
			}
		}
	}

	/** A blank text counts as not set, and a duration is then not bound. */
	private boolean hasText(ConfigurationProperty property) {
		return StringUtils.hasText(this.environment.resolvePlaceholders(String.valueOf(property.getValue())));
	}

	/** Such as {@code DYNAMODBLOCK_SERVICE_HOST} and {@code DYNAMODBLOCK_PORT_80_TCP}. */
	private static boolean isOfKubernetes(ConfigurationProperty property) {
		ConfigurationPropertySource source = property.getSource();
		return source != null && source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
				&& OF_KUBERNETES.contains(property.getName().getElement(1, Form.UNIFORM));
	}

}
