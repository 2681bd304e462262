/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A running demo: its servers, its nodes and the timeline of their events. Used by one
 * thread; nodes' events wait in a queue until that thread takes them in.
 */
public final class Demo implements AutoCloseable {

	private static final Duration START_TIME = Duration.ofMinutes(2);

	private static final Duration STOP_TIME = Duration.ofSeconds(30);

	private static final long REFRESH_MILLISECONDS = 50;

	private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

	private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();

	private final Deque<NodeProcess> servers = new ArrayDeque<>();

	private final Path logs;

	private final Console console;

	private Consumer<Event> listener = (event) -> {
	};

	private @Nullable NodeProcess dynamoDb;

	private String dynamoDbEndpoint = "";

	/** Creates a demo without processes. */
	public Demo(Path logs, Console console) {
		this.logs = logs;
		this.console = console;
	}

	/** Returns the console. */
	public Console console() {
		return this.console;
	}

	/**
	 * Sets what receives the events of the nodes.
	 * @param eventListener is called by the thread that uses this demo
	 */
	public void listen(Consumer<Event> eventListener) {
		this.listener = eventListener;
	}

	/**
	 * Starts DynamoDB Local, for the nodes that are started afterwards.
	 * @return its address
	 * @throws DemoFailedException if it does not come up
	 */
	public String startDynamoDb() throws IOException, InterruptedException, DemoFailedException {
		NodeProcess server = startServer("dynamodb-local", "256m", DynamoDbLocal.class);
		this.dynamoDbEndpoint = server.awaitReady();
		this.dynamoDb = server;
		this.console.say("DynamoDB Local listens at " + this.dynamoDbEndpoint + "; logs are in " + this.logs);
		return this.dynamoDbEndpoint;
	}

	/** Returns DynamoDB Local, which can be paused. */
	public NodeProcess dynamoDb() {
		return Objects.requireNonNull(this.dynamoDb);
	}

	/**
	 * Starts a server that nodes use. It ends after the nodes.
	 * @param memory the limit of its heap, as for {@code -Xmx}
	 * @param mainClass what it runs
	 */
	public NodeProcess startServer(String name, String memory, Class<?> mainClass) throws IOException {
		NodeProcess server = NodeProcess.start(name, this.logs, memory, List.of(mainClass.getName()), (event) -> {
		});
		this.servers.push(server);
		return server;
	}

	/**
	 * Starts a node.
	 * @param name its name, which owns its locks
	 * @param memory the limit of its heap, as for {@code -Xmx}
	 * @param sources the application, and the demo's configuration that observes it
	 * @param properties properties of the application, such as {@code --server.port=8080}
	 */
	public NodeProcess startNode(String name, String memory, List<Class<?>> sources, String... properties)
			throws IOException {
		return startNode(name, memory, System.getProperty("java.class.path"), sources, properties);
	}

	/**
	 * Starts a node as {@link #startNode(String, String, List, String...)} does, with
	 * another class path than this process's.
	 * @param classPath the class path, for example one with another version of a library
	 * @return the node
	 */
	public NodeProcess startNode(String name, String memory, String classPath, List<Class<?>> sources,
			String... properties) throws IOException {
		// The AWS SDK reads region and endpoint, so that applications need no properties.
		List<String> command = new ArrayList<>(
				List.of("-Daws.region=local", "-Daws.endpointUrl=" + this.dynamoDbEndpoint,
						"-Dserver.address=127.0.0.1", "-Dserver.port=0", "-Ddynamodb-lock.owner-name=" + name,
						"-Dspring.main.sources="
								+ sources.stream().map(Class::getName).collect(Collectors.joining(",")),
						ApplicationNode.class.getName()));
		command.addAll(List.of(properties));
		return startNode(name, memory, classPath, command, NodeProcess.Environment.LOCAL);
	}

	/**
	 * Starts a node that is not a Spring Boot application.
	 * @param name its name
	 * @param memory the limit of its heap, as for {@code -Xmx}
	 * @param command options of Java, the main class and its arguments
	 * @param environment what it can reach
	 */
	public NodeProcess startNode(String name, String memory, List<String> command, NodeProcess.Environment environment)
			throws IOException {
		return startNode(name, memory, System.getProperty("java.class.path"), command, environment);
	}

	private NodeProcess startNode(String name, String memory, String classPath, List<String> command,
			NodeProcess.Environment environment) throws IOException {
		NodeProcess node = NodeProcess.start(name, this.logs, memory, classPath, command, environment,
				this.events::add);
		this.nodes.put(name, node);
		return node;
	}

	/** Returns a node that runs. */
	public NodeProcess node(String name) {
		NodeProcess node = this.nodes.get(name);
		if (node == null) {
			throw new IllegalArgumentException("There is no node " + name + " among " + this.nodes.keySet());
		}
		return node;
	}

	/**
	 * Returns the nodes that were started and are not known to have ended.
	 * @return their names
	 */
	public Set<String> nodes() {
		return Set.copyOf(this.nodes.keySet());
	}

	/**
	 * Takes events in until all nodes are up.
	 * @throws DemoFailedException if a node does not come up
	 */
	public void awaitNodes() throws InterruptedException, DemoFailedException {
		await(START_TIME, "not all nodes came up", () -> this.nodes.values().stream().allMatch(NodeProcess::isReady));
	}

	/**
	 * Kills a node by {@code kill -9}, and takes events in until it has ended.
	 * @return the time just before the signal was sent
	 * @throws DemoFailedException if the node does not end
	 */
	public Instant kill(String name) throws InterruptedException, DemoFailedException {
		NodeProcess node = node(name);
		Instant time = Instant.now();
		node.kill();
		this.console.add(time, name, "IS KILLED: kill -9 " + node.pid());
		await(STOP_TIME, "process " + node.pid() + " did not end", () -> !this.nodes.containsKey(name));
		return time;
	}

	/**
	 * Asks all nodes to end, and takes events in until they have.
	 * @throws DemoFailedException if a node does not end
	 */
	public void stopNodes() throws InterruptedException, DemoFailedException {
		this.nodes.values().forEach(NodeProcess::askToEnd);
		await(STOP_TIME, "not all nodes ended", this.nodes::isEmpty);
	}

	/**
	 * Takes events in until there is what is awaited.
	 * @param atMost how long to wait
	 * @param otherwise what to report if the time is over before
	 * @param condition whether there is what is awaited
	 * @throws DemoFailedException if the time is over, or a node ended on its own
	 */
	public void await(Duration atMost, String otherwise, BooleanSupplier condition)
			throws InterruptedException, DemoFailedException {
		if (!proceed(atMost, condition)) {
			throw new DemoFailedException(
					otherwise + " within " + atMost.toSeconds() + " s; see the logs in " + this.logs);
		}
	}

	/**
	 * Takes events in until a condition holds or the time is over.
	 * @param atMost how long at most
	 * @return whether the condition holds
	 * @throws DemoFailedException if a node ended on its own
	 */
	public boolean proceed(Duration atMost, BooleanSupplier condition)
			throws InterruptedException, DemoFailedException {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start >= atMost.toNanos()) {
				return false;
			}
			Event event = this.events.poll(REFRESH_MILLISECONDS, TimeUnit.MILLISECONDS);
			if (event != null) {
				take(event);
			}
			this.console.refresh(Instant.now());
		}
		return true;
	}

	private void take(Event event) throws DemoFailedException {
		if (event.is(Event.ENDED)) {
			NodeProcess node = node(event.node());
			this.nodes.remove(event.node());
			node.requireExpectedEnd(event.number(0));
			node.close();
		}
		this.listener.accept(event);
	}

	/** Ends all nodes, and then the servers. */
	@Override
	public void close() {
		this.nodes.values().forEach(NodeProcess::askToEnd);
		this.nodes.values().forEach(NodeProcess::close);
		this.servers.forEach(NodeProcess::close);
	}

}
