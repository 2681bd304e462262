/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Everything that must be right about annotated methods. Thread-safe, since beans may be
 * made by several threads.
 */
final class AnnotatedMethodChecks {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethodChecks.class);

	private final LockDefinitions definitions;

	private final UnadvisedBeans unadvised;

	private final List<AnnotatedMethodCheck> checks;

	private final Set<String> warnings = ConcurrentHashMap.newKeySet();

	private boolean failOnMissingAdvice = true;

	private Function<@Nullable String, Optional<HoldLimit>> holdLimits = (lockClient) -> Optional.empty();

	AnnotatedMethodChecks(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor) {
		this.definitions = advisor.definitions();
		this.unadvised = new UnadvisedBeans(beanFactory, advisor);
		this.checks = List.of(new DefaultNameCheck(), new AdviceCheck(), new LifecycleCallbackCheck(beanFactory),
				new AdviceOrderCheck(beanFactory, advisor, this::warn),
				new LockClientCheck(beanFactory, advisor.clients()),
				new HoldLimitCheck((lockClient) -> this.holdLimits.apply(lockClient)), new CacheKeyCheck(),
				new ScheduledHoldCheck(beanFactory, this::warn));
	}

	void setFailOnMissingAdvice(boolean failOnMissingAdvice) {
		this.failOnMissingAdvice = failOnMissingAdvice;
	}

	void setHoldLimits(Function<@Nullable String, Optional<HoldLimit>> holdLimits) {
		this.holdLimits = holdLimits;
	}

	/**
	 * Checks methods. Logs what may be intended at WARN, once.
	 * @param methods the methods
	 * @throws InvalidDistributedLockException if some of them could not be locked; it
	 * names the problems of all
	 */
	void check(Collection<AnnotatedMethod> methods) {
		// By message: two beans of one class have one mistake.
		Map<String, InvalidDistributedLockException> problems = new LinkedHashMap<>();
		for (AnnotatedMethod method : methods) {
			try {
				check(method);
			}
			catch (InvalidDistributedLockException ex) {
				problems.putIfAbsent(String.valueOf(ex.getMessage()), ex);
			}
		}
		if (!problems.isEmpty()) {
			throw InvalidDistributedLockException.of(List.copyOf(problems.values()));
		}
	}

	private void check(AnnotatedMethod method) {
		InvalidDistributedLockException missing = this.unadvised.find(method);
		if (missing != null) {
			report(missing);
			return;
		}
		LockDefinition definition = this.definitions.get(method.method(), method.beanClass());
		this.checks.forEach((check) -> check.check(method, definition));
	}

	private void report(InvalidDistributedLockException missing) {
		if (this.unadvised.isExpected()) {
			logger.debug("A test replaces beans of this context: {}", missing.getMessage());
		}
		else if (this.failOnMissingAdvice) {
			throw missing;
		}
		else {
			warn(missing);
		}
	}

	private void warn(InvalidDistributedLockException problem) {
		String message = String.valueOf(problem.getMessage());
		if (this.warnings.add(message)) {
			logger.warn(message);
		}
	}

}
