/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.dynamodblock.samples.leaderelection.LeaderElectionApplication;
import io.github.dynamodblock.samples.support.ChildProcess;

/**
 * The nodes: processes of the application. Used by one thread.
 */
final class Nodes implements AutoCloseable {

	private final Map<String, ChildProcess> running = new LinkedHashMap<>();

	private final Path logs;

	private final List<String> arguments;

	private final Consumer<News.Gone> listener;

	/**
	 * Prepares nodes without starting any.
	 * @param logs the folder for their logs
	 * @param arguments what all of them are given
	 * @param listener told when one has ended, on a thread of its own
	 */
	Nodes(Path logs, List<String> arguments, Consumer<News.Gone> listener) {
		this.logs = logs;
		this.arguments = arguments;
		this.listener = listener;
	}

	void start(String node, List<String> ownArguments) throws IOException {
		List<String> all = new ArrayList<>(this.arguments);
		all.add("--dynamodb-lock.owner-name=" + node);
		all.addAll(ownArguments);
		this.running.put(node, ChildProcess.start(node, log(node), "96m", LeaderElectionApplication.class, all,
				new ChildProcess.Listener() {

					@Override
					public void onLine(String line) {
						// It is in the log; what matters is in the ledger.
					}

					@Override
					public void onEnd(Instant time, int status) {
						Nodes.this.listener.accept(new News.Gone(node, time, status));
					}

				}));
	}

	Path log(String node) {
		return this.logs.resolve(node + ".log");
	}

	/** Those that were started and are not known to have ended. */
	Set<String> names() {
		return Set.copyOf(this.running.keySet());
	}

	ChildProcess process(String node) {
		ChildProcess process = this.running.get(node);
		if (process == null) {
			throw new IllegalArgumentException("There is no node " + node + " among " + this.running.keySet());
		}
		return process;
	}

	/** Forgets a node that has ended. */
	void remove(String node) {
		process(node).close();
		this.running.remove(node);
	}

	/** Asks all to end. News of their ends follow. */
	void askToEnd() {
		this.running.values().forEach(ChildProcess::askToEnd);
	}

	/** Ends all. */
	@Override
	public void close() {
		askToEnd();
		this.running.values().forEach(ChildProcess::close);
	}

}
