/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.LockNode;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The container calls lifecycle callbacks behind the proxy, so that they cannot be
 * locked.
 */
class LifecycleCallbackTests {

	@ParameterizedTest
	@ValueSource(classes = { ByPostConstruct.class, ByPreDestroy.class, ByInitializingBean.class,
			ByDisposableBean.class, ByItsClass.class })
	void annotatedCallbackFailsStartup(Class<?> bean) {
		node().withBean("callback", bean)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("Lock annotation on " + bean.getName() + ".",
						"Spring calls it as an initialization or destruction callback of bean 'callback', bypassing the "
								+ "proxy",
						"Use a LockTemplate in it"));
	}

	@Test
	void annotatedMethodThatTheDefinitionNamesFailsStartup() {
		node().withBean("job", Job.class, Job::new, (bean) -> ((AbstractBeanDefinition) bean).setInitMethodName("run"))
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("Spring calls it"));
		node()
			.withBean("job", Job.class, Job::new, (bean) -> ((AbstractBeanDefinition) bean).setDestroyMethodName("run"))
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("Spring calls it"));
	}

	@Test
	void callbackWithoutTheAnnotationIsNoMistake() {
		node().withBean(Mixed.class).withBean(Job.class).run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	static class ByPostConstruct {

		@PostConstruct
		@DistributedLock("a")
		void load() {
		}

	}

	static class ByPreDestroy {

		@PreDestroy
		@DistributedLock("a")
		public void save() {
		}

	}

	static class ByInitializingBean implements InitializingBean {

		@Override
		@DistributedLock("a")
		public void afterPropertiesSet() {
		}

	}

	static class ByDisposableBean implements DisposableBean {

		@Override
		@DistributedLock("a")
		public void destroy() {
		}

	}

	@DistributedLock("a")
	static class ByItsClass {

		@PostConstruct
		public void load() {
		}

	}

	static class Mixed {

		@PostConstruct
		void load() {
		}

		@DistributedLock("a")
		public void work() {
		}

	}

	static class Job {

		@DistributedLock("a")
		public void run() {
		}

	}

}
