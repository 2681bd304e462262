/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.invocation.ByLockClient;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * There is a client for every annotated method. What is wrong is said once for each
 * client, not for each method. The container destroys a client after the beans that it
 * locks methods of, so that these can end their work under their locks.
 */
final class LockClientCheck {

	private final ConfigurableListableBeanFactory beanFactory;

	/** Those of the calls, so that a client that is a prototype is made once. */
	private final ByLockClient<LockClient> clients;

	// The name of each client's bean by the name in the annotation; empty if there is
	// none.
	private final Map<Optional<String>, Optional<String>> checked = new ConcurrentHashMap<>();

	LockClientCheck(ConfigurableListableBeanFactory beanFactory, ByLockClient<LockClient> clients) {
		this.beanFactory = beanFactory;
		this.clients = clients;
	}

	void check(AnnotatedMethod annotated, LockDefinition definition) {
		String name = definition.lockClient();
		Optional<String> key = Optional.ofNullable(name);
		if (this.checked.putIfAbsent(key, Optional.empty()) == null) {
			this.checked.put(key,
					(name != null) ? checkNamed(definition.location(), name) : checkDefault(definition.location()));
		}
		this.checked.getOrDefault(key, Optional.empty())
			.ifPresent((client) -> destroyBefore(client, annotated.beanName()));
	}

	private void destroyBefore(String client, String beanName) {
		// A bean that the client is made of, such as an annotated listener, outlives it.
		if (this.beanFactory.containsBean(beanName) && this.beanFactory.isSingleton(beanName)
				&& !dependencies(client, new HashSet<>()).contains(beanName)) {
			this.beanFactory.registerDependentBean(client, beanName);
		}
	}

	private Set<String> dependencies(String beanName, Set<String> found) {
		if (found.add(beanName)) {
			for (String dependency : this.beanFactory.getDependenciesForBean(beanName)) {
				dependencies(dependency, found);
			}
		}
		return found;
	}

	private Optional<String> checkNamed(String location, String name) {
		if (!this.beanFactory.containsBean(name) || !this.beanFactory.isTypeMatch(name, LockClient.class)) {
			String[] names = this.beanFactory.getBeanNamesForType(LockClient.class, true, false);
			Arrays.sort(names);
			throw new InvalidDistributedLockException(
					location, "lockClient", "there is no LockClient bean \"" + name + "\"; " + ((names.length == 0)
							? "there is none at all" : "use one of those that there are: " + String.join(", ", names)),
					null);
		}
		Objects.requireNonNull(this.clients.get(name), "client");
		return Optional.of(name);
	}

	private Optional<String> checkDefault(String location) {
		try {
			return beanName(Objects.requireNonNull(this.clients.get(null), "client"));
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidDistributedLockException(location, null,
					"there are several LockClient beans (" + String.join(", ", beanNames(ex))
							+ "), and none is primary. Mark one with @Primary, or name one by the attribute "
							+ "'lockClient'",
					ex);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidDistributedLockException(location, null,
					"there is no LockClient bean. Do not exclude the auto-configuration that makes one, or define one; "
							+ "dynamodb-lock.enabled=false lets annotated methods run without locks",
					ex);
		}
	}

	private Optional<String> beanName(LockClient client) {
		for (String name : this.beanFactory.getBeanNamesForType(LockClient.class, false, false)) {
			if (this.beanFactory.containsSingleton(name) && this.beanFactory.getBean(name) == client) {
				return Optional.of(name);
			}
		}
		return Optional.empty();
	}

	private static Iterable<String> beanNames(NoUniqueBeanDefinitionException ex) {
		return (ex.getBeanNamesFound() != null) ? ex.getBeanNamesFound() : List.of();
	}

}
