/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;

import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Logs once, at WARN, which annotated methods run without a lock because locks are
 * disabled.
 */
public class UnlockedMethodsReport implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnlockedMethodsReport.class);

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the report.
	 * @param beanFactory the factory whose beans are searched
	 */
	public UnlockedMethodsReport(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		LockDefinitions definitions = new LockDefinitions(this.beanFactory);
		Set<String> locations = new TreeSet<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (type != null) {
				for (Method method : definitions.loadableMethods(type)) {
					locations.add(LockDefinitions.describe(method, type));
				}
			}
		}
		if (!locations.isEmpty()) {
			logger.warn("dynamodb-lock.enabled is false: these methods with @DistributedLock run without a lock: {}",
					String.join(", ", locations));
		}
	}

}
