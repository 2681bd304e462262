/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.aop.invocation.LockNaming;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties.TableCreation;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.type.AnnotationMetadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class AdditionalLockClientsTests {

	@Test
	void aNamedClientIsABeanOfItsNameWithATableOfItsOwn(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.reports.table.name=" + table)
			.withUserConfiguration(Injection.class)
			.run((context) -> {
				LockClient reports = context.getBean("reports", LockClient.class);
				Injected injected = context.getBean(Injected.class);
				assertThat(injected.any()).isSameAs(context.getBean("dynamoDbLockClient"));
				assertThat(injected.reports()).isSameAs(reports);
				injected.any().acquire("a");
				assertThat(reports.tryAcquire("a")).as("another table").isPresent();
				try (LockClient other = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
					assertThat(other.find("a")).isPresent();
				}
			});
	}

	@Test
	void aNamedClientInheritsWhatItDoesNotSet(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.owner-name=node-1", "dynamodb-lock.clients.reports.lease-duration=7s",
					"dynamodb-lock.clients.archive.owner-name=", "dynamodb-lock.clients.archive.wait-time=0s")
			.run((context) -> {
				LockClient reports = context.getBean("reports", LockClient.class);
				assertThat(reports.ownerName()).startsWith("node-1");
				try (HeldLock lock = reports.acquire("a")) {
					assertThat(lock.record().leaseDuration()).isEqualTo(Duration.ofSeconds(7));
					LockClient archive = context.getBean("archive", LockClient.class);
					assertThat(archive.ownerName()).as("a blank value is the default").doesNotStartWith("node-1");
					assertThat(archive.find("a")).as("the inherited table").isPresent();
				}
			});
	}

	@Test
	void whatANamedClientSetsWinsOverInheritedValuesOfAnySource() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addLast(new SystemEnvironmentPropertySource("test-systemEnvironment",
					Map.of("DYNAMODBLOCK_LEASEDURATION", "9s", "DYNAMODBLOCK_CLIENTS_ORDERARCHIVE_WAITTIME", "1s")));
		environment.getPropertySources()
			.addLast(new MapPropertySource("file", Map.of("dynamodb-lock.clients.order-archive.lease-duration", "8s",
					"dynamodb-lock.lease-duration", "7s")));
		DynamoDbLockProperties configured = bound(environment);
		assertThat(configured.clients()).containsOnlyKeys("order-archive");
		DynamoDbLockProperties archive = configured.of("order-archive");
		assertThat(archive.leaseDuration()).isEqualTo(Duration.ofSeconds(8));
		assertThat(archive.waitTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(configured.of("dynamoDbLockClient").leaseDuration()).isEqualTo(Duration.ofSeconds(9));
	}

	@Test
	void aNamedClientHasADynamoDbClientOfItsOwnIfItConfiguresOne(EmbeddedDynamoDb dynamoDb) {
		DynamoDbClient[] own = new DynamoDbClient[1];
		LockClient[] reports = new LockClient[1];
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.reports.dynamodb.region=eu-north-1",
					"dynamodb-lock.clients.reports.dynamodb.endpoint=" + dynamoDb.endpoint(),
					"dynamodb-lock.clients.reports.dynamodb.access-key=local",
					"dynamodb-lock.clients.reports.dynamodb.secret-key=local")
			.run((context) -> {
				reports[0] = context.getBean("reports", LockClient.class);
				assertThat(reports[0].tryAcquire("a")).isPresent();
				own[0] = context.getBean("dynamoDbLockDynamoDbClient.reports", DynamoDbClient.class);
				assertThat(own[0].serviceClientConfiguration().region()).isEqualTo(Region.EU_NORTH_1);
				assertThat(context.getBean(DynamoDbClient.class)).isSameAs(context.getBean("dynamoDbClient"));
			});
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> reports[0].find("a"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> own[0].listTables());
	}

	@Test
	void aDynamoDbClientThatWasNotConfiguredAheadOfTimeIsRefusedByTheProperty(EmbeddedDynamoDb dynamoDb) {
		BeanFactoryPostProcessor asProcessedWithoutTheProperty = (beanFactory) -> ((BeanDefinitionRegistry) beanFactory)
			.removeBeanDefinition("dynamoDbLockDynamoDbClient.reports");
		LockNode.of(dynamoDb)
			.withBean(BeanFactoryPostProcessor.class, () -> asProcessedWithoutTheProperty)
			.withPropertyValues("dynamodb-lock.clients.reports.dynamodb.region=eu-north-1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.clients.reports.dynamodb.*", "ahead of time"));
	}

	@Test
	void aDynamoDbClientCanBeQualifiedForANamedClient(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(EmbeddedDynamoDb.class, () -> dynamoDb, (definition) -> definition.setDestroyMethodName(""))
			.withUserConfiguration(QualifiedForReports.class)
			.withPropertyValues("dynamodb-lock.clients.reports.table.name=" + LockNode.newTableName())
			.run((context) -> {
				assertThat(context.getBean("reports", LockClient.class).tryAcquire("a")).isPresent();
				assertThat(context.getBeanFactory().getDependentBeans("elsewhere")).contains("reports")
					.doesNotContain("dynamoDbLockClient");
			});
	}

	@Test
	void everyPropertyOfAClientReplacesThatOfTheDefaultOne() {
		for (RecordComponent component : DynamoDbLockProperties.Client.class.getRecordComponents()) {
			if (component.getType().isRecord() || component.getName().equals("enabled")) {
				continue;
			}
			assertReplaced(component.getName(), component.getType());
		}
		for (RecordComponent component : DynamoDbLockProperties.ClientTable.class.getRecordComponents()) {
			assertReplaced("table." + component.getName(), component.getType());
		}
	}

	private static void assertReplaced(String property, Class<?> type) {
		Map<Class<?>, String> values = Map.of(String.class, "other", Duration.class, "77s", Double.class, "0.15",
				Integer.class, "77", Long.class, "77", Boolean.class, "true", TableCreation.class, "if-missing");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("dynamodb-lock.clients.reports." + property,
					property.equals("backgroundReads") ? "false" : values.get(type))));
		DynamoDbLockProperties configured = bound(environment);
		assertThat(configured.of("reports")).as(property).isNotEqualTo(withoutClients(configured));
	}

	private static DynamoDbLockProperties withoutClients(DynamoDbLockProperties properties) {
		StandardEnvironment environment = new StandardEnvironment();
		DynamoDbLockProperties defaults = bound(environment);
		assertThat(properties.of(null)).isSameAs(properties);
		return defaults;
	}

	@Test
	void additionalClientsArePartOfTheBeanThatActuatorShows(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(ConfigurationPropertiesReportEndpoint.class,
					() -> new ConfigurationPropertiesReportEndpoint(List.of(), Show.ALWAYS))
			.withPropertyValues("dynamodb-lock.clients.reports.lease-duration=7s", "dynamodb-lock.registry.capacity=7")
			.run((context) -> {
				assertThat(context).hasSingleBean(DynamoDbLockProperties.class);
				assertThat(context.getBean(ConfigurationPropertiesReportEndpoint.class)
					.configurationPropertiesWithPrefix("dynamodb-lock")
					.getContexts()
					.values()).flatExtracting((each) -> each.getBeans().values())
					.singleElement()
					.satisfies((bean) -> assertThat(bean.getProperties().toString()).contains("reports",
							"leaseDuration=PT7S", "capacity=7"));
			});
	}

	@Test
	void eachTableIsChecked(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.reports.table.name=no-such-table",
					"dynamodb-lock.clients.reports.table.create=never")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("no-such-table")
				.hasStackTraceContaining("dynamodb-lock.clients.reports.table.create=if-missing"));
	}

	@Test
	void aRefusalNamesThePropertiesThatAreSet(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.heartbeat-period=1s", "dynamodb-lock.clients.reports.lease-duration=1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.heartbeat-period", "leaseDuration 1 s")
				.hasMessageNotContaining("dynamodb-lock.clients.reports.heartbeat-period"));
	}

	@Test
	void aClientWithAConnectionOfItsOwnInheritsNoneOfTheDefaults() {
		MapPropertySource properties = new MapPropertySource("test",
				Map.of("dynamodb-lock.dynamodb.endpoint", "http://localhost:8000", "dynamodb-lock.dynamodb.access-key",
						"a", "dynamodb-lock.dynamodb.secret-key", "s", "dynamodb-lock.lease-duration", "9s",
						"dynamodb-lock.clients.frankfurt.dynamodb.region", "eu-central-1",
						"dynamodb-lock.clients.audit.dynamodb.profile", "audit",
						"dynamodb-lock.clients.reports.wait-time", "1s"));
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(properties);
		DynamoDbLockProperties configured = bound(environment);
		assertThat(configured.of("frankfurt").dynamodb())
			.isEqualTo(new DynamoDbLockProperties.DynamoDb("eu-central-1", null, null, null, null, null));
		assertThat(configured.of("audit").dynamodb())
			.isEqualTo(new DynamoDbLockProperties.DynamoDb(null, null, null, null, null, "audit"));
		assertThat(configured.of("frankfurt").leaseDuration()).isEqualTo(Duration.ofSeconds(9));
		assertThat(configured.of("reports").dynamodb()).isEqualTo(configured.dynamodb());
	}

	@Test
	void aClientThatIsSwitchedOffByItselfIsRefusedByName(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.reports.lease-duration=9s",
					"dynamodb-lock.clients.reports.enabled=off")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("dynamodb-lock.clients.reports.enabled")
				.hasMessageContaining("A single lock client cannot be switched off"));
	}

	@Test
	void clientsAreRegisteredWhileValuesOfTypedPropertiesAreUnknown() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test",
					Map.of("dynamodb-lock.lease-duration", "${NOT_THERE}",
							"dynamodb-lock.clients.reports.lease-duration", "${NOT_THERE}",
							"dynamodb-lock.clients.reports.enabled", "${NOT_THERE}",
							"dynamodb-lock.clients.frankfurt.dynamodb.endpoint", "${NOT_THERE}",
							"dynamodb-lock.clients.audit.dynamodb.region", "")));
		ConfigurationPropertySources.attach(environment);
		DefaultListableBeanFactory registry = new DefaultListableBeanFactory();
		new LockClientsRegistrar(environment).registerBeanDefinitions(AnnotationMetadata.introspect(Injection.class),
				registry);
		assertThat(registry.getBeanDefinitionNames()).containsExactlyInAnyOrder("reports", "audit", "frankfurt",
				"dynamoDbLockDynamoDbClient.frankfurt");
		ConditionContext context = Mockito.mock(ConditionContext.class);
		Mockito.when(context.getEnvironment()).thenReturn(environment);
		assertThat(new DynamoDbLockClientAutoConfiguration.OnAdditionalLockClients().matches(context,
				AnnotationMetadata.introspect(Injection.class)))
			.isTrue();
	}

	@Test
	void aNameWithoutPropertiesIsRefused(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.reports=")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("dynamodb-lock.clients.reports")
				.hasMessageContaining("such as dynamodb-lock.clients.reports.table.name"));
	}

	@Test
	void aTableThatMayNotBeDescribedIsAWarningWithAPropertyThatExists(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		calls.deny(DescribeTableRequest.class::isInstance);
		LockNode.of(dynamoDb, calls::attach)
			.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never",
					"dynamodb-lock.clients.reports.lease-duration=9s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(log).contains("Set dynamodb-lock.table.check=false").doesNotContain("reports.table.check");
			});
	}

	@Test
	void aNameThatAnotherBeanHasEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean("reports", String.class, () -> "taken")
			.withPropertyValues("dynamodb-lock.clients.reports.lease-duration=9s")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("dynamodb-lock.clients.reports.* cannot be the bean 'reports'"));
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.clients.dynamoDbLockClient.lease-duration=9s")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("dynamodb-lock.clients.dynamoDbLockClient.* cannot be the bean"));
	}

	@Test
	void namedClientsAreMadeBesideTheApplicationsOwnLockClient(EmbeddedDynamoDb dynamoDb) {
		LockClient own = Mockito.mock(LockClient.class);
		configured(dynamoDb).withBean("mine", LockClient.class, () -> own)
			.withPropertyValues("dynamodb-lock.clients.reports.lease-duration=9s")
			.run((context) -> {
				assertThat(context.getBean("reports", LockClient.class).tryAcquire("a")).isPresent();
				assertThat(context.getBean(LockClient.class)).isSameAs(own);
			});
	}

	@Test
	void nothingIsMadeWhenSwitchedOff() {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=false", "dynamodb-lock.clients.reports.lease-duration=9s")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reports"));
	}

	@Test
	void keysOfAnnotatedMethodsAreMadeByTheClientsOwnProperties() {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=false", "dynamodb-lock.key-prefix=shop#",
					"dynamodb-lock.clients.reports.table.sort-key-name=sk",
					"dynamodb-lock.clients.reports.table.sort-key-value=LOCK")
			.run((context) -> {
				DynamoDbLockProperties properties = context.getBean(DynamoDbLockProperties.class);
				assertThat(properties.of(null).naming()).isEqualTo(new LockNaming("shop#", null));
				assertThat(properties.of("reports").naming()).isEqualTo(new LockNaming("shop#", "LOCK"));
				assertThat(properties.of("mine").naming()).isEqualTo(new LockNaming("shop#", null));
			});
	}

	@Test
	void anAnnotationLocksWithTheClientThatItNames(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(Reports.class)
			.withPropertyValues("dynamodb-lock.key-prefix=shop#", "dynamodb-lock.clients.reports.key-prefix=reports#",
					"dynamodb-lock.clients.reports.table.sort-key-name=sk",
					"dynamodb-lock.clients.reports.table.sort-key-value=LOCK",
					"dynamodb-lock.clients.reports.table.name=" + LockNode.newTableName())
			.run((context) -> {
				context.getBean(Reports.class).monthly();
				assertThat(context.getBean("reports", LockClient.class).find(LockKey.of("reports#monthly", "LOCK")))
					.isPresent();
			});
	}

	@Test
	void aTestsDynamoDbIsUsedByNamedClientsOfOtherRegions(EmbeddedDynamoDb dynamoDb) {
		LockNode.bare().withBean("embeddedDynamoDbClient", DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
		}))
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.clients.reports.dynamodb.region=eu-north-1")
			.run((context) -> assertThat(context.getBean("reports", LockClient.class).tryAcquire("a")).isPresent());
	}

	@Test
	void aQualifiedDynamoDbClientBesideConfiguredOnesIsRefused(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(EmbeddedDynamoDb.class, () -> dynamoDb, (definition) -> definition.setDestroyMethodName(""))
			.withUserConfiguration(QualifiedForReports.class)
			.withPropertyValues("dynamodb-lock.clients.reports.dynamodb.region=eu-north-1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.clients.reports.dynamodb.region", "'elsewhere'"));
	}

	private static DynamoDbLockProperties bound(StandardEnvironment environment) {
		return Binder.get(environment).bindOrCreate("dynamodb-lock", DynamoDbLockProperties.class);
	}

	private static ApplicationContextRunner configured(EmbeddedDynamoDb dynamoDb) {
		return LockNode.bare()
			.withPropertyValues("dynamodb-lock.dynamodb.region=local",
					"dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint(), "dynamodb-lock.table.create=if-missing",
					"dynamodb-lock.table.name=" + LockNode.newTableName());
	}

	static class Reports {

		@DistributedLock(name = "monthly", lockClient = "reports")
		void monthly() {
		}

	}

	record Injected(LockClient any, LockClient reports) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Injection {

		@Bean
		Injected injected(LockClient any, @Qualifier("reports") LockClient reports) {
			return new Injected(any, reports);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedForReports {

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient("reports")
		DynamoDbClient elsewhere(EmbeddedDynamoDb dynamoDb) {
			return dynamoDb.newClient((client) -> client.region(Region.EU_SOUTH_1));
		}

	}

}
