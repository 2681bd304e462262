/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class LockTemplateAutoConfigurationTests {

	@Test
	void aTemplateLocksWhatTheClientGrants(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.run((context) -> assertThat(context.getBean(LockTemplate.class).<LockKey>execute("k", HeldLock::key))
				.isEqualTo(LockKey.of("k")));
	}

	@Test
	void aTemplateAndAnAnnotationShareALockByNameAndKey(EmbeddedDynamoDb dynamoDb) {
		for (List<String> settings : List.of(List.<String>of(), List.of("dynamodb-lock.key-prefix=app-"),
				List.of("dynamodb-lock.table.sort-key-name=sort", "dynamodb-lock.table.sort-key-value=s"))) {
			LockNode.of(dynamoDb)
				.withPropertyValues(settings.toArray(String[]::new))
				.withBean(Orders.class)
				.run((context) -> {
					Orders orders = context.getBean(Orders.class);
					long token = context.getBean(LockTemplate.class).<Long>execute("orders:42", (lock) -> {
						assertThat(orders.token(42)).isEqualTo(lock.fencingToken());
						return lock.fencingToken();
					});
					assertThat(orders.token(42)).isGreaterThan(token);
				});
		}
	}

	@Test
	void backsOffFromTheApplicationsOwnTemplate(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean("own", LockTemplate.class, () -> new LockTemplate(client(dynamoDb)))
			.run((context) -> assertThat(context).getBeanNames(LockTemplate.class).containsExactly("own"));
	}

	@Test
	void ofSeveralClientsThePrimaryOneIsUsed(EmbeddedDynamoDb dynamoDb) {
		BeanDefinitionCustomizer primary = (definition) -> definition.setPrimary(true);
		severalClients(dynamoDb, primary).run((context) -> assertThat(context).hasSingleBean(LockTemplate.class));
	}

	@Test
	void whereNoClientIsTheDefaultThereIsNoTemplate(EmbeddedDynamoDb dynamoDb) {
		severalClients(dynamoDb, (definition) -> {
		}).run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockTemplate.class));
	}

	@Test
	void aClientThatIsNotForInjectionByTypeIsNotCounted(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withUserConfiguration(AdditionalClient.class)
			.withBean("main", LockClient.class, () -> client(dynamoDb))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(LockTemplate.class));
	}

	@Test
	void isAbsentWithoutTheLockClientAndWithLocksSwitchedOff() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockClientAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(LockClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("dynamoDbLockTemplate"));
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockTemplate.class));
	}

	@Test
	void anAspectWithABroadPointcutAppliesToTheTemplateToo(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).withBean(Audit.class).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			template.executeWithoutResult("k", (lock) -> lock.ensureHeld());
			assertThat(context.getBean(Audit.class).calls).containsExactly("executeWithoutResult");
		});
	}

	private static ApplicationContextRunner severalClients(EmbeddedDynamoDb dynamoDb,
			BeanDefinitionCustomizer customizer) {
		return LockNode.of(dynamoDb)
			.withBean("one", LockClient.class, () -> client(dynamoDb), customizer)
			.withBean("two", LockClient.class, () -> client(dynamoDb));
	}

	private static LockClient client(EmbeddedDynamoDb dynamoDb) {
		return LockClient.builder(dynamoDb.client()).build();
	}

	@Aspect
	static class Audit {

		private final List<String> calls = new ArrayList<>();

		@Before("execution(* *..*Template.*(..))")
		void record(JoinPoint call) {
			this.calls.add(call.getSignature().getName());
		}

	}

	public static class Orders {

		@DistributedLock(name = "orders", key = "#p0")
		public long token(long id) {
			return LockContext.current().orElseThrow().fencingToken();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AdditionalClient {

		@Bean(defaultCandidate = false)
		LockClient additional(DynamoDbClient dynamoDbClient) {
			return LockClient.builder(dynamoDbClient).build();
		}

	}

}
