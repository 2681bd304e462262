/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.net.URI;
import java.util.Map;

import io.awspring.cloud.standin.StandInAutoConfiguration;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedDynamoDbAutoConfigurationTests {

	/** In an environment that has nothing of the machine on which the tests run. */
	private final ApplicationContextRunner runner = new ApplicationContextRunner(() -> {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.setEnvironment(new MockEnvironment());
		return context;
	}).withConfiguration(AutoConfigurations.of(EmbeddedDynamoDbAutoConfiguration.class));

	@Test
	void offersAServerAndItsClientByTheirNames(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(EmbeddedDynamoDb.class).hasBean("embeddedDynamoDb");
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("embeddedDynamoDbClient");
			assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
			URI endpoint = context.getBean(EmbeddedDynamoDb.class).endpoint();
			assertThat(output).contains("WARN").contains("memory of this process only").contains(endpoint.toString());
		});
	}

	@Test
	void databaseIsClosedWithTheContext() {
		this.runner.run((context) -> {
			DynamoDbClient client = context.getBean(DynamoDbClient.class);
			context.close();
			assertThatIllegalStateException().isThrownBy(client::listTables).withMessageContaining("shut down");
		});
	}

	@Test
	void contextsShareOneServerAndHaveTheirOwnTables() {
		this.runner.run((one) -> this.runner.withPropertyValues("another=property").run((other) -> {
			assertThat(one.getBean(EmbeddedDynamoDb.class).endpoint())
				.isEqualTo(other.getBean(EmbeddedDynamoDb.class).endpoint());
			one.getBean(DynamoDbClient.class)
				.createTable((table) -> table.tableName("locks")
					.billingMode(BillingMode.PAY_PER_REQUEST)
					.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
					.attributeDefinitions(AttributeDefinition.builder()
						.attributeName("key")
						.attributeType(ScalarAttributeType.S)
						.build()));
			assertThat(other.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
			other.close();
			assertThat(one.getBean(DynamoDbClient.class).listTables().tableNames()).containsExactly("locks");
		}));
	}

	@Test
	void backsOffFromTheApplicationsOwnClient() {
		this.runner.withUserConfiguration(OwnClient.class).run((context) -> {
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("ownClient");
			assertThat(context).doesNotHaveBean(EmbeddedDynamoDb.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.embedded.enabled", "dynamodb-lock.enabled" })
	void isSwitchedOffByEitherProperty(String property) {
		for (String off : new String[] { "false", "off", "no", "0" }) {
			this.runner.withPropertyValues(property + "=" + off).run(this::hasNoServer);
		}
		for (String on : new String[] { "true", "on", "yes", "1" }) {
			this.runner.withPropertyValues(property + "=" + on)
				.run((context) -> assertThat(context).hasSingleBean(EmbeddedDynamoDb.class));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.dynamodb.endpoint", "spring.cloud.aws.endpoint",
			"spring.cloud.aws.dynamodb.endpoint", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "aws.endpointUrl",
			"aws.endpointUrlDynamoDb" })
	void isAbsentWhereAnEndpointIsConfigured(String property) {
		this.runner.withPropertyValues(property + "=http://dynamodb.example").run(this::hasNoServer);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "spring.cloud.aws.region.instance-profile", "spring.cloud.aws.credentials.instance-profile" })
	void failsStartupWhereTheVirtualMachineIsAsked(String property) {
		this.runner.withPropertyValues(property + "=true").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure()
				.isInstanceOf(EmbeddedDynamoDbRefusedException.class)
				.hasMessageContaining("found " + property + ".");
		});
		this.runner.withPropertyValues(property + "=false")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedDynamoDb.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.dynamodb.region", "spring.cloud.aws.region.static",
			"spring.cloud.aws.region.profile.name", "spring.cloud.aws.credentials.access-key",
			"spring.cloud.aws.credentials.sts.role-arn", "spring.cloud.aws.credentials.sts.web-identity-token-file",
			"AWS_REGION", "AWS_PROFILE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ACCESS_KEY_ID",
			"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_EXECUTION_ENV",
			"aws.region" })
	void failsStartupWhereTheApplicationIsConfiguredForAws(String property) {
		this.runner.withPropertyValues(property + "=value-of-it").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure()
				.isInstanceOf(EmbeddedDynamoDbRefusedException.class)
				.hasMessageContaining("memory of this process")
				.hasMessageContaining("found " + property + ".")
				.hasMessageContaining("dynamodb-lock.embedded.enabled=true")
				.hasMessageNotContaining("value-of-it");
		});
	}

	@Test
	void failsStartupWhereTheTableIsNamedByItsArn() {
		String property = "dynamodb-lock.table.name";
		this.runner.withPropertyValues(property + "=arn:aws:dynamodb:eu-west-1:111122223333:table/locks")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("found the ARN in " + property));
		this.runner.withPropertyValues(property + "=locks").run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, kubernetes", "DYNO, PORT, heroku",
			"VCAP_APPLICATION, VCAP_SERVICES, cloud foundry" })
	void failsStartupOnACloudPlatform(String variable, String another, String platform) {
		this.runner.withInitializer((context) -> {
			Map<String, Object> variables = Map.of(variable, "10.0.0.1", another, "443");
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource(
						StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		}).run((context) -> assertThat(context).getFailure().hasMessageContaining("the cloud platform " + platform));
	}

	@Test
	void failsStartupWhereTheApplicationHasAProviderBean() {
		this.runner.withUserConfiguration(OwnCredentials.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(EmbeddedDynamoDbRefusedException.class)
				.hasMessageContaining("found the AwsCredentialsProvider bean 'ownCredentials'."));
		this.runner.withBean("ownRegion", AwsRegionProvider.class, () -> () -> Region.EU_CENTRAL_1)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("found the AwsRegionProvider bean 'ownRegion'."));
	}

	@Test
	void runsWhereSpringCloudAwsHasProviderBeans() {
		this.runner.withUserConfiguration(StandInAutoConfiguration.class)
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedDynamoDb.class)
				.hasSingleBean(AwsCredentialsProvider.class)
				.hasSingleBean(AwsRegionProvider.class));
	}

	@Test
	void runsWhereItIsConfiguredExplicitly() {
		this.runner
			.withPropertyValues("dynamodb-lock.dynamodb.region=eu-west-1", "AWS_EXECUTION_ENV=AWS_ECS_FARGATE",
					"dynamodb-lock.embedded.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedDynamoDb.class));
	}

	@Test
	void failsStartupOfALazyApplicationToo() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("dynamodb-lock.dynamodb.region=eu-west-1")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void theReportOfARefusedStartSaysWhatToDo(CapturedOutput output) {
		SpringApplication application = new SpringApplication(EmbeddedDynamoDbAutoConfiguration.class);
		assertThatException()
			.isThrownBy(() -> application.run("--dynamodb-lock.dynamodb.region=eu-west-1", "--AWS_ENDPOINT_URL=",
					"--AWS_ENDPOINT_URL_DYNAMODB="))
			.isInstanceOf(EmbeddedDynamoDbRefusedException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("found dynamodb-lock.dynamodb.region")
			.contains("Action:")
			.contains("scope 'test'");
	}

	private void hasNoServer(ApplicationContext context) {
		assertThat(context.getBeansOfType(EmbeddedDynamoDb.class)).isEmpty();
		assertThat(context.getBeansOfType(DynamoDbClient.class)).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnCredentials {

		@Lazy
		@Bean
		AwsCredentialsProvider ownCredentials() {
			throw new IllegalStateException("asked for credentials");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@Bean
		DynamoDbClient ownClient() {
			return DynamoDbClient.builder()
				.endpointOverride(URI.create("http://dynamodb.example"))
				.region(Region.EU_CENTRAL_1)
				.build();
		}

	}

}
