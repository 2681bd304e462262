/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * There is a client for every annotated method. What is wrong is said once for each
 * client, not for each method.
 */
final class LockClientCheck implements AnnotatedMethodCheck {

	private final ListableBeanFactory beanFactory;

	private final Function<@Nullable String, LockClient> clients;

	private final Set<Optional<String>> checked = new HashSet<>();

	LockClientCheck(ListableBeanFactory beanFactory, Function<@Nullable String, LockClient> clients) {
		this.beanFactory = beanFactory;
		this.clients = clients;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		String name = definition.lockClient();
		if (!this.checked.add(Optional.ofNullable(name))) {
			return;
		}
		if (name == null) {
			checkDefault(definition.location());
		}
		else {
			checkNamed(definition.location(), name);
		}
	}

	private void checkNamed(String location, String name) {
		if (!this.beanFactory.containsBean(name) || !this.beanFactory.isTypeMatch(name, LockClient.class)) {
			String[] names = this.beanFactory.getBeanNamesForType(LockClient.class, true, false);
			Arrays.sort(names);
			throw new InvalidDistributedLockException(
					location, "lockClient", "there is no LockClient bean \"" + name + "\"; " + ((names.length == 0)
							? "there is none at all" : "use one of those that there are: " + String.join(", ", names)),
					null);
		}
		Objects.requireNonNull(this.clients.apply(name), "client");
	}

	private void checkDefault(String location) {
		try {
			Objects.requireNonNull(this.clients.apply(null), "client");
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

	private static Iterable<String> beanNames(NoUniqueBeanDefinitionException ex) {
		return (ex.getBeanNamesFound() != null) ? ex.getBeanNamesFound() : List.of();
	}

}
