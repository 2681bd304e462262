/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.ClassPathWithout;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockingApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aopalliance.aop.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * No annotated bean runs without the advice in silence.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class MissingAdviceTests {

	@Test
	void aBeanMadeBeforeTheAdviceIsRefused() {
		node().withUserConfiguration(TooEarly.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("Job.work()", "bean 'job' was created without the lock advice",
						"BeanPostProcessor"));
	}

	@Test
	void aProductOfAFactoryThatWasMadeBeforeTheAdviceIsRefused() {
		node().withBean("job", JobFactory.class)
			.withUserConfiguration(TooEarlyForAFactory.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("Job.work()", "bean 'job' was created without the lock advice",
						"BeanPostProcessor"));
	}

	@Test
	void objectsThatAreOnlyInitializedAsBeansAreCheckedAndNotRemembered() {
		node().run((context) -> {
			AutowireCapableBeanFactory beans = context.getAutowireCapableBeanFactory();
			DistributedLockStartupCheck check = context.getBean(DistributedLockStartupCheck.class);
			Set<?> known = (Set<?>) Objects.requireNonNull(ReflectionTestUtils.getField(check, "known"));
			int before = known.size();
			for (int i = 0; i < 10; i++) {
				assertThat(AopUtils.isAopProxy(beans.initializeBean(new Job(), "job " + i))).isTrue();
				beans.initializeBean(new Object(), "object " + i);
			}
			assertThat(known).hasSize(before);
		});
	}

	@Test
	void aProductOfAFactoryInItsTurnIsAdvised() {
		node().withBean("job", JobFactory.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(AopUtils.isAopProxy(context.getBean("job"))).isTrue();
		});
	}

	@Test
	void aProductThatIsToBeMadeLateIsNotMadeForTheCheck() {
		node().withBean("job", JobFactory.class, JobFactory::new, (bean) -> bean.setLazyInit(true))
			.withBean("keeper", FactoryKeeper.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(JobFactory.class).products).hasValue(0);
			});
	}

	@Test
	void aBeanOfAScopeIsCheckedWhereItIsMade() {
		node().withUserConfiguration(ScopedJob.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(
					AnnotatedMethod.find("job", context.getBean("job"), new LockDefinitions(context.getBeanFactory())))
				.noneMatch(AnnotatedMethod::complete);
		});
	}

	@Test
	void aPartOfSpringsAopIsRefused() {
		node().withBean("advice", AnnotatedAdvice.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("AnnotatedAdvice.work()", "bean 'advice' was created without the lock advice",
						"move the method"));
	}

	@Test
	void aReadyObjectIsRefused() {
		node().withInitializer((context) -> context.getBeanFactory().registerSingleton("ready", new Job()))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("Job.work()", "bean 'ready' was created without the lock advice",
						"register a bean definition"));
	}

	@Test
	void aDoubleInThePlaceOfABeanIsAWarningIfWanted(CapturedLog log) {
		node().withInitializer((context) -> context.getBeanFactory().registerSingleton("job", new Job() {
		})).withPropertyValues("dynamodb-lock.advice.missing=warn").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log).containsOnlyOnce(
					"bean 'job' was created without the lock advice, so the method would run without the lock");
		});
	}

	@Test
	void aProxyThatDoesNotTellIsTrusted() {
		node().withBean("opaque", Job.class, () -> {
			ProxyFactory factory = new ProxyFactory(new Job());
			factory.setOpaque(true);
			factory.setProxyTargetClass(true);
			return (Job) factory.getProxy();
		}).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aProxyOfAPostProcessorBeforeTheAdviceIsTrusted() {
		node().withBean("work", WorkJob.class).withBean(PlainProxies.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(AopUtils.isAopProxy(context.getBean("work"))).isFalse();
		});
	}

	@Test
	void aProxyThatSpringHasNotAdvisedIsRefused() {
		node()
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("work", PlainProxies.before(new WorkJob())))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll("Work.work()", "bean 'work' was created without the lock advice"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void theAdviceHoldsUpNoPostProcessing(String property, CapturedLog log) {
		node().withBean(Job.class).withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(log).doesNotContain("not eligible for getting processed by all BeanPostProcessors");
		});
	}

	@Test
	void methodsAreLockedWithoutAspectJOnTheClassPath(EmbeddedDynamoDb dynamoDb) throws Exception {
		try (ClassPathWithout loader = new ClassPathWithout("aspectjweaver")) {
			assertThatExceptionOfType(ClassNotFoundException.class)
				.isThrownBy(() -> loader.loadClass("org.aspectj.weaver.Advice"));
			Method locks = loader.loadClass(LockingApplication.class.getName()).getMethod("locks", String[].class);
			Thread thread = Thread.currentThread();
			ClassLoader before = thread.getContextClassLoader();
			thread.setContextClassLoader(loader);
			try {
				assertThat(locks.invoke(null, (Object) properties(dynamoDb))).isEqualTo(true);
			}
			finally {
				thread.setContextClassLoader(before);
			}
		}
	}

	private static String[] properties(EmbeddedDynamoDb dynamoDb) {
		return new String[] { "dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint(),
				"dynamodb-lock.dynamodb.region=eu-central-1", "dynamodb-lock.table.name=" + LockNode.newTableName(),
				"dynamodb-lock.table.create=if-missing" };
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare().withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class TooEarly {

		@Bean
		Job job() {
			return new Job();
		}

		@Bean
		static Greedy greedy(Job job) {
			return new Greedy(job);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TooEarlyForAFactory {

		@Bean
		static Greedy greedy(@Qualifier("job") Job job) {
			return new Greedy(job);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedJob {

		@Bean
		@Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
		Job job() {
			return new Job();
		}

	}

	static class JobFactory implements FactoryBean<Job> {

		private final AtomicInteger products = new AtomicInteger();

		@Override
		public Job getObject() {
			this.products.incrementAndGet();
			return new Job();
		}

		@Override
		public Class<?> getObjectType() {
			return Job.class;
		}

	}

	/** Has the factory made, and no product. */
	record FactoryKeeper(JobFactory factory) {
	}

	record Greedy(Job job) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

	interface Work {

		@DistributedLock("work")
		void work();

	}

	static class WorkJob implements Work {

		@Override
		public void work() {
		}

	}

	/** Puts a proxy of the JDK before each bean that has been proxied by Spring. */
	static class PlainProxies implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof Work work) ? before(work) : bean;
		}

		static Object before(Work work) {
			return Proxy.newProxyInstance(Work.class.getClassLoader(), new Class<?>[] { Work.class },
					(proxy, method, arguments) -> method.invoke(work, arguments));
		}

	}

	static class AnnotatedAdvice implements Advice {

		@DistributedLock("a")
		void work() {
		}

	}

	public static class Job {

		@DistributedLock("a")
		public void work() {
		}

	}

}
