/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Fails startup if an annotated method could not be locked, because its annotation is
 * invalid, its bean has no advice, a transaction would begin first, or there is no
 * client. One report lists the problems of all methods.
 *
 * <p>
 * Methods are found when their bean is created, with its proxies. A bean that is created
 * after startup is checked, and refused, when it is created.
 */
public class DistributedLockStartupCheck implements SmartInitializingSingleton,
		SmartInstantiationAwareBeanPostProcessor, MergedBeanDefinitionPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(DistributedLockStartupCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final AnnotatedMethodChecks checks;

	/** The methods of beans that are created during startup. */
	private final Queue<AnnotatedMethod> found = new ConcurrentLinkedQueue<>();

	/**
	 * Names and classes of known beans. Prototypes and scoped beans are created often,
	 * but always in the same way.
	 */
	private final Set<List<Object>> known = ConcurrentHashMap.newKeySet();

	/**
	 * Beans in a circular reference, which have their proxies before they are
	 * initialized.
	 */
	private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	/**
	 * Creates the check.
	 * @param beanFactory the factory whose beans are checked
	 * @param advisor the advisor that they must have
	 * @param failOnMissingAdvice whether an annotated bean without the advice is refused.
	 * Otherwise it is logged at WARN, and its methods run without the lock
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
		methods.forEach(this::addJob);
		if (!methods.isEmpty()) {
			logger.info("Methods locked by @DistributedLock or @ScheduledLock: {}", methods.size());
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

	/** Adds the method's job. Beans that are created later add it at its first tick. */
	private void addJob(AnnotatedMethod method) {
		ScheduledJobs jobs = this.advisor.jobs();
		if (jobs != null && AopUtils.isAopProxy(method.bean())) {
			jobs.add(this.advisor.definitions().get(method.method(), method.beanClass()), method.bean(),
					method.method());
		}
	}

	/**
	 * Does nothing. A post-processor of this type runs after the others, and sees their
	 * proxies.
	 */
	@Override
	public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		this.proxiedEarly.add(beanName);
		created(beanName, bean);
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.proxiedEarly.remove(beanName)) {
			created(beanName, bean);
		}
		return bean;
	}

	private void created(String beanName, Object bean) {
		if (!this.known.contains(key(beanName, bean))) {
			List<AnnotatedMethod> methods = AnnotatedMethod.find(beanName, bean, this.advisor.definitions());
			if (this.started) {
				this.checks.check(methods);
			}
			else {
				this.found.addAll(methods);
			}
			this.known.add(key(beanName, bean));
		}
	}

	private static List<Object> key(String beanName, Object bean) {
		return List.of(beanName, bean.getClass());
	}

}
