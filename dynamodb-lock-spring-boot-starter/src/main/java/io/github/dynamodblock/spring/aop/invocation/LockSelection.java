/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.aop.definition.KeyExpression;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.util.function.SingletonSupplier;

/**
 * Selects the locks of a method's calls, and the clients that acquire them. Thread-safe.
 */
public final class LockSelection {

	private final Function<@Nullable String, LockClient> lookup;

	private final Map<Optional<String>, LockClient> clients = new ConcurrentHashMap<>();

	private final Supplier<LockNaming> naming;

	LockSelection(Function<@Nullable String, LockClient> lookup, Supplier<LockNaming> naming) {
		this.lookup = lookup;
		this.naming = SingletonSupplier.of(naming);
	}

	/**
	 * Returns the client that acquires the locks of a method, which is looked up once for
	 * each name.
	 * @param definition the options in the method's annotation
	 * @return the client
	 * @throws InvalidDistributedLockException if there is none, or several without a
	 * primary one
	 */
	public LockClient client(LockDefinition definition) {
		Optional<String> name = Optional.ofNullable(definition.lockClient());
		LockClient client = this.clients.get(name);
		if (client == null) {
			try {
				// Not computed inside the map, because the lookup may create a bean.
				client = this.lookup.apply(definition.lockClient());
			}
			catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
				throw new InvalidDistributedLockException(definition.location(), name.isPresent() ? "lockClient" : null,
						ex.getMessage() + ". Define a LockClient bean, mark one of several with @Primary, or select "
								+ "one with the attribute 'lockClient'",
						ex);
			}
			this.clients.put(name, client);
		}
		return client;
	}

	/**
	 * Returns the locks of a call.
	 * @throws IllegalArgumentException if the key is invalid
	 */
	List<LockKey> keys(LockDefinition definition, @Nullable Object[] arguments, Object target) {
		KeyExpression expression = definition.key();
		List<@Nullable String> values = Collections.singletonList(null);
		if (expression != null) {
			values = Collections.unmodifiableList(expression.evaluate(arguments, target));
		}
		try {
			return values.stream().map((value) -> this.naming.get().key(definition.name(), value)).toList();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"Lock annotation on " + definition.location() + ": the key is invalid. " + ex.getMessage(), ex);
		}
	}

}
