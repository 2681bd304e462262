/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
