/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DelegatingIntroductionInterceptor;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.AbstractFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

import static org.assertj.core.api.Assertions.assertThat;

/** Lock clients that are not made by a simple bean method. */
@ExtendWith(DynamoDbExtension.class)
class DecoratedLockClientsTests {

	@Test
	void aScopedClientIsMeasuredOnceUnderItsName(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table)
			.withInitializer((context) -> context.getBeanFactory().registerScope("session", new SimpleThreadScope()))
			.withUserConfiguration(ScopedClient.class)
			.run((context) -> {
				context.getBean("scoped", LockClient.class).acquire("k").release();
				assertThat(context.getBean(MeterRegistry.class).find("dynamodb.lock.acquire").timers()).singleElement()
					.satisfies((timer) -> {
						assertThat(timer.getId().getTag("dynamodb.lock.client")).isEqualTo("scoped");
						assertThat(timer.count()).isOne();
					});
			});
	}

	@Test
	void aClientThatIsInitializedOrMadeByAFactoryBeanIsMeasured(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table)
			.withUserConfiguration(InitializedClients.class)
			.run((context) -> {
				for (String name : List.of("initialized", "made")) {
					context.getBean(name, LockClient.class).acquire(LockRequest.of(name)).release();
					assertThat(context.getBean(MeterRegistry.class)
						.get("dynamodb.lock.acquire")
						.tag("dynamodb.lock.client", name)
						.timer()
						.count()).isOne();
				}
				assertThat(context.getBean(InitializedClients.class).initialized).isTrue();
			});
	}

	@Test
	void anAspectWithABroadPointcutAppliesToAMeasuredClientToo(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean(Audit.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LockClient.class).acquire("k").release();
			assertThat(context.getBean(Audit.class).calls).contains("acquire");
			assertThat(context.getBean(MeterRegistry.class).get("dynamodb.lock.acquire").timer().count()).isOne();
		});
	}

	@Test
	void theProxyOfAClientIsKnownToANativeImage(EmbeddedDynamoDb dynamoDb) {
		ImportRuntimeHints imported = Objects
			.requireNonNull(DynamoDbLockObservabilityAutoConfiguration.class.getAnnotation(ImportRuntimeHints.class));
		RuntimeHints hints = new RuntimeHints();
		BeanUtils.instantiateClass(imported.value()[0]).registerHints(hints, null);
		node(dynamoDb).run((context) -> assertThat(RuntimeHintsPredicates.proxies()
			.forInterfaces(context.getBean(LockClient.class).getClass().getInterfaces())).accepts(hints));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedClient {

		@Bean
		@Scope(scopeName = "session", proxyMode = ScopedProxyMode.INTERFACES)
		LockClient scoped(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			return LockClient.builder(dynamoDb).tableName(properties.table().name()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InitializedClients {

		private boolean initialized;

		@Bean
		LockClient initialized(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			ProxyFactory client = new ProxyFactory(
					LockClient.builder(dynamoDb).tableName(properties.table().name()).build());
			client.addAdvice(new DelegatingIntroductionInterceptor((InitializingBean) () -> this.initialized = true));
			return (LockClient) client.getProxy();
		}

		@Bean
		FactoryBean<LockClient> made(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			return new AbstractFactoryBean<>() {
				@Override
				public Class<?> getObjectType() {
					return LockClient.class;
				}

				@Override
				protected LockClient createInstance() {
					return LockClient.builder(dynamoDb).tableName(properties.table().name()).build();
				}

				@Override
				protected void destroyInstance(@Nullable LockClient instance) {
					Objects.requireNonNull(instance).close();
				}
			};
		}

	}

	@Aspect
	static class Audit {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@Before("execution(* *..LockClient.*(..))")
		void record(JoinPoint call) {
			this.calls.add(call.getSignature().getName());
		}

	}

}
