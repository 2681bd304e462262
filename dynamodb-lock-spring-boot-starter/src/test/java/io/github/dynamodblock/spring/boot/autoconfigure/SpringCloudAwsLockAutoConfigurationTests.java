/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbClientCustomizer;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class SpringCloudAwsLockAutoConfigurationTests {

	@Test
	void usesTheDynamoDbClientOfSpringCloudAws(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(DynamoDbAutoConfiguration.class))
			.withPropertyValues("spring.cloud.aws.dynamodb.enabled=true")
			.run((context) -> {
				assertThat(context).hasSingleBean(DynamoDbClient.class);
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
				assertThat(context.getBeanFactory().getDependentBeans("dynamoDbClient"))
					.contains("dynamoDbLockClientBuilder");
			});
	}

	@Test
	void clientPropertiesBesideTheClientOfSpringCloudAwsAreRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(DynamoDbAutoConfiguration.class))
			.withPropertyValues("spring.cloud.aws.dynamodb.enabled=true", "dynamodb-lock.dynamodb.region=eu-west-1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.dynamodb.*", "'dynamoDbClient'"));
	}

	@Test
	void withoutAClientOfItsOwnItsSettingsMakeOurs(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		node(dynamoDb).withBean(DynamoDbClientCustomizer.class, () -> calls::attach).run((context) -> {
			assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
			DynamoDbClient client = context.getBean(SelectedDynamoDbClient.OWN, DynamoDbClient.class);
			assertThat(region(client)).isEqualTo(Region.EU_CENTRAL_1);
			assertThat(accessKey(client)).isEqualTo("CLOUD");
			assertThat(calls.calls()).as("by its customizers").contains("UpdateItemRequest");
		});
	}

	@Test
	void endpointAndRegionForDynamoDbAloneGoBeforeThoseOfAllServices(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("spring.cloud.aws.endpoint=http://localhost:1",
					"spring.cloud.aws.dynamodb.endpoint=" + dynamoDb.endpoint(),
					"spring.cloud.aws.dynamodb.region=eu-west-3")
			.run((context) -> {
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
				assertThat(region(context.getBean(SelectedDynamoDbClient.OWN, DynamoDbClient.class)))
					.isEqualTo(Region.EU_WEST_3);
			});
	}

	@Test
	void clientPropertiesGoBeforeItsSettings(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("spring.cloud.aws.region.static=", "dynamodb-lock.dynamodb.region=us-west-2")
			.run((context) -> {
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
				DynamoDbClient client = context.getBean(SelectedDynamoDbClient.OWN, DynamoDbClient.class);
				assertThat(region(client)).isEqualTo(Region.US_WEST_2);
			});
	}

	@Test
	void aRegionThatItDoesNotFindEitherEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("spring.cloud.aws.region.static=")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("no AWS region is configured: dynamodb-lock.dynamodb.region"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.dynamodb.region=us-west-2", "spring.cloud.aws.region.static=us-west-2" })
	void aCustomizerThatFailsIsNotTakenForAMissingRegion(String region, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues(region).withBean(DynamoDbClientCustomizer.class, () -> (builder) -> {
			throw SdkClientException.create("the proxy is not configured");
		})
			.run((context) -> assertThat(Throwables.getStackTrace(context.getStartupFailure()))
				.contains("the proxy is not configured")
				.doesNotContain("AWS region", "LockSetupException"));
	}

	@Test
	void backsOffFromTheApplicationsDynamoDbClient(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean("mine", DynamoDbClient.class, () -> dynamoDb.newClient(new CallRecorder()::attach))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(SelectedDynamoDbClient.OWN);
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
			});
	}

	@Test
	void makesNothingWhenSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DynamoDbClientFactory.class));
	}

	@Test
	void makesNothingWithoutSpringCloudAws(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(SpringCloudAwsLockAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.awspring.cloud"))
			.run((context) -> {
				assertThat(context).doesNotHaveBean(DynamoDbClientFactory.class);
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
			});
	}

	@Test
	void makesNothingWhereSpringCloudAwsIsSwitchedOff() {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(SpringCloudAwsLockAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("no AWS region is configured"));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.bare()
			.withConfiguration(
					AutoConfigurations.of(AwsAutoConfiguration.class, CredentialsProviderAutoConfiguration.class,
							RegionProviderAutoConfiguration.class, SpringCloudAwsLockAutoConfiguration.class))
			.withPropertyValues("spring.cloud.aws.region.static=eu-central-1",
					"spring.cloud.aws.endpoint=" + dynamoDb.endpoint(), "spring.cloud.aws.credentials.access-key=CLOUD",
					"spring.cloud.aws.credentials.secret-key=hush", "dynamodb-lock.table.create=if-missing",
					"dynamodb-lock.table.name=" + LockNode.newTableName());
	}

	private static Region region(DynamoDbClient client) {
		return client.serviceClientConfiguration().region();
	}

	private static String accessKey(DynamoDbClient client) {
		return client.serviceClientConfiguration().credentialsProvider().resolveIdentity().join().accessKeyId();
	}

}
