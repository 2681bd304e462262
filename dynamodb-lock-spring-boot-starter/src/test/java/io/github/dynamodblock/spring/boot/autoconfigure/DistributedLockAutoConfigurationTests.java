/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.aop.check.DistributedLockStartupCheck;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.aspectj.annotation.AnnotationAwareAspectJAutoProxyCreator;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class DistributedLockAutoConfigurationTests {

	@Test
	void withTheEmbeddedDynamoDbNothingElseNeedsToBeConfigured() {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class))
			.withPropertyValues("dynamodb-lock.embedded.enabled=true")
			.withBean(Job.class)
			.run((context) -> assertLocks(context.getBean(Job.class), context.getBean(LockClient.class)));
	}

	@Test
	void anApplicationWithTheEmbeddedDynamoDbIsWarned(CapturedLog log) {
		try (ConfigurableApplicationContext context = SpringApplication.run(Application.class,
				"--dynamodb-lock.embedded.enabled=true")) {
			assertLocks(context.getBean(Job.class), context.getBean(LockClient.class));
		}
		assertThat(log).contains("Locks exclude no other application context or process");
	}

	@Test
	void backsOffFromTheApplicationsBeans(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(OwnBeans.class).run((context) -> {
			assertThat(context.getBeanNamesForType(DistributedLockAdvisor.class)).containsExactly("ownAdvisor");
			assertThat(context.getBeanNamesForType(DistributedLockStartupCheck.class)).containsExactly("ownCheck");
			assertThat(context.getBeanNamesForType(LockedJobs.class)).containsExactly("ownJobs");
			assertLocks(context.getBean(Job.class), context.getBean(LockClient.class));
		});
	}

	@Test
	void worksWithAspectJ(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME))
				.isInstanceOf(AnnotationAwareAspectJAutoProxyCreator.class);
			assertLocks(context.getBean(Job.class), context.getBean(LockClient.class));
		});
	}

	@Test
	void worksWithoutAspectJ(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withClassLoader(new FilteredClassLoader("org.aspectj")).run((context) -> {
			assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME))
				.isInstanceOf(InfrastructureAdvisorAutoProxyCreator.class);
			assertLocks(context.getBean(Job.class), context.getBean(LockClient.class));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=false", "spring.aop.proxy-target-class=false" })
	void worksWhateverIsSetForOtherAdvice(String property, EmbeddedDynamoDb dynamoDb) {
		for (String hidden : new String[] { "org.aspectj", "none.hidden" }) {
			node(dynamoDb).withClassLoader(new FilteredClassLoader(hidden))
				.withPropertyValues(property)
				.run((context) -> assertLocks(context.getBean(Job.class), context.getBean(LockClient.class)));
		}
	}

	@Test
	void switchedOffMethodsRunUnlockedAndAreListedOnce(CapturedLog log) {
		LockNode.bare()
			.withBean("one", Job.class)
			.withBean("two", Job.class)
			.withPropertyValues("dynamodb-lock.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(DistributedLockAdvisor.class);
				context.getBean("one", Job.class).run(() -> {
				});
				assertThat(log).containsOnlyOnce("run without a lock: " + Job.class.getName() + ".run(Runnable)")
					.contains("WARN")
					.contains("dynamodb-lock.enabled is false");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "TRUE", "on", "yes", "1" })
	void methodsAreLockedForEveryTextThatIsTrue(String text, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withInitializer(environmentVariable("DYNAMODBLOCK_ENABLED", text))
			.run((context) -> assertLocks(context.getBean(Job.class), context.getBean(LockClient.class)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "FALSE", "off", "no", "0" })
	void methodsThatRunUnlockedAreListedForEveryTextThatIsFalse(String text, CapturedLog log) {
		LockNode.bare()
			.withBean(Job.class)
			.withInitializer(environmentVariable("DYNAMODBLOCK_ENABLED", text))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(LockClient.class).doesNotHaveBean(DistributedLockAdvisor.class);
				assertThat(log).containsOnlyOnce("run without a lock: " + Job.class.getName() + ".run(Runnable)");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "enabled", "events.enabled" })
	void aTextThatIsNeitherTrueNorFalseFailsStartup(String property, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock." + property + "=perhaps")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("Failed to bind properties under 'dynamodb-lock." + property + "'"));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> environmentVariable(String name,
			String value) {
		return (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value)));
	}

	@Test
	void nothingIsSaidWhereNothingIsAnnotated(CapturedLog log) {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=false")
			.run((context) -> assertThat(log).doesNotContain("without a lock"));
	}

	@Test
	void standsOutsideOfWhatHasNoOrder(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.run((context) -> assertThat(context.getBean(DistributedLockAdvisor.class).getOrder()).isEqualTo(1000));
	}

	@Test
	void theOrderCanBeSet(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.advice.order=7")
			.run((context) -> assertThat(context.getBean(DistributedLockAdvisor.class).getOrder()).isEqualTo(7));
	}

	@Test
	void aLimitOfLocksBelowOneNamesItsProperty(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.advice.max-locks-per-call=0")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (refusal) -> {
					assertThat(refusal.getName()).isEqualTo("dynamodb-lock.advice.max-locks-per-call");
					assertThat(refusal.getReason()).isEqualTo("must be at least 1");
				}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-5s", "60", "1999ms" })
	void aClockToleranceBelowTwoSecondsNamesItsProperty(String tolerance) {
		LockNode.bare()
			.withBean(ScheduledAnnotationBeanPostProcessor.class)
			.withBean(LockClient.class, () -> Mockito.mock(LockClient.class))
			.withPropertyValues("dynamodb-lock.jobs.clock-tolerance=" + tolerance)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (refusal) -> {
					assertThat(refusal.getName()).isEqualTo("dynamodb-lock.jobs.clock-tolerance");
					assertThat(refusal.getReason()).startsWith("must be at least 2 s");
				}));
	}

	@Test
	void theAdviceAsksForNoBeanBeforeItsTime(EmbeddedDynamoDb dynamoDb) {
		AtomicInteger seen = new AtomicInteger();
		node(dynamoDb).withBean("counter", BeanPostProcessor.class, () -> new BeanPostProcessor() {
			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				if (Map.of("dynamoDbClient", 1, "dynamoDbLockClient", 1).containsKey(beanName)) {
					seen.incrementAndGet();
				}
				return bean;
			}
		}).run((context) -> assertThat(seen).as("beans that an ordinary post-processor saw").hasValue(2));
	}

	private static void assertLocks(Job job, LockClient client) {
		job.run(() -> assertThat(client.find("job"))
			.hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isFalse()));
		assertThat(client.find("job")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb).withBean(Job.class);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Job.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnBeans {

		@Bean
		static DistributedLockAdvisor ownAdvisor(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<LockClient> client) {
			return new DistributedLockAdvisor(beanFactory, (name) -> client.getObject(),
					() -> new LockNaming("", null));
		}

		@Bean
		static DistributedLockStartupCheck ownCheck(ConfigurableListableBeanFactory beanFactory,
				DistributedLockAdvisor advisor) {
			return new DistributedLockStartupCheck(beanFactory, advisor, true);
		}

		@Bean
		LockedJobs ownJobs() {
			return new LockedJobs();
		}

	}

	public static class Job {

		@DistributedLock("job")
		public void run(Runnable body) {
			body.run();
		}

	}

}
