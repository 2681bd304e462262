/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.samples.scheduledjobs.ScheduledJobsApplication;
import io.github.dynamodblock.samples.scheduledjobs.journal.Event;
import io.github.dynamodblock.samples.support.ChildProcess;
import org.jspecify.annotations.Nullable;

/**
 * The nodes: processes of the application. Used by one thread.
 */
final class Nodes implements AutoCloseable {

	private final BlockingQueue<News> news = new LinkedBlockingQueue<>();

	private final Map<String, ChildProcess> running = new LinkedHashMap<>();

	private final Path logs;

	private final String endpoint;

	/**
	 * Prepares nodes without starting any.
	 * @param logs the folder for their logs
	 * @param endpoint where their DynamoDB is
	 */
	Nodes(Path logs, String endpoint) {
		this.logs = logs;
		this.endpoint = endpoint;
	}

	void start(String node) throws IOException {
		List<String> arguments = List.of("--dynamodb-lock.owner-name=" + node,
				"--dynamodb-lock.dynamodb.endpoint=" + this.endpoint, "--dynamodb-lock.dynamodb.region=local",
				"--quickstart.supervised=true");
		this.running.put(node, ChildProcess.start(node, log(node), "96m", ScheduledJobsApplication.class, arguments,
				new ChildProcess.Listener() {

					@Override
					public void onLine(String line) {
						if (Event.isEvent(line)) {
							Nodes.this.news.add(new News.Written(line));
						}
					}

					@Override
					public void onEnd(Instant time, int status) {
						Nodes.this.news.add(new News.Gone(node, time, status));
					}

				}));
	}

	Path log(String node) {
		return this.logs.resolve(node + ".log");
	}

	String endpoint() {
		return this.endpoint;
	}

	/**
	 * The nodes that were started and are not known to have gone.
	 */
	Set<String> names() {
		return this.running.keySet();
	}

	long pid(String node) {
		return child(node).pid();
	}

	/**
	 * Gives all nodes an order.
	 */
	void order(String order) throws IOException {
		for (ChildProcess child : this.running.values()) {
			child.send(order);
		}
	}

	/**
	 * Sends a node {@code kill -9}. News of its end follow.
	 */
	void kill(String node) {
		child(node).kill();
	}

	/**
	 * Forgets a node that has gone.
	 */
	void remove(String node) {
		child(node).close();
		this.running.remove(node);
	}

	/**
	 * Asks all nodes to end. News of their ends follow.
	 */
	void askToEnd() {
		this.running.values().forEach(ChildProcess::askToEnd);
	}

	/**
	 * Waits for the next news.
	 * @return the news, or {@code null} if none came in that time
	 */
	@Nullable News next(long milliseconds) throws InterruptedException {
		return this.news.poll(milliseconds, TimeUnit.MILLISECONDS);
	}

	/**
	 * Ends all nodes.
	 */
	@Override
	public void close() {
		askToEnd();
		this.running.values().forEach(ChildProcess::close);
	}

	private ChildProcess child(String node) {
		ChildProcess child = this.running.get(node);
		if (child == null) {
			throw new IllegalArgumentException("There is no node " + node + " among " + this.running.keySet());
		}
		return child;
	}

}
