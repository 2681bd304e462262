/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Says once, at WARN, which annotated methods run without a lock because locks are
 * switched off.
 */
public class UnlockedMethodsReport implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnlockedMethodsReport.class);

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the report.
	 * @param beanFactory whose beans are looked at
	 */
	public UnlockedMethodsReport(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		String locations = AnnotatedMethod.findAll(this.beanFactory)
			.stream()
			.map(AnnotatedMethod::location)
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
		if (!locations.isEmpty()) {
			logger.warn("dynamodb-lock.enabled is false: these methods with @DistributedLock run without a lock: {}",
					locations);
		}
	}

}
