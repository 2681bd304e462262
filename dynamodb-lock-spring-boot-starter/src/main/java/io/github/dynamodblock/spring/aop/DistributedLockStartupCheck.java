/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets the start-up fail when an annotated method could not be locked: because what its
 * annotation says cannot work, because no advice stands before it, or because there is no
 * client. Nothing runs unlocked in silence.
 */
public final class DistributedLockStartupCheck implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final Function<@Nullable String, LockClient> clients;

	/**
	 * Creates the check.
	 * @param beanFactory whose beans are checked
	 * @param advisor the advisor that they must have
	 * @param clients the clients that the advisor uses, by the names of their beans
	 */
	public DistributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor,
			Function<@Nullable String, LockClient> clients) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.clients = clients;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<AnnotatedMethod> methods = AnnotatedMethods.find(this.beanFactory);
		if (methods.isEmpty()) {
			return;
		}
		AdviceCheck advice = new AdviceCheck(this.beanFactory, this.advisor);
		Map<String, String> defaultNames = new HashMap<>();
		for (AnnotatedMethod method : methods) {
			LockDefinition definition = this.advisor.definitions().get(method.method(), method.beanClass());
			if (!definition.named()) {
				checkDefaultName(definition, defaultNames);
			}
			advice.check(method);
		}
		checkClient(methods.get(0));
	}

	private static void checkDefaultName(LockDefinition definition, Map<String, String> locations) {
		String other = locations.putIfAbsent(definition.name(), definition.location());
		if (other != null && !other.equals(definition.location())) {
			throw new InvalidDistributedLockException(definition.location(), "name", "its default \""
					+ definition.name() + "\" is that of " + other + ", too; give at least one of them a name", null);
		}
	}

	private void checkClient(AnnotatedMethod method) {
		try {
			Objects.requireNonNull(this.clients.apply(null), "client");
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidDistributedLockException(method.location(), null, "there are several LockClient beans ("
					+ String.join(", ", beanNames(ex)) + "), and none is primary. Mark one with @Primary", ex);
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new InvalidDistributedLockException(method.location(), null,
					"there is no LockClient bean. Do not exclude the auto-configuration that makes one, or define one; "
							+ "dynamodb-lock.enabled=false lets annotated methods run without locks",
					ex);
		}
	}

	private static Iterable<String> beanNames(NoUniqueBeanDefinitionException ex) {
		return (ex.getBeanNamesFound() != null) ? ex.getBeanNamesFound() : List.of();
	}

}
