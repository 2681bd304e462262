/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that are proxies themselves, as repositories are: pointcut, check and call go by
 * the same type.
 */
@ExtendWith(DynamoDbExtension.class)
class ProxiedTargetTests {

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theAnnotationOfAMethodOfARepository(boolean classProxies, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, classProxies).withBean("orders", OrdersFactory.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(((Advised) orders).getTargetSource().getTarget()).as("target").isInstanceOf(Advised.class);
			assertThat(orders.custom("1")).isEqualTo("custom 1");
			assertLocked(context, "Orders.custom:1");
			assertThat(orders.find("1")).isEqualTo("found 1");
			assertThat(context.getBean(LockClient.class).find("Orders.find")).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theAnnotationOfTheTypeOfARepository(boolean classProxies, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, classProxies).withBean("orders", LockedOrdersFactory.class).run((context) -> {
			assertThat(context.getBean(LockedOrders.class).find("1")).isEqualTo("found 1");
			assertLocked(context, "LockedOrders.find");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aDefaultMethodOfARepositoryIsAFallback(boolean classProxies, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, classProxies).withBean("quotes", QuotesFactory.class).run((context) -> {
			Quotes quotes = context.getBean(Quotes.class);
			assertThat(quotes.refresh("1")).isEqualTo("refreshed 1");
			try (LockClient other = LockClient.builder(dynamoDb.client())
				.tableName(context.getBean(DynamoDbLockProperties.class).table().name())
				.build(); HeldLock held = other.acquire("Quotes.refresh")) {
				assertThat(quotes.refresh("2")).isEqualTo("last 2 instead of " + held.key());
			}
		});
	}

	@Test
	void aProxyThatABeanMethodMakes(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean("orders", Orders.class, () -> proxy(Orders.class)).run((context) -> {
			assertThat(context.getBean(Orders.class).custom("1")).isEqualTo("custom 1");
			assertLocked(context, "Orders.custom:1");
		});
	}

	@Test
	void aClassProxyOfAClassProxy(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean("orders", SimpleOrders.class, () -> {
			ProxyFactory factory = new ProxyFactory(new SimpleOrders());
			factory.setProxyTargetClass(true);
			return (SimpleOrders) factory.getProxy();
		}).run((context) -> {
			assertThat(context.getBean(SimpleOrders.class).custom("1")).isEqualTo("custom 1");
			assertLocked(context, "SimpleOrders.custom:1");
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, boolean classProxies) {
		return LockNode.of(dynamoDb).withPropertyValues("spring.aop.proxy-target-class=" + classProxies);
	}

	private static void assertLocked(AssertableApplicationContext context, String key) {
		assertThat(context.getBean(LockClient.class).find(key)).as("lock '" + key + "' was taken").isPresent();
	}

	/**
	 * What a repository's factory makes: an interface before a class of the library's.
	 */
	private static <T> T proxy(Class<T> type) {
		ProxyFactory factory = new ProxyFactory();
		factory.setInterfaces(type, Searchable.class);
		factory.setTarget(new SimpleOrders());
		return type.cast(factory.getProxy(ProxiedTargetTests.class.getClassLoader()));
	}

	/** As a repository is: nothing behind it implements its interface. */
	private static Object repositoryMethod(MethodInvocation invocation) throws Throwable {
		Method method = invocation.getMethod();
		Object proxy = ((ProxyMethodInvocation) invocation).getProxy();
		return method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, invocation.getArguments())
				: "refreshed " + invocation.getArguments()[0];
	}

	interface Quotes {

		@DistributedLock(waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "last")
		String refresh(String id);

		default String last(String id, LockNotGrantedException busy) {
			return "last " + id + " instead of " + busy.key();
		}

	}

	static class QuotesFactory implements FactoryBean<Quotes> {

		@Override
		public Quotes getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setInterfaces(Quotes.class);
			factory.setTarget(new SimpleOrders());
			factory.addAdvice((MethodInterceptor) ProxiedTargetTests::repositoryMethod);
			return (Quotes) factory.getProxy(ProxiedTargetTests.class.getClassLoader());
		}

		@Override
		public Class<?> getObjectType() {
			return Quotes.class;
		}

	}

	interface Searchable {

		String find(String id);

	}

	interface Orders extends Searchable {

		@DistributedLock(key = "#id")
		String custom(String id);

	}

	@DistributedLock
	interface LockedOrders extends Searchable {

	}

	static class SimpleOrders implements Orders, LockedOrders {

		@Override
		public String find(String id) {
			return "found " + id;
		}

		@Override
		public String custom(String id) {
			return "custom " + id;
		}

	}

	static class OrdersFactory implements FactoryBean<Orders> {

		@Override
		public Orders getObject() {
			return proxy(Orders.class);
		}

		@Override
		public Class<?> getObjectType() {
			return Orders.class;
		}

	}

	static class LockedOrdersFactory implements FactoryBean<LockedOrders> {

		@Override
		public LockedOrders getObject() {
			return proxy(LockedOrders.class);
		}

		@Override
		public Class<?> getObjectType() {
			return LockedOrders.class;
		}

	}

}
