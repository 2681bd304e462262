/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.dynamodblock.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
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
final class UnknownProperties implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(DynamoDbLockProperties.PREFIX);

	/** What is not bound to the properties of a lock client. */
	private static final List<ConfigurationPropertyName> OTHERS = Stream
		.of("clients", "registry", "leader", "events.enabled", "embedded.enabled")
		.map(ROOT::append)
		.toList();

	private static final Set<String> OF_KUBERNETES = Set.of("service", "port");

	private final Environment environment;

	UnknownProperties(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		report(ROOT, DynamoDbLockProperties.class, BindHandler.DEFAULT,
				(name) -> OTHERS.stream().noneMatch((other) -> other.equals(name) || other.isAncestorOf(name)));
		report(ROOT.append("registry"), LockRegistryProperties.class, BindHandler.DEFAULT, (name) -> true);
		report(ROOT.append("leader"), LockLeaderProperties.class, BindHandler.DEFAULT, (name) -> true);
		for (ConfigurationPropertyName client : new ConfiguredLockClients(this.environment).prefixes()) {
			report(client, DynamoDbLockProperties.class, new WithoutAdvice(client.append("advice")), (name) -> true);
		}
	}

	private void report(ConfigurationPropertyName prefix, Class<?> type, BindHandler handler,
			Predicate<ConfigurationPropertyName> filter) {
		List<ConfigurationPropertySource> sources = StreamSupport
			.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.filter(filter))
			.toList();
		try {
			new Binder(sources, new PropertySourcesPlaceholdersResolver(this.environment)).bind(prefix,
					Bindable.of(type), new NoUnboundElementsBindHandler(handler));
		}
		catch (BindException ex) {
			// Whoever uses a value that cannot be bound has reported it.
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
				unbound.getUnboundProperties()
					.stream()
					.filter((property) -> hasText(property) && !isOfKubernetes(property))
					.forEach((property) -> report(prefix, property));
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

	private static void report(ConfigurationPropertyName prefix, ConfigurationProperty property) {
		logger.warn("Property {}{} has no effect, because {} has no such property",
				Printable.of(property.getName().toString()),
				(property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "",
				ROOT.append("clients").isParentOf(prefix) ? "a single lock client" : prefix);
	}

	/** The advice is the same for all lock clients. */
	private static final class WithoutAdvice extends AbstractBindHandler {

		private final ConfigurationPropertyName advice;

		WithoutAdvice(ConfigurationPropertyName advice) {
			this.advice = advice;
		}

		@Override
		public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target,
				BindContext context) {
			return name.equals(this.advice) ? null : target;
		}

	}

}
