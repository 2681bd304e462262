/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpServer;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Each report is that of a real application that does not start, and stands in the
 * documentation as it is printed.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class FailureReportTests {

	/** From its title to the next line of the log, or to the end. */
	private static final Pattern REPORT = Pattern
		.compile("(?s)(APPLICATION FAILED TO START)\\R\\*+\\R\\R(Description:.*?)\\s*(?:\\R\\d\\d[\\d:-]+|\\z)");

	/** In a region that no other test has: it is logged on a thread that no test owns. */
	private static final Pattern NOT_CHECKED = Pattern
		.compile("(The lock table was not checked: [^\\r\\n]* in region eu-west-1 [^\\r\\n]*)");

	private static final String DENIED = """
			{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: \
			arn:aws:sts::111122223333:assumed-role/orders/i-0 is not authorized to perform: dynamodb:%1$s on resource: \
			arn:aws:dynamodb:eu-west-1:111122223333:table/locks because no identity-based policy allows the dynamodb:%1$s \
			action"}""";

	private static final String TABLE = """
			{"Table":{"TableName":"locks","TableStatus":"%s","AttributeDefinitions":[{"AttributeName":"key",\
			"AttributeType":"S"}],"KeySchema":[{"AttributeName":"key","KeyType":"HASH"}]%s}}""";

	@Test
	void theTableIsMissing(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		assertReport("table-missing", log, dynamoDb.endpoint().getPort(),
				at(dynamoDb, "dynamodb-lock.table.name=order-locks"));
	}

	@Test
	void theTableHasAnotherKey(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		dynamoDb.client()
			.createTable((create) -> create.tableName("orders")
				.attributeDefinitions(
						AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.N).build())
				.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
				.billingMode(BillingMode.PAY_PER_REQUEST));
		assertReport("wrong-key", log, dynamoDb.endpoint().getPort(), at(dynamoDb, "dynamodb-lock.table.name=orders"));
	}

	@Test
	void accessIsDenied(CapturedLog log) throws IOException {
		denying((port) -> assertReport("access-denied", log, port, List.of("dynamodb-lock.dynamodb.region=eu-west-1",
				"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port, "dynamodb-lock.table.create=if-missing")));
	}

	@Test
	void aTableThatCannotBeCheckedIsAWarning(CapturedLog log) throws IOException {
		denying((port) -> {
			application()
				.run("--dynamodb-lock.dynamodb.region=eu-west-1",
						"--dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port)
				.close();
			Matcher warning = NOT_CHECKED.matcher(log.toString());
			assertThat(warning.find()).as(log.toString()).isTrue();
			assertPart("not-checked", port, "WARN " + warning.group(1));
		});
	}

	@ParameterizedTest
	@CsvSource({ "ExpiredTokenException, Check the credentials of the DynamoDbClient",
			"UnrecognizedClientException, Check the credentials of the DynamoDbClient",
			"InternalServerError, Correct what the message names" })
	void theReportSaysWhatToDoAboutWhatDynamoDbAnswered(String code, String cure, CapturedLog log) throws IOException {
		answering(400, (operation) -> "{\"__type\":\"com.amazonaws#" + code + "\",\"message\":\"no\"}",
				(port) -> assertThat(report(log,
						List.of("dynamodb-lock.dynamodb.region=eu-west-1",
								"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port)))
					.contains(code, cure)
					.doesNotContain("network connection"));
	}

	@Test
	void theTableHasTimeToLiveByAnotherAttribute(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockTable.of(dynamoDb.client(), "jobs").timeToLiveAttributeName("ttl").createIfMissing();
		assertReport("other-time-to-live", log, dynamoDb.endpoint().getPort(),
				at(dynamoDb, "dynamodb-lock.table.name=jobs"));
	}

	@Test
	void theTableIsNotActive(CapturedLog log) throws IOException {
		describing(TABLE.formatted("CREATING", ""),
				(port) -> assertReport("not-active", log, port, List.of("dynamodb-lock.dynamodb.region=eu-west-1",
						"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port, "dynamodb-lock.table.timeout=1s")));
	}

	@Test
	void theTableHasEventuallyConsistentReplicas(CapturedLog log) throws IOException {
		describing(TABLE.formatted("ACTIVE", ",\"Replicas\":[{\"RegionName\":\"eu-central-1\"}]"),
				(port) -> assertReport("replicas", log, port, List.of("dynamodb-lock.dynamodb.region=eu-west-1",
						"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port)));
	}

	@Test
	void thereIsNoRegion(CapturedLog log) {
		assertReport("no-region", log, 0, List.of());
	}

	@Test
	void thereIsNoRegionForABeanThatNeedsADynamoDbClient(CapturedLog log) {
		assertThat(report(log, List.of("dynamodb-lock.table.check=false"), NeedsDynamoDb.class))
			.contains("No DynamoDbClient could be created, because no AWS region is configured");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "dynamodb.secret-access-key", "dynamodb.secretKye", "dynamodb.access-key-id",
			"dynamodb.credentials.secret-key", "dynamodb.secret-key[0]", "dynamodb.region.secret-key", "secret-key",
			"dynamodb", "dynamodb.endpoint" })
	void noCredentialIsPrintedWhereverItIsSet(String property, CapturedLog log) {
		String name = property.isEmpty() ? "dynamodb-lock" : "dynamodb-lock." + property;
		String value = property.endsWith("endpoint") ? "http://id:a/hush@localhost:8000" : "hush";
		assertThatException().isThrownBy(() -> application().run("--" + name + "=" + value))
			.extracting(Throwables::getStackTrace)
			.asString()
			.doesNotContain("hush");
		assertThat(log).contains("APPLICATION FAILED TO START", name.toLowerCase(Locale.ROOT)).doesNotContain("hush");
	}

	@Test
	void aMisspeltCredentialIsReportedWithWhereCredentialsBelong(CapturedLog log) {
		String report = report(log, List.of("dynamodb-lock.dynamodb.secret-access-key=hush"));
		assertThat(report).contains("Property: dynamodb-lock.dynamodb.secret-access-key")
			.contains("from property source \"commandLineArgs\"")
			.contains("Credentials are not properties of dynamodb-lock")
			.doesNotContain("Did you mean");
	}

	@ParameterizedTest
	@CsvSource({ "lease-duraton, lease-duration", "tablename, table.name",
			"registry.lease-duratn, registry.lease-duration", "DYNAMODB.REGON, dynamodb.region",
			"events.enable, events.enabled" })
	void aMisspeltPropertyIsReportedWithTheNearestName(String misspelt, String meant, CapturedLog log) {
		assertThat(report(log, List.of("dynamodb-lock." + misspelt + "=9s")))
			.contains("Did you mean: dynamodb-lock." + meant + "\n");
	}

	@Test
	void thereAreNoCredentials(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		String report = report(log, List.of("test.endpoint=" + dynamoDb.endpoint()), ClientWithoutCredentials.class);
		assertThat(report).contains("AWS_ACCESS_KEY_ID");
		assertPart("no-credentials", dynamoDb.endpoint().getPort(), report);
	}

	@Test
	void locksAreSwitchedOffWhereALockClientIsInjected(CapturedLog log) {
		ReferencePage.of("errors.md")
			.has("disabled", block(report(log, List.of("dynamodb-lock.enabled=false"), FirstLock.class)
				.replace(FirstLock.class.getName(), "com.acme.Orders")));
	}

	@Test
	void theEndpointCannotBeReached(CapturedLog log) throws IOException {
		int port;
		try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = closed.getLocalPort();
		}
		assertReport("unreachable", log, port, List.of("dynamodb-lock.dynamodb.region=eu-west-1",
				"dynamodb-lock.dynamodb.endpoint=http://127.0.0.1:" + port));
	}

	@Test
	void aPropertyDoesNotExist(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ReferencePage.of("errors.md")
			.has("unknown-property", block(report(log, at(dynamoDb, "dynamodb-lock.lease-duraton=9s"))));
	}

	@Test
	void anAnnotationCannotWork(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		String report = report(log,
				at(dynamoDb, "dynamodb-lock.table.create=if-missing", "dynamodb-lock.table.name=annotation-report"),
				Orders.class);
		ReferencePage.of("errors.md")
			.has("annotation", block(report.replace(Orders.class.getName(), "com.acme.Orders")
				.replace(Orders.class.getSimpleName() + ".", "Orders.")));
	}

	@Test
	void severalAnnotationsCannotWork(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		assertThat(
				report(log,
						at(dynamoDb, "dynamodb-lock.table.create=if-missing",
								"dynamodb-lock.table.name=annotation-report"),
						Orders.class, Invoices.class))
			.contains("2 lock annotations are invalid")
			.contains("of the annotation on " + Orders.class.getName() + ".fulfil(Object)")
			.contains("of the annotation on " + Invoices.class.getName() + ".send(Object)");
	}

	@Test
	void thereAreSeveralLockClients(CapturedLog log) {
		assertThat(report(log, List.of(), SeveralLockClients.class, Refunds.class))
			.contains("expected single matching bean but found 2: one,other")
			.contains("Correct the problem described for " + Refunds.class.getName() + ".refund(Object)")
			.doesNotContain("-parameters");
	}

	@Test
	void reportsComeBeforeThoseOfSpringBootWhateverTheClassPath() {
		SpringFactoriesLoader.ArgumentResolver context = SpringFactoriesLoader.ArgumentResolver
			.of(BeanFactory.class, new DefaultListableBeanFactory())
			.and(Environment.class, new StandardEnvironment());
		List<FailureAnalyzer> analyzers = new ArrayList<>(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, context, (type, name, otherLibraryIsMissing) -> {
			}));
		Collections.reverse(analyzers);
		AnnotationAwareOrderComparator.sort(analyzers);
		assertThat(analyzers).hasSizeGreaterThan(10).first().isInstanceOf(LockFailureAnalyzer.class);
	}

	private static List<String> at(EmbeddedDynamoDb dynamoDb, String... more) {
		List<String> properties = new ArrayList<>(List.of("dynamodb-lock.dynamodb.region=eu-west-1",
				"dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint()));
		properties.addAll(List.of(more));
		return properties;
	}

	private static void assertReport(String part, CapturedLog log, int port, List<String> properties) {
		assertPart(part, port, report(log, properties));
	}

	private static void assertPart(String part, int port, String printed) {
		ReferencePage.of("errors.md")
			.has(part, block(printed.replace(":" + port, ":8000").replace("localhost:8000", "127.0.0.1:8000")));
	}

	private static String block(String report) {
		return "```\n" + report + "\n```";
	}

	private static String report(CapturedLog log, List<String> properties, Class<?>... more) {
		SpringApplication application = application(more);
		List<String> arguments = new ArrayList<>();
		properties.forEach((property) -> arguments.add("--" + property));
		assertThatException().isThrownBy(() -> application.run(arguments.toArray(String[]::new)));
		Matcher report = REPORT.matcher(log.toString());
		assertThat(report.find()).as(log.toString()).isTrue();
		return report.group(1) + "\n\n" + report.group(2).replaceAll("\\R", "\n");
	}

	private static SpringApplication application(Class<?>... more) {
		List<Class<?>> sources = new ArrayList<>(List.of(more));
		sources.add(Application.class);
		SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	/** Answers every call as a role without permissions is. */
	private static void denying(PortConsumer test) throws IOException {
		answering(400, DENIED::formatted, test);
	}

	/** Answers every call with the description of a table. */
	private static void describing(String table, PortConsumer test) throws IOException {
		answering(200, (operation) -> table, test);
	}

	private static void answering(int status, UnaryOperator<String> answerTo, PortConsumer test) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
			byte[] body = answerTo.apply(target.substring(target.indexOf('.') + 1)).getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
			exchange.sendResponseHeaders(status, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		try {
			test.accept(server.getAddress().getPort());
		}
		finally {
			server.stop(0);
		}
	}

	@FunctionalInterface
	interface PortConsumer {

		void accept(int port) throws IOException;

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Import(Application.class)
	static class FirstLock {

		@Bean
		ApplicationRunner firstLock(LockClient client) {
			return (arguments) -> client.acquire("orders-42");
		}

	}

	@Import(Application.class)
	static class NeedsDynamoDb {

		@Bean
		LockClient lockClient(DynamoDbClient client) {
			return LockClient.builder(client).build();
		}

	}

	@Import(Application.class)
	static class ClientWithoutCredentials {

		@Bean
		DynamoDbClient dynamoDbClient(@Value("${test.endpoint}") URI endpoint) {
			return DynamoDbClient.builder()
				.endpointOverride(endpoint)
				.region(Region.EU_WEST_1)
				.credentialsProvider(NoCredentials.chain())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralLockClients {

		@Bean
		LockClient one() {
			return Mockito.mock(LockClient.class);
		}

		@Bean
		LockClient other() {
			return Mockito.mock(LockClient.class);
		}

	}

	static class Refunds {

		@DistributedLock(name = "refunds", key = "#order")
		void refund(Object order) {
		}

	}

	static class Orders {

		@DistributedLock(name = "orders", key = "#order.id +")
		void fulfil(Object order) {
		}

	}

	static class Invoices {

		@DistributedLock(name = "invoices", key = "#invoice.id +")
		void send(Object invoice) {
		}

	}

}
