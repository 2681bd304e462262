/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockObservabilityAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
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
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
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

	@Test
	void aClientOfTheApplicationsClassKeepsItsClassAndItsMethods(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		node(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table)
			.withUserConfiguration(ClientOfTenant.class)
			.run((context) -> {
				TenantLockClient client = context.getBean(TenantLockClient.class);
				try (HeldLock lock = client.acquire("k")) {
					assertThat(lock.key()).isEqualTo(LockKey.of("tenant:k"));
				}
				client.acquire(LockRequest.of("other")).release();
				assertThat(context.getBean(MeterRegistry.class).get("dynamodb.lock.acquire").timer().count()).isOne();
			});
	}

	@Test
	void aClientWhoseClassNoProxyCanExtendIsMeasuredThroughItsInterface() {
		InstrumentedLockClients instrumented = new InstrumentedLockClients(() -> ObservationRegistry.NOOP, () -> null);
		assertThat(instrumented.postProcessBeforeInitialization(Mockito.mock(TenantLockClient.class), "client"))
			.satisfies((client) -> assertThat(AopUtils.isCglibProxy(client)).isTrue());
		assertThat(instrumented.postProcessBeforeInitialization(Mockito.mock(FinalMethods.class), "client"))
			.satisfies((client) -> assertThat(AopUtils.isJdkDynamicProxy(client)).isTrue());
	}

	@Test
	void aMethodThatSuchAClientOverridesIsItsOwn() throws InterruptedException {
		LockClient target = Mockito.mock(FinalMethods.class,
				(call) -> Modifier.isAbstract(call.getMethod().getModifiers()) ? null : call.callRealMethod());
		LockClient client = (LockClient) new InstrumentedLockClients(() -> ObservationRegistry.NOOP,
				SimpleMeterRegistry::new)
			.postProcessBeforeInitialization(target, "client");
		client.acquire("k");
		Mockito.verify(target)
			.acquire(ArgumentMatchers.<LockRequest>argThat((request) -> request.key().equals(LockKey.of("tenant:k"))));
	}

	@Test
	void lockNamesBeyondALimitAreMeasuredTogether(CapturedLog log) throws InterruptedException {
		MeterRegistry registry = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		LockClient client = (LockClient) new InstrumentedLockClients(() -> observations, () -> registry)
			.postProcessBeforeInitialization(Mockito.mock(LockClient.class), "client");
		for (int i = 0; i < 1100; i++) {
			client.acquire(LockRequest.of("k").name("name-" + i));
		}
		for (String meter : List.of("dynamodb.lock.hold", "dynamodb.lock.acquire")) {
			assertThat(registry.get(meter).meters()).hasSize(1001);
			assertThat(registry.get(meter).tag("dynamodb.lock.name", "other").meters()).hasSize(1);
		}
		assertThat(log).containsOnlyOnce("Locks of client 'client' have more than 1000 names");
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockObservabilityAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	/** Locks of a tenant. */
	abstract static class TenantLockClient implements LockClient {

		@Override
		public HeldLock acquire(String key) throws InterruptedException {
			return acquire(LockRequest.of("tenant:" + key));
		}

	}

	abstract static class FinalMethods extends TenantLockClient {

		@Override
		public final String ownerName() {
			return "final";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientOfTenant {

		@Bean
		TenantLockClient client(DynamoDbClient dynamoDb, DynamoDbLockProperties properties) {
			LockClient delegate = LockClient.builder(dynamoDb).tableName(properties.table().name()).build();
			return Mockito.mock(TenantLockClient.class, (call) -> Modifier.isAbstract(call.getMethod().getModifiers())
					? call.getMethod().invoke(delegate, call.getArguments()) : call.callRealMethod());
		}

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
