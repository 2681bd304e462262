/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.invocation.ByLockClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * There is a client for every annotated method. The container destroys it after the beans
 * that it locks methods of, so that these can end their work under their locks.
 */
final class LockClientCheck {

	private final ConfigurableListableBeanFactory beanFactory;

	/** Those of the calls, so that a client that is a prototype is made once. */
	private final ByLockClient<LockClient> clients;

	LockClientCheck(ConfigurableListableBeanFactory beanFactory, ByLockClient<LockClient> clients) {
		this.beanFactory = beanFactory;
		this.clients = clients;
	}

	void check(AnnotatedMethod annotated, LockDefinition definition) {
		LockClient client = client(definition.location(), definition.lockClient());
		for (String name : names()) {
			if (this.beanFactory.containsSingleton(name) && this.beanFactory.getBean(name) == client) {
				destroyBefore(name, annotated.beanName());
			}
		}
	}

	private LockClient client(String location, @Nullable String name) {
		try {
			return Objects.requireNonNull(this.clients.get(name), "client");
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw missing(location, name, ex);
		}
	}

	private InvalidDistributedLockException missing(String location, @Nullable String name, BeansException cause) {
		String found = String.join(", ", names());
		if (name != null) {
			return new InvalidDistributedLockException(location, "lockClient",
					"there is no LockClient bean \"" + name + "\"; "
							+ (found.isEmpty() ? "there is none at all" : "use one of those that there are: " + found),
					cause);
		}
		return new InvalidDistributedLockException(location, null, found.isEmpty()
				? "there is no LockClient bean. Do not exclude the auto-configuration that makes one, or define one; "
						+ "dynamodb-lock.enabled=false lets annotated methods run without locks"
				: "there are several LockClient beans (" + found + "), and none is primary. Mark one with @Primary, or "
						+ "name one by the attribute 'lockClient'",
				cause);
	}

	private String[] names() {
		String[] names = this.beanFactory.getBeanNamesForType(LockClient.class, true, false);
		Arrays.sort(names);
		return names;
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

}
