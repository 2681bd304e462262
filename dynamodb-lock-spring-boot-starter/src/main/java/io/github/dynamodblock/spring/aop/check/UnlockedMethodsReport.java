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

	private final String reason;

	/**
	 * Creates the report.
	 * @param beanFactory whose beans are looked at
	 * @param reason what switched the locks off
	 */
	public UnlockedMethodsReport(ConfigurableListableBeanFactory beanFactory, String reason) {
		this.beanFactory = beanFactory;
		this.reason = reason;
	}

	@Override
	public void afterSingletonsInstantiated() {
		String locations = AnnotatedMethods.find(this.beanFactory)
			.stream()
			.map(AnnotatedMethod::location)
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
		if (!locations.isEmpty()) {
			logger.warn("{}: these methods with @DistributedLock run without a lock: {}", this.reason, locations);
		}
	}

}
