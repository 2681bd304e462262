/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.LockNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A bean whose class or advice is not known at startup is checked when it is created.
 */
class LateBeanTests {

	@ParameterizedTest
	@ValueSource(classes = { LazyInterface.class, PrototypeInterface.class, LazyFactory.class })
	void beanOfAnUnknownClassIsRefusedWhenItIsCreatedWithATransactionOutside(Class<?> configuration) {
		node().withUserConfiguration(OuterTransactions.class, configuration).run((context) -> {
			assertThat(context).as("its class is not known yet").hasNotFailed();
			for (int attempt = 1; attempt <= 2; attempt++) {
				assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("payments"))
					.havingRootCause()
					.isInstanceOf(InvalidDistributedLockException.class)
					.withMessageContainingAll("CardPayments.pay()", "bean 'payments'",
							"the transaction advice (order 500) runs outside the lock advice (order 1000)",
							"Set dynamodb-lock.advice.order to less than 500");
			}
		});
	}

	@Test
	void prototypeThatIsCreatedDuringStartupFailsStartup() {
		node().withUserConfiguration(OuterTransactions.class, PrototypeInterface.class)
			.withBean(Shop.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContaining("the transaction advice (order 500) runs outside"));
	}

	@ParameterizedTest
	@ValueSource(classes = { LazyInterface.class, PrototypeInterface.class, LazyFactory.class })
	void beanThatAPostProcessorPutsATransactionAroundIsRefused(Class<?> configuration) {
		node().withBean("transactions", TransactionalProxies.class)
			.withUserConfiguration(configuration)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean("payments"))
				.havingRootCause()
				.withMessageContainingAll("CardPayments.pay()", "the transaction advice"));
	}

	@Test
	void lazyBeanOfAKnownClassIsRefusedWithATransactionOutside() {
		node().withUserConfiguration(OuterTransactions.class, LazyClass.class)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean("payments"))
				.havingRootCause()
				.withMessageContaining("the transaction advice (order 500) runs outside"));
	}

	@Test
	void lazyBeanToWhichAPostProcessorAddsATransactionIsRefused() {
		node().withBean("transactions", AddedTransactions.class)
			.withUserConfiguration(LazyClass.class)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean("payments"))
				.havingRootCause()
				.withMessageContainingAll("CardPayments.pay()", "the transaction advice"));
	}

	@Test
	void finalMethodOfABeanOfAnUnknownClassIsRefused() {
		node().withUserConfiguration(LazyFinal.class)
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean("payments"))
				.havingRootCause()
				.withMessageContainingAll("FinalPayments.pay()", "the proxy cannot override it because it is final"));
	}

	@ParameterizedTest
	@ValueSource(classes = { LazyInterface.class, PrototypeInterface.class, LazyFactory.class })
	void beanWithTheLockOutsideIsCreatedAsOftenAsWanted(Class<?> configuration) {
		node().withUserConfiguration(InnerTransactions.class, configuration).run((context) -> {
			assertThat(context.getBean("payments")).isInstanceOf(Payments.class);
			assertThat(context.getBean("payments")).isInstanceOf(Payments.class);
		});
	}

	@Test
	void lazyBeansThatNeedEachOtherAreCreated() {
		node().withAllowCircularReferences(true)
			.withUserConfiguration(Circle.class)
			.run((context) -> assertThat(context.getBean(Left.class)).isInstanceOf(Advised.class));
	}

	private static ApplicationContextRunner node() {
		return LockNode.bare()
			.withBean("locks", LockClient.class, () -> Mockito.mock(LockClient.class))
			.withBean("transactionManager", PlatformTransactionManager.class,
					() -> Mockito.mock(PlatformTransactionManager.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 500)
	static class OuterTransactions {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class InnerTransactions {

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyInterface {

		@Bean
		@Lazy
		Payments payments() {
			return new CardPayments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeInterface {

		@Bean
		@Scope("prototype")
		Payments payments() {
			return new CardPayments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyFactory {

		@Bean
		@Lazy
		FactoryBean<Object> payments() {
			return new PaymentsFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyClass {

		@Bean
		@Lazy
		CardPayments payments() {
			return new CardPayments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyFinal {

		@Bean
		@Lazy
		Payments payments() {
			return new FinalPayments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Circle {

		@Bean
		@Lazy
		static Left left() {
			return new Left();
		}

		@Bean
		@Lazy
		static Right right() {
			return new Right();
		}

	}

	static class Left {

		@Autowired
		@SuppressWarnings("NullAway.Init")
		Right right;

		@DistributedLock("left")
		public void work() {
		}

	}

	static class Right {

		@Autowired
		@SuppressWarnings("NullAway.Init")
		Left left;

	}

	record Shop(Payments payments) {
	}

	interface Payments {

		void pay();

	}

	static class CardPayments implements Payments {

		@Override
		@Transactional
		@DistributedLock("payments")
		public void pay() {
		}

	}

	static class FinalPayments implements Payments {

		@Override
		@DistributedLock("payments")
		public final void pay() {
		}

	}

	static class PaymentsFactory implements FactoryBean<Object> {

		@Override
		public Object getObject() {
			return new CardPayments();
		}

		@Override
		public Class<?> getObjectType() {
			return Object.class;
		}

	}

	/** Puts a proxy of its own around the bean. */
	static class TransactionalProxies implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof Payments)) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.addAdvice(transactions());
			return factory.getProxy();
		}

	}

	/** Adds its advice to the proxy that is there, before that of the lock. */
	static class AddedTransactions implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof Payments && bean instanceof Advised advised) {
				advised.addAdvisor(0, new DefaultPointcutAdvisor(transactions()));
			}
			return bean;
		}

	}

	private static TransactionInterceptor transactions() {
		return new TransactionInterceptor((TransactionManager) Mockito.mock(PlatformTransactionManager.class),
				new AnnotationTransactionAttributeSource());
	}

}
