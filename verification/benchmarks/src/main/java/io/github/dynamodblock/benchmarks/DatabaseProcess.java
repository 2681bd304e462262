/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.DynamoDbLocalServer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * DynamoDB Local in a process of its own, on a free port of the loopback interface.
 */
final class DatabaseProcess implements AutoCloseable {

	private static final int MAX_CONNECTIONS = 200;

	private static final long END_SECONDS = 10;

	private static final String READY = "DynamoDB Local is ready at ";

	private final Process process;

	private final URI endpoint;

	private final Thread endWithThisProcess;

	private DatabaseProcess(Process process, URI endpoint, Thread endWithThisProcess) {
		this.process = process;
		this.endpoint = endpoint;
		this.endWithThisProcess = endWithThisProcess;
	}

	/**
	 * Starts it and waits until it listens.
	 * @return the running process
	 * @throws IOException if it does not start; what it says about that is on the
	 * standard error
	 */
	static DatabaseProcess start() throws IOException {
		List<String> command = ChildProcess.java();
		command.addAll(List.of("-Xms512m", "-Xmx512m", "-cp", System.getProperty("java.class.path"),
				DynamoDbLocalServer.class.getName(), "--port", "0"));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		Thread endWithThisProcess = new Thread(process::destroy, "dynamodb-local-end");
		Runtime.getRuntime().addShutdownHook(endWithThisProcess);
		// Not closed: it says nothing more, and its output ends with it.
		BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
		@Nullable String line = output.readLine();
		if (line == null || !line.startsWith(READY)) {
			process.destroy();
			throw new IOException("DynamoDB Local did not start: expected \"" + READY + "...\", got "
					+ ((line == null) ? "nothing" : "\"" + line + "\""));
		}
		return new DatabaseProcess(process, URI.create(line.substring(READY.length())), endWithThisProcess);
	}

	/**
	 * A client of the database whose calls take {@link AddedLatency} longer.
	 * @param interceptors what else is done with each call, before the added latency
	 * @return a new client, which the caller closes
	 */
	DynamoDbClient newClient(ExecutionInterceptor... interceptors) {
		return newFastClient(Stream.concat(Stream.of(interceptors), Stream.of(new AddedLatency()))
			.toArray(ExecutionInterceptor[]::new));
	}

	/**
	 * A client of the database whose calls take no longer than they must.
	 * @param interceptors what is done with each call
	 * @return a new client, which the caller closes
	 */
	DynamoDbClient newFastClient(ExecutionInterceptor... interceptors) {
		return configure(DynamoDbClient.builder(), interceptors).httpClientBuilder(httpClient()).build();
	}

	/**
	 * An asynchronous client of the database whose calls take no longer than they must.
	 * @param interceptors what is done with each call, on the thread that makes it
	 * @return a new client, which the caller closes
	 */
	DynamoDbAsyncClient newFastAsyncClient(ExecutionInterceptor... interceptors) {
		return configure(DynamoDbAsyncClient.builder(), interceptors)
			.httpClientBuilder(NettyNioAsyncHttpClient.builder()
				.proxyConfiguration(software.amazon.awssdk.http.nio.netty.ProxyConfiguration.builder()
					.useSystemPropertyValues(false)
					.useEnvironmentVariableValues(false)
					.build())
				.maxConcurrency(MAX_CONNECTIONS))
			.build();
	}

	private <B extends AwsClientBuilder<B, ?>> B configure(B builder, ExecutionInterceptor... interceptors) {
		return builder.endpointOverride(this.endpoint)
			.region(Region.US_EAST_1)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
			.overrideConfiguration((override) -> List.of(interceptors).forEach(override::addExecutionInterceptor));
	}

	private static Apache5HttpClient.Builder httpClient() {
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		return Apache5HttpClient.builder()
			.proxyConfiguration(noProxy)
			.maxConnections(MAX_CONNECTIONS)
			.connectionTimeout(Duration.ofSeconds(5));
	}

	/**
	 * Creates a lock table if there is none of that name.
	 * @param name the table's name
	 */
	void createTable(String name) {
		createTable(name, "key");
	}

	/**
	 * Creates a table for another lock client if there is none of that name.
	 * @param name the table's name
	 * @param partitionKey the name of the only key attribute
	 */
	void createTable(String name, String partitionKey) {
		try (DynamoDbClient client = newFastClient()) {
			LockTable.of(client, name).partitionKeyName(partitionKey).createIfMissing();
		}
	}

	URI endpoint() {
		return this.endpoint;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		Runtime.getRuntime().removeShutdownHook(this.endWithThisProcess);
	}

}
