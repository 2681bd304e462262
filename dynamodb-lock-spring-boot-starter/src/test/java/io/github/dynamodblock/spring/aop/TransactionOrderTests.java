/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockClientAutoConfiguration;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * By default, the lock is held from before the transaction begins and the cache is asked
 * until the commit and the cache's update.
 */
@ExtendWith(DynamoDbExtension.class)
class TransactionOrderTests {

	private static final String[] HELD = { "cache is read, lock is held", "begin, lock is held", "commit, lock is held",
			"cache is written, lock is held" };

	static Stream<List<Class<?>>> ordersOfRegistration() {
		List<List<Class<?>>> orders = new ArrayList<>(List.of(List.of()));
		for (Class<?> configuration : List.of(Locks.class, Transactions.class, Caches.class, Bookings.class)) {
			List<List<Class<?>>> longer = new ArrayList<>();
			for (List<Class<?>> order : orders) {
				for (int i = 0; i <= order.size(); i++) {
					List<Class<?>> extended = new ArrayList<>(order);
					extended.add(i, configuration);
					longer.add(extended);
				}
			}
			orders = longer;
		}
		return orders.stream();
	}

	@ParameterizedTest
	@MethodSource("ordersOfRegistration")
	void inEveryOrderOfRegistration(List<Class<?>> configurations, EmbeddedDynamoDb dynamoDb) {
		new ApplicationContextRunner().withUserConfiguration(configurations.toArray(Class<?>[]::new))
			.withBean("dynamoDbClient", DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
			}))
			.withBean(Events.class)
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.table.create=if-missing")
			.run((context) -> {
				context.getBean(Booking.class).book("x");
				assertThat(context.getBean(Events.class).events).containsExactlyInAnyOrder(HELD);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.aspectj", "none.hidden" })
	void withAndWithoutAspectJ(String hidden, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withClassLoader(new FilteredClassLoader(hidden))
			.withUserConfiguration(Transactions.class, Caches.class)
			.run((context) -> {
				context.getBean(Booking.class).book("x");
				assertThat(context.getBean(Events.class).events).containsExactlyInAnyOrder(HELD);
				assertThat(context.getBean(LockClient.class).find("booking"))
					.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
			});
	}

	@Test
	void aTransactionThatWouldCommitAfterTheReleaseEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(OuterTransactions.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessage("Lock annotation on " + Booking.class.getName() + ".book(String): on bean 'booking', the "
						+ "transaction advice (order 500) runs outside the lock advice (order 1000), so the "
						+ "transaction would commit after the lock is released. Set dynamodb-lock.advice.order to "
						+ "less than 500, or the order of @EnableTransactionManagement to more than 1000"));
	}

	@Test
	void aTransactionThatAPostProcessorPutsFirstIsNotBlamedOnTheOrder(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean("first", TransactionsFirst.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll(
						"the transaction advice (order 2147483647) runs outside the lock advice (order 1000)",
						"The order values are correct", "as an Advisor bean")
				.hasMessageNotContaining("to less than 2147483647"));
	}

	@Test
	void theOrderThatTheMessageAdvisesIsRight(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(OuterTransactions.class, Caches.class)
			.withPropertyValues("dynamodb-lock.advice.order=499")
			.run((context) -> {
				context.getBean(Booking.class).book("x");
				assertThat(context.getBean(Events.class).events).containsExactlyInAnyOrder(HELD);
			});
	}

	@Test
	void anOuterTransactionOfAnotherMethodIsNoMistake(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(Events.class)
			.withBean(Apart.class)
			.withUserConfiguration(OuterTransactions.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb).withBean(Events.class).withUserConfiguration(Bookings.class);
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ DynamoDbLockClientAutoConfiguration.class, DistributedLockAutoConfiguration.class })
	static class Locks {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		RecordingTransactions transactionManager(Events events) {
			return new RecordingTransactions(events);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 500)
	static class OuterTransactions {

		@Bean
		RecordingTransactions transactionManager(Events events) {
			return new RecordingTransactions(events);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caches {

		@Bean
		SimpleCacheManager cacheManager(Events events) {
			return RecordingCache.manager(events);
		}

	}

	/** Adds its advice before that of the lock, whatever their orders. */
	static class TransactionsFirst implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof Booking && bean instanceof Advised advised) {
				TransactionManager transactions = Mockito.mock(PlatformTransactionManager.class);
				advised.addAdvice(0,
						new TransactionInterceptor(transactions, new AnnotationTransactionAttributeSource()));
			}
			return bean;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Bookings {

		@Bean
		Booking booking() {
			return new Booking();
		}

	}

	public static class Booking {

		@Transactional
		@Cacheable("bookings")
		@DistributedLock("booking")
		public String book(String id) {
			return id;
		}

	}

	static class Apart {

		@Transactional
		public void transaction() {
		}

		@DistributedLock("apart")
		public void lock() {
		}

	}

	static class Events {

		final List<String> events = new CopyOnWriteArrayList<>();

		private final ObjectProvider<LockClient> locks;

		Events(ObjectProvider<LockClient> locks) {
			this.locks = locks;
		}

		void add(String event) {
			boolean held = this.locks.getObject().find("booking").filter((lock) -> !lock.isReleased()).isPresent();
			this.events.add(event + (held ? ", lock is held" : ", lock is free"));
		}

	}

	static class RecordingCache extends ConcurrentMapCache {

		private final Events events;

		RecordingCache(Events events) {
			super("bookings");
			this.events = events;
		}

		static SimpleCacheManager manager(Events events) {
			SimpleCacheManager manager = new SimpleCacheManager();
			manager.setCaches(List.of(new RecordingCache(events)));
			return manager;
		}

		@Override
		protected @Nullable Object lookup(Object key) {
			this.events.add("cache is read");
			return super.lookup(key);
		}

		@Override
		public void put(Object key, @Nullable Object value) {
			this.events.add("cache is written");
			super.put(key, Objects.requireNonNull(value));
		}

	}

	static class RecordingTransactions extends AbstractPlatformTransactionManager {

		private final transient Events events;

		RecordingTransactions(Events events) {
			this.events = events;
		}

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.events.add("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.events.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.events.add("rollback");
		}

	}

}
