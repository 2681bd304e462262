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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Fails startup when an annotated method could not be locked: because what its annotation
 * says cannot work, because no advice stands before it, because a transaction would begin
 * first, or because there is no client. One report names the problems of all methods.
 *
 * <p>
 * A bean that is created after startup is checked when it is created, with its proxies:
 * neither its class nor its advice need be known before. It is refused in the same way.
 */
public class DistributedLockStartupCheck implements SmartInitializingSingleton,
		SmartInstantiationAwareBeanPostProcessor, MergedBeanDefinitionPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(DistributedLockStartupCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final AnnotatedMethodChecks checks;

	/** Those of beans that cannot be found by name later, such as prototypes. */
	private final Queue<AnnotatedMethod> madeBeforeTheCheck = new ConcurrentLinkedQueue<>();

	/** Names and classes. */
	private final Set<List<Object>> checked = ConcurrentHashMap.newKeySet();

	/**
	 * Beans in a circular reference, which have their proxies before they are
	 * initialized.
	 */
	private final Set<String> proxiedEarly = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	/**
	 * Creates the check.
	 * @param beanFactory whose beans are checked
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
		this.started = true;
		List<AnnotatedMethod> methods = new ArrayList<>();
		AnnotatedMethod.findAll(this.beanFactory).forEach((found) -> methods.add(found.ofSingleton(this.beanFactory)));
		this.madeBeforeTheCheck.removeIf(methods::add);
		this.checks.check(methods);
		methods.forEach(this::addJob);
		if (!methods.isEmpty()) {
			// Instances of a prototype have the same methods.
			logger.info("Methods locked by @DistributedLock or @ScheduledLock: {}",
					methods.stream().map((method) -> List.of(method.beanName(), method.location())).distinct().count());
		}
	}

	/** A bean that is created later has its job from its first tick on. */
	private void addJob(AnnotatedMethod method) {
		Object bean = method.bean();
		if (bean != null && AopUtils.isAopProxy(bean)) {
			this.advisor.jobs()
				.add(this.advisor.definitions().get(method.method(), method.beanClass()), bean, method.method());
		}
	}

	/**
	 * Does nothing. A post-processor of this type comes after the others, and sees what
	 * they put around a bean.
	 */
	@Override
	public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		this.proxiedEarly.add(beanName);
		made(beanName, bean);
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.proxiedEarly.remove(beanName)) {
			made(beanName, bean);
		}
		return bean;
	}

	private void made(String beanName, Object bean) {
		if (this.started) {
			// A prototype or a bean of a scope is made often, and always in the same way.
			List<Object> key = List.of(beanName, bean.getClass());
			if (!this.checked.contains(key)) {
				this.checks.check(AnnotatedMethod.find(beanName, bean));
				this.checked.add(key);
			}
		}
		else if (!isFoundByName(beanName)) {
			this.madeBeforeTheCheck.addAll(AnnotatedMethod.find(beanName, bean));
		}
	}

	/**
	 * Whether it is the singleton of that name, and not a prototype or a factory's
	 * product.
	 */
	private boolean isFoundByName(String beanName) {
		return this.beanFactory.containsBeanDefinition(beanName) && !this.beanFactory.containsSingleton(beanName)
				&& this.beanFactory.getMergedBeanDefinition(beanName).isSingleton();
	}

}
