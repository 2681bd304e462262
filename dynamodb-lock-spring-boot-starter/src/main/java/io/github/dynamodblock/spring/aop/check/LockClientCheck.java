/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.HashSet;
import java.util.Set;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * There is a client for every annotated method. The container destroys it after the beans
 * that it locks methods of, so that these can end their work under their locks.
 */
final class LockClientCheck {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	LockClientCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	void check(AnnotatedMethod annotated, LockDefinition definition) {
		LockClient client = this.advisor.client(definition);
		for (String name : this.beanFactory.getBeanNamesForType(LockClient.class, true, false)) {
			if (this.beanFactory.containsSingleton(name) && this.beanFactory.getBean(name) == client) {
				destroyBefore(name, annotated.beanName());
			}
		}
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
