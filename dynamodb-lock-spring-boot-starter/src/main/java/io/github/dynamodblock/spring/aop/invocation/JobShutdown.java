/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import io.github.dynamodblock.LockClient;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/**
 * Adds two steps to the destruction of a context's beans: one before the first scheduler
 * is destroyed, and one between the last scheduler and the lock clients. Lifecycle beans
 * cannot do this: Spring stops such a bean only after its dependents, whatever their
 * phase, and then does not wait for their tasks.
 */
public final class JobShutdown implements BeanFactoryPostProcessor {

	private static final String INTERRUPTION = JobShutdown.class.getName() + ".interruption";

	private static final String END = JobShutdown.class.getName() + ".end";

	private volatile Runnable interruption = () -> {
	};

	private volatile Runnable end = () -> {
	};

	/**
	 * Registered before all other beans, which keeps the order in which these are
	 * destroyed.
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		DefaultSingletonBeanRegistry registry = (DefaultSingletonBeanRegistry) beanFactory;
		registry.registerDisposableBean(END, () -> this.end.run());
		registry.registerDisposableBean(INTERRUPTION, () -> this.interruption.run());
	}

	/**
	 * Sets the two steps.
	 * @param interruption is called before the scheduler interrupts the first run, or
	 * Spring cancels the subscription of a job's bean
	 * @param end is called when the schedulers are destroyed, but the lock clients are
	 * not
	 */
	void run(Runnable interruption, Runnable end) {
		this.interruption = interruption;
		this.end = end;
	}

	/**
	 * Orders the destruction of the beans, once all of them exist.
	 * @param beanFactory the context's beans
	 * @param jobs the name of the bean with the jobs
	 * @param jobBeans the names of the beans whose subscriptions Spring cancels
	 */
	static void order(ConfigurableListableBeanFactory beanFactory, String jobs, Collection<String> jobBeans) {
		for (String client : names(beanFactory, LockClient.class)) {
			destroyBefore(beanFactory, END, client);
		}
		for (Class<?> type : List.of(TaskScheduler.class, ScheduledExecutorService.class, ScheduledTaskHolder.class)) {
			for (String scheduler : names(beanFactory, type)) {
				destroyBefore(beanFactory, INTERRUPTION, scheduler);
				destroyBefore(beanFactory, scheduler, END);
			}
		}
		jobBeans.forEach((bean) -> destroyBefore(beanFactory, INTERRUPTION, bean));
		destroyBefore(beanFactory, INTERRUPTION, END);
		destroyBefore(beanFactory, END, jobs);
	}

	private static String[] names(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
		return beanFactory.getBeanNamesForType(type, true, false);
	}

	/**
	 * Lets the container destroy a bean before another one, unless the bean is needed by
	 * the other one, such as a scheduler that a lock client's SDK client uses.
	 * @param beanFactory the beans
	 * @param first the bean to destroy first
	 * @param second the bean to destroy later
	 */
	public static void destroyBefore(ConfigurableListableBeanFactory beanFactory, String first, String second) {
		if (!dependencies(beanFactory, second, new HashSet<>()).contains(first)) {
			beanFactory.registerDependentBean(second, first);
		}
	}

	private static Set<String> dependencies(ConfigurableListableBeanFactory beanFactory, String bean,
			Set<String> found) {
		if (found.add(bean)) {
			for (String dependency : beanFactory.getDependenciesForBean(bean)) {
				dependencies(beanFactory, dependency, found);
			}
		}
		return found;
	}

}
