/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;

import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/**
 * Fails startup if an annotated method could not be locked, because its annotation is
 * invalid, its bean has no advice, a transaction would begin first, or there is no
 * client. One report lists the problems of all methods.
 *
 * <p>
 * Methods are found when their bean has been created with its proxies. A bean that is
 * created after startup is checked at its creation, which fails if it is invalid.
 */
public class DistributedLockStartupCheck
		implements SmartInitializingSingleton, SmartInstantiationAwareBeanPostProcessor,
		MergedBeanDefinitionPostProcessor, DestructionAwareBeanPostProcessor, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(DistributedLockStartupCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final AnnotatedMethodChecks checks;

	/** The methods of beans that are created during startup. */
	private final Queue<AnnotatedMethod> found = new ConcurrentLinkedQueue<>();

	/**
	 * Names and classes of known beans; after startup, only of those with annotated
	 * methods. Prototypes and scoped beans are created often, but always in the same way.
	 */
	private final Set<List<Object>> known = ConcurrentHashMap.newKeySet();

	/**
	 * Beans in a circular reference, which have their proxies before they are
	 * initialized.
	 */
	private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	/** Whether Spring schedules methods of this context. */
	private volatile boolean scheduling;

	/** Set with the first job. */
	private volatile @Nullable ScheduledJobs jobs;

	/**
	 * Creates the check.
	 * @param beanFactory the factory whose beans are checked
	 * @param advisor the advisor that they must have
	 * @param failOnMissingAdvice whether an annotated bean without the advice is refused.
	 * Otherwise, a WARN is logged, and its methods run without the lock.
	 */
	public DistributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor,
			boolean failOnMissingAdvice) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.checks = new AnnotatedMethodChecks(beanFactory, advisor, failOnMissingAdvice);
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String beanName : this.beanFactory.getSingletonNames()) {
			findUnprocessed(beanName);
		}
		this.started = true;
		List<AnnotatedMethod> methods = new ArrayList<>();
		this.found.removeIf(methods::add);
		this.checks.check(methods);
		this.scheduling = this.beanFactory.getBeanNamesForType(ScheduledAnnotationBeanPostProcessor.class, true,
				false).length > 0;
		addJobs(methods, this.advisor.definitions()::get);
		if (!methods.isEmpty()) {
			logger.info("Methods locked by @DistributedLock or @ScheduledLock: {}", methods.size());
		}
		if (!this.scheduling && methods.stream().anyMatch(this::isJob)) {
			logger
				.info("No scheduled job runs on this node, because scheduling is not enabled. If jobs should run here, "
						+ "put @EnableScheduling on a configuration class");
		}
	}

	/** Finds methods of registered objects, and of beans created before this one. */
	private void findUnprocessed(String beanName) {
		Object bean = this.beanFactory.getSingleton(beanName);
		if (bean != null && !this.known.contains(key(beanName, bean))) {
			created(beanName, bean);
			if (bean instanceof FactoryBean<?> factory && factory.isSingleton()) {
				created(beanName, this.beanFactory.getBean(beanName));
			}
		}
	}

	private boolean isJob(AnnotatedMethod method) {
		return AopUtils.isAopProxy(method.bean())
				&& this.advisor.definitions().get(method.method(), method.beanClass()).schedule() != null;
	}

	/** Adds the jobs among the methods of beans, unless a test has replaced the bean. */
	private void addJobs(List<AnnotatedMethod> methods, BiFunction<Method, Class<?>, LockDefinition> definitions) {
		ScheduledJobs known = (this.scheduling && !methods.isEmpty()) ? this.advisor.jobs() : null;
		if (known != null) {
			this.jobs = known;
			// All definitions are read before a job is added, because an invalid one
			// refuses the bean.
			Map<AnnotatedMethod, LockDefinition> read = new LinkedHashMap<>();
			methods.stream()
				.filter((method) -> AopUtils.isAopProxy(method.bean()))
				.forEach((method) -> read.put(method, definitions.apply(method.method(), method.beanClass())));
			read.forEach(
					(method, definition) -> known.add(definition, method.beanName(), method.bean(), method.method()));
		}
	}

	/**
	 * Checks the class before a proxy is created. A post-processor of this type also runs
	 * after the others, and sees their proxies.
	 */
	@Override
	public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
		this.checks.checkClass(beanType);
	}

	/**
	 * Runs before Spring schedules the methods of a bean, because the bean may be
	 * refused.
	 */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE - 1;
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		this.proxiedEarly.add(beanName);
		created(beanName, bean);
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.proxiedEarly.remove(beanName)) {
			// Beans that depend on it have its proxy, but Spring schedules this object.
			this.checks.checkUnproxied(AnnotatedMethod.find(beanName, bean, this.advisor.definitions()));
		}
		else {
			created(beanName, bean);
		}
		return bean;
	}

	private void created(String beanName, Object bean) {
		boolean alike = this.known.contains(key(beanName, bean));
		if (alike && !mayHaveJobs(bean)) {
			return;
		}
		List<AnnotatedMethod> methods = AnnotatedMethod.find(beanName, bean, this.advisor.definitions());
		if (!this.started) {
			this.found.addAll(methods);
		}
		else if (alike) {
			addJobs(methods, this.advisor.definitions()::renew);
		}
		else {
			this.checks.check(methods);
			addJobs(methods, this.advisor.definitions()::get);
		}
		// After startup, an object that is only initialized as a bean may have any name.
		if (!this.started || (!methods.isEmpty() && this.beanFactory.containsBeanDefinition(beanName))) {
			this.known.add(key(beanName, bean));
		}
	}

	/** Each bean with a job is checked separately, because its schedule may differ. */
	private boolean mayHaveJobs(Object bean) {
		return this.advisor.definitions()
			.loadableMethods(AopUtils.getTargetClass(bean))
			.stream()
			.anyMatch(LockDefinitions::isScheduledLock);
	}

	@Override
	public boolean requiresDestruction(Object bean) {
		return mayHaveJobs(bean);
	}

	@Override
	public void postProcessBeforeDestruction(Object bean, String beanName) {
		ScheduledJobs known = this.jobs;
		if (known != null) {
			known.remove(bean);
		}
	}

	private static List<Object> key(String beanName, Object bean) {
		return List.of(beanName, bean.getClass());
	}

}
