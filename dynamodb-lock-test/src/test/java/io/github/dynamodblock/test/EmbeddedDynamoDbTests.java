/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

@Isolated("It looks at the threads and at the log of the whole JVM")
class EmbeddedDynamoDbTests {

	private static final Map<String, AttributeValue> HELD = Map.of("key", AttributeValue.fromS("orders"), "ownerName",
			AttributeValue.fromS("somebody"));

	@Test
	void refusedUpdateReturnsTheItemThatIsThere() {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
			TestTable.create(dynamoDb.client());
			TestTable.put(dynamoDb.client(), HELD);
			assertThat(TestTable.updateRefused(dynamoDb.client(), "orders").item()).isEqualTo(HELD);
		}
	}

	@Test
	void serversDoNotSeeEachOthersTables() {
		try (EmbeddedDynamoDb one = EmbeddedDynamoDb.start(); EmbeddedDynamoDb other = EmbeddedDynamoDb.start()) {
			assertThat(one.endpoint()).isNotEqualTo(other.endpoint());
			TestTable.create(one.client());
			assertThat(one.client().listTables().tableNames()).containsExactly(TestTable.NAME);
			assertThat(other.client().listTables().tableNames()).isEmpty();
		}
	}

	@Test
	void startsOfOtherServersDisturbNoRequest() throws Exception {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
			AtomicBoolean started = new AtomicBoolean();
			Runnable requests = () -> {
				while (!started.get()) {
					dynamoDb.client().listTables();
				}
			};
			CompletableFuture<Void> clients = CompletableFuture
				.allOf(Stream.generate(() -> CompletableFuture.runAsync(requests))
					.limit(4)
					.toArray(CompletableFuture[]::new));
			try {
				for (int server = 0; server < 2000; server++) {
					LoopbackServer.dynamoDb(null, true).close();
				}
			}
			finally {
				started.set(true);
			}
			assertThat(clients).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	@Test
	void listensOnTheLoopbackAddressOnly() throws Exception {
		Optional<InetAddress> outside = addressOtherThanLoopback();
		assumeThat(outside).as("an address other than loopback").isPresent();
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
			int port = dynamoDb.endpoint().getPort();
			assertThatNoException().isThrownBy(() -> connect(InetAddress.getLoopbackAddress(), port));
			assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(outside.get(), port));
		}
	}

	@Test
	void closeFreesThePortAndEndsEveryThread() throws Exception {
		Set<Thread> before = serverThreads();
		EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
		int port = dynamoDb.endpoint().getPort();
		TestTable.create(dynamoDb.client());
		TestTable.put(dynamoDb.client(), HELD);
		Set<Thread> started = serverThreads();
		started.removeAll(before);
		assertThat(started).isNotEmpty();
		dynamoDb.close();
		await().untilAsserted(() -> assertThat(started).noneMatch(Thread::isAlive));
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			assertThat(socket.getLocalPort()).isEqualTo(port);
		}
	}

	@Test
	void closingTwiceDoesNothing() {
		EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
		dynamoDb.close();
		assertThatNoException().isThrownBy(dynamoDb::close);
	}

	@Test
	void takenPortIsNamed() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			assertThatIllegalStateException().isThrownBy(() -> EmbeddedDynamoDb.start(socket.getLocalPort()))
				.withMessageContaining("127.0.0.1:" + socket.getLocalPort())
				.withMessageContaining("Choose another port");
		}
	}

	@Test
	void portOutOfRangeIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedDynamoDb.start(65536))
			.withMessage("port is 65536, expected 0 (any free port) to 65535");
	}

	@Test
	void missingDirectoryIsRefused(@TempDir Path directory) {
		Path missing = directory.resolve("missing");
		assertThatIllegalArgumentException().isThrownBy(() -> EmbeddedDynamoDb.start(0, missing))
			.withMessage("directory is " + missing + ", expected an existing directory");
	}

	@Test
	void clientsTakeInterceptors() {
		AtomicInteger calls = new AtomicInteger();
		ExecutionInterceptor counter = new ExecutionInterceptor() {
			@Override
			public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
				calls.incrementAndGet();
			}
		};
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				DynamoDbClient counted = dynamoDb
					.newClient((client) -> client.overrideConfiguration((c) -> c.addExecutionInterceptor(counter)))) {
			TestTable.create(dynamoDb.client());
			assertThat(counted.listTables().tableNames()).containsExactly(TestTable.NAME);
		}
		assertThat(calls).hasValue(1);
	}

	@Test
	void serverLogsNothingForARefusedUpdate() {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(); LogRecorder log = new LogRecorder()) {
			TestTable.create(dynamoDb.client());
			TestTable.put(dynamoDb.client(), HELD);
			assertThat(TestTable.updateRefused(dynamoDb.client(), "orders")).isNotNull();
			assertThat(log.ofTheServer()).isEmpty();
		}
	}

	@Test
	void serverStaysQuietWhenLoggingIsConfiguredAnew() {
		Logger server = (Logger) LoggerFactory.getLogger("software.amazon.dynamodb");
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(); LogRecorder log = new LogRecorder()) {
			server.setLevel(null);
			assertThat(dynamoDb.client().listTables().tableNames()).isEmpty();
			assertThat(log.ofTheServer()).isEmpty();
		}
	}

	private static void connect(InetAddress address, int port) throws IOException {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(address, port), 5_000);
		}
	}

	private static Optional<InetAddress> addressOtherThanLoopback() throws SocketException {
		return NetworkInterface.networkInterfaces()
			.flatMap(NetworkInterface::inetAddresses)
			.filter((address) -> address instanceof Inet4Address && !address.isLoopbackAddress())
			.findFirst();
	}

	private static Set<Thread> serverThreads() {
		Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
		threads.removeIf((thread) -> thread.getThreadGroup() == null
				|| !thread.getThreadGroup().getName().equals("embedded-dynamodb"));
		return threads;
	}

	/** Records what is logged while it is open. */
	private static final class LogRecorder implements AutoCloseable {

		private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

		private final ListAppender<ILoggingEvent> events = new ListAppender<>();

		LogRecorder() {
			this.events.start();
			this.root.addAppender(this.events);
		}

		List<String> ofTheServer() {
			return List.copyOf(this.events.list)
				.stream()
				.filter((event) -> event.getLoggerName().startsWith("software.amazon.dynamodb")
						|| event.getLoggerName().startsWith("org.eclipse.jetty"))
				.map(ILoggingEvent::toString)
				.toList();
		}

		@Override
		public void close() {
			this.root.detachAppender(this.events);
		}

	}

}
