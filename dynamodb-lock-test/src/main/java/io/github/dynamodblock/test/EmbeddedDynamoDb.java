/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * A DynamoDB Local inside this JVM, for tests and demonstrations. If you only need locks,
 * use {@link io.github.dynamodblock.test.memory.InMemoryDynamoDb} instead.
 *
 * <p>
 * DynamoDB Local has a separate license, and this module does not include it. Add
 * {@code software.amazon.dynamodb:DynamoDBLocal} with scope {@code test}.
 *
 * <p>
 * It keeps its tables in memory, listens only on the loopback address, sends no telemetry
 * and logs nothing below ERROR unless a level is set for its loggers
 * ({@code software.amazon.dynamodb}). Each instance is a separate server with separate
 * tables; a start takes about a second. <pre>{@code
 * try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
 *     dynamoDb.client().createTable(...);
 * }
 * }</pre>
 *
 * <p>
 * DynamoDB Local is slightly stricter than DynamoDB: a table name needs at least three
 * characters, and tags are not supported.
 *
 * <p>
 * A server that is not closed does not keep the JVM alive. When only the threads of such
 * servers are left, the servers are closed and the JVM ends.
 *
 * <p>
 * Thread-safe.
 */
public class EmbeddedDynamoDb implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedDynamoDb.class);

	private static final Region REGION = Region.US_EAST_1;

	private static final int MAX_CONNECTIONS = 200;

	private static final String DYNAMODB_LOCAL = "software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler";

	/** The tested version. */
	private static final String VERSION = "3.3.1";

	private final LoopbackServer server;

	private final @Nullable SharedServer shared;

	private final String accessKey;

	private final DynamoDbClient client;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final LastAliveWatch watch;

	private volatile Runnable lastAliveAction = this::close;

	EmbeddedDynamoDb(LoopbackServer server, @Nullable SharedServer shared, String accessKey) {
		this.server = server;
		this.shared = shared;
		this.accessKey = accessKey;
		this.client = newClient((builder) -> {
		});
		this.watch = LastAliveWatch.start(() -> this.lastAliveAction.run());
	}

	/**
	 * Starts a server on a free port.
	 * @return the running server, which the caller closes
	 * @throws IllegalStateException if DynamoDB Local is not on the class path or does
	 * not start; the message says why
	 */
	public static EmbeddedDynamoDb start() {
		return start(0);
	}

	/**
	 * Starts a server on the given port.
	 * @param port the port, 1 to 65535, or 0 for any free one
	 * @return the running server, which the caller closes
	 * @throws IllegalArgumentException if the port is out of range
	 * @throws IllegalStateException if DynamoDB Local does not start, for example because
	 * the port is in use; the message says why
	 */
	public static EmbeddedDynamoDb start(int port) {
		return start(port, null);
	}

	/**
	 * Starts a server on the given port that keeps its tables in files, where the next
	 * server finds them.
	 * @param port the port, 1 to 65535, or 0 for any free one
	 * @param directory contains the files, and must exist; {@code null} keeps the tables
	 * in memory
	 * @return the running server, which the caller closes
	 * @throws IllegalArgumentException if the port is out of range, or the directory does
	 * not exist
	 * @throws IllegalStateException if DynamoDB Local is not on the class path or does
	 * not start; the message says why
	 */
	public static EmbeddedDynamoDb start(int port, @Nullable Path directory) {
		if (port < 0 || port > 65535) {
			throw new IllegalArgumentException("port is " + port + ", expected 0 (any free port) to 65535");
		}
		if (directory != null && !Files.isDirectory(directory)) {
			throw new IllegalArgumentException("directory is " + directory + ", expected an existing directory");
		}
		requireDynamoDbLocal();
		LoopbackServer server = LoopbackServer.start(port, directory, true);
		try {
			return new EmbeddedDynamoDb(server, null, "local");
		}
		catch (RuntimeException ex) {
			server.close();
			throw ex;
		}
	}

	/**
	 * Returns a new database of a server that all callers of this method in the JVM
	 * share. Only the database's own clients see its tables. The server starts with the
	 * first database and stops when the last one is closed. The auto-configuration uses
	 * this method, so a second application context does not start a second server.
	 * @return the database, which the caller closes
	 * @throws IllegalStateException if DynamoDB Local is not on the class path or does
	 * not start; the message says why
	 */
	public static EmbeddedDynamoDb shared() {
		return of(SharedServer.INSTANCE);
	}

	static EmbeddedDynamoDb of(SharedServer shared) {
		requireDynamoDbLocal();
		LoopbackServer server = shared.join();
		try {
			return new EmbeddedDynamoDb(server, shared, shared.accessKey());
		}
		catch (RuntimeException ex) {
			shared.leave(null);
			throw ex;
		}
	}

	/**
	 * Returns the address of this server.
	 * @return an address such as {@code http://127.0.0.1:49152}. It accepts any
	 * credentials and any region. All of them see the same tables, except on a
	 * {@linkplain #shared() shared} server.
	 */
	public URI endpoint() {
		return this.server.endpoint();
	}

	/**
	 * Returns the client of this server that all callers share. It is closed with the
	 * server.
	 * @return the client, the same for every call
	 */
	public DynamoDbClient client() {
		return this.client;
	}

	/**
	 * Creates another client of this server, which the caller closes.
	 * @param customizer receives the builder after endpoint, region and credentials are
	 * set, for example to add interceptors or time limits
	 * @return a new client
	 */
	public DynamoDbClient newClient(Consumer<? super DynamoDbClientBuilder> customizer) {
		DynamoDbClientBuilder builder = DynamoDbClient.builder()
			.endpointOverride(endpoint())
			.region(REGION)
			.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(this.accessKey, "local")))
			// Neither works with a custom endpoint, but both may be set in the
			// environment.
			.fipsEnabled(false)
			.dualstackEnabled(false)
			.httpClientBuilder(httpClient());
		customizer.accept(builder);
		return builder.build();
	}

	/**
	 * Sets the action that replaces {@link #close()} when only the threads of embedded
	 * servers keep the JVM alive. An application can use it to end in an orderly way
	 * while this server still answers. The action must close this server; otherwise, the
	 * JVM does not end.
	 * @param action runs once, on a thread that keeps the JVM alive until the action
	 * returns
	 */
	public void onLastAlive(Runnable action) {
		this.lastAliveAction = action;
	}

	/**
	 * Stops the server, closes {@link #client()} and forgets all tables. The port is free
	 * and the server's threads have ended when this returns. A {@linkplain #shared()
	 * shared} server stops with its last database. Closing again does nothing.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.watch.stop();
		if (this.shared == null) {
			this.client.close();
			this.server.close();
			return;
		}
		boolean empty = deleteTables();
		this.client.close();
		this.shared.leave(empty ? this.accessKey : null);
	}

	private static void requireDynamoDbLocal() {
		try {
			Class.forName(DYNAMODB_LOCAL, false, EmbeddedDynamoDb.class.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("""
					DynamoDB Local is not on the class path. Add it with scope test:

					    <groupId>software.amazon.dynamodb</groupId>
					    <artifactId>DynamoDBLocal</artifactId>
					    <version>%s</version>

					Its license, Amazon's DynamoDB Local License Agreement, requires an AWS account and forbids \
					distribution. Or use InMemoryDynamoDb, which also supports locks.""".formatted(VERSION), ex);
		}
	}

	private boolean deleteTables() {
		try {
			this.client.listTablesPaginator()
				.tableNames()
				.forEach((table) -> this.client.deleteTable((delete) -> delete.tableName(table)));
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("Tables of an embedded DynamoDB were not deleted; they disappear when the server stops", ex);
			return false;
		}
	}

	private static Apache5HttpClient.Builder httpClient() {
		// A proxy from the environment may not reach this machine.
		ProxyConfiguration noProxy = ProxyConfiguration.builder()
			.useSystemPropertyValues(false)
			.useEnvironmentVariableValues(false)
			.build();
		return Apache5HttpClient.builder()
			.proxyConfiguration(noProxy)
			.maxConnections(MAX_CONNECTIONS)
			.connectionTimeout(Duration.ofSeconds(5));
	}

}
