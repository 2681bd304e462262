/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is seen only from outside a JVM: what it prints, that it ends, its exit status.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class ServerProcessTests {

	private final List<Process> processes = new ArrayList<>();

	@AfterEach
	void killProcesses() {
		this.processes.forEach(Process::destroyForcibly);
	}

	@Test
	void serverPrintsItsAddressServesAndEndsWhenToldTo() throws Exception {
		Process server = java(DynamoDbLocalServer.class, "--port", "0");
		BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
		String ready = output.readLine();
		assertThat(ready).startsWith("DynamoDB Local is ready at http://127.0.0.1:");
		URI endpoint = URI.create(ready.substring(ready.lastIndexOf(' ') + 1));
		try (DynamoDbClient client = client(endpoint)) {
			TestTable.create(client);
			assertThat(client.listTables().tableNames()).containsExactly(TestTable.NAME);
		}
		server.toHandle().destroy();
		assertThat(server.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
		assertThat(output.readLine()).isNull();
	}

	@Test
	void serverWithADirectoryHasTheTablesOfTheOneBefore(@TempDir Path directory) throws Exception {
		Process first = java(DynamoDbLocalServer.class, "--directory", directory.toString());
		try (DynamoDbClient client = client(endpoint(first))) {
			TestTable.create(client);
		}
		first.destroyForcibly().waitFor();
		Process second = java(DynamoDbLocalServer.class, "--port", "0", "--directory", directory.toString());
		try (DynamoDbClient client = client(endpoint(second))) {
			assertThat(client.listTables().tableNames()).containsExactly(TestTable.NAME);
		}
	}

	@Test
	void serverInADirectoryThatDoesNotExistSaysSoAndEndsWithStatus2(@TempDir Path directory) throws Exception {
		Process server = java(DynamoDbLocalServer.class, "--directory", directory.resolve("none").toString());
		assertThat(output(server)).first().asString().contains("expected an existing directory");
		assertThat(server.waitFor()).isEqualTo(2);
	}

	@Test
	void serverOnATakenPortSaysSoAndEndsWithStatus1() throws Exception {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Process server = java(DynamoDbLocalServer.class, "--port", Integer.toString(socket.getLocalPort()));
			assertThat(output(server)).hasSize(1).first().asString().contains("Choose another port");
			assertThat(server.waitFor()).isEqualTo(1);
		}
	}

	@Test
	void unknownOptionEndsWithStatus2AndTheUsage() throws Exception {
		Process server = java(DynamoDbLocalServer.class, "--prot", "8000");
		assertThat(output(server)).first().asString().isEqualTo("Unknown options: --prot 8000");
		assertThat(server.waitFor()).isEqualTo(2);
	}

	@Test
	void forgottenServerDoesNotKeepTheJvmAlive() throws Exception {
		Process application = java(ForgetfulApplication.class);
		assertThat(output(application)).containsExactly("main returns");
		assertThat(application.waitFor()).isZero();
	}

	@Test
	void exitStatusOfAFailedMainStaysWhatItIs() throws Exception {
		Process application = java(ForgetfulApplication.class, "no luck");
		assertThat(output(application)).contains("main returns").anyMatch((line) -> line.contains("no luck"));
		assertThat(application.waitFor()).isEqualTo(1);
	}

	@Test
	void withoutDynamoDbLocalTheServerSaysWhatToAdd() throws Exception {
		String without = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((path) -> !path.contains("DynamoDBLocal"))
			.collect(Collectors.joining(File.pathSeparator));
		Process server = java(without, DynamoDbLocalServer.class);
		assertThat(output(server))
			.contains("    <groupId>software.amazon.dynamodb</groupId>", "    <artifactId>DynamoDBLocal</artifactId>",
					"    <version>" + System.getProperty("dynamodb-local.version") + "</version>")
			.anyMatch((line) -> line.contains("License Agreement"))
			.anyMatch((line) -> line.contains("InMemoryDynamoDb"));
		assertThat(server.waitFor()).isEqualTo(1);
	}

	private Process java(Class<?> main, String... arguments) throws IOException {
		return java(System.getProperty("java.class.path"), main, arguments);
	}

	private Process java(String classPath, Class<?> main, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		if (Runtime.version().feature() > 21) {
			command.add("--enable-native-access=ALL-UNNAMED");
		}
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, main.getName()));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().remove("JAVA_TOOL_OPTIONS");
		Process process = builder.start();
		this.processes.add(process);
		return process;
	}

	private static URI endpoint(Process server) throws IOException {
		String ready = server.inputReader(StandardCharsets.UTF_8).readLine();
		return URI.create(ready.substring(ready.lastIndexOf(' ') + 1));
	}

	private static List<String> output(Process process) {
		return process.inputReader(StandardCharsets.UTF_8).lines().toList();
	}

	private static DynamoDbClient client(URI endpoint) {
		return DynamoDbClient.builder()
			.endpointOverride(endpoint)
			.region(Region.EU_CENTRAL_1)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
			.build();
	}

}
