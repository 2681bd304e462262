/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;
import io.github.dynamodblock.samples.leaderelection.ledger.Line;

/**
 * The ledger: puts the lines of all nodes in one order, and refuses work under a token
 * that is smaller than one it knows. Listens on the loopback interface. Thread-safe.
 */
final class Ledger implements AutoCloseable {

	private final List<Entry> entries = new ArrayList<>();

	private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

	private final ServerSocket server;

	private final Consumer<Entry> listener;

	private long greatestToken;

	private volatile boolean closed;

	private Ledger(ServerSocket server, Consumer<Entry> listener) {
		this.server = server;
		this.listener = listener;
	}

	/**
	 * Opens an empty ledger.
	 * @param listener told of every line, in their order; it must not block
	 * @throws IOException if there is no free port
	 */
	static Ledger open(Consumer<Entry> listener) throws IOException {
		Ledger ledger = new Ledger(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), listener);
		startThread("ledger", ledger::acceptConnections);
		return ledger;
	}

	private static void startThread(String name, Runnable body) {
		Thread thread = new Thread(body, name);
		thread.setDaemon(true);
		thread.start();
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** All lines so far, in their order. */
	synchronized List<Entry> entries() {
		return List.copyOf(this.entries);
	}

	private void acceptConnections() {
		try {
			while (true) {
				Socket connection = this.server.accept();
				this.connections.add(connection);
				startThread("ledger-connection", () -> serve(connection));
			}
		}
		catch (IOException ex) {
			complain("accepts no node any more", ex);
		}
	}

	private void serve(Socket connection) {
		try (connection;
				BufferedReader questions = new BufferedReader(
						new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
				OutputStream answers = connection.getOutputStream()) {
			connection.setTcpNoDelay(true);
			for (String question = questions.readLine(); question != null; question = questions.readLine()) {
				answers.write((answer(question) + "\n").getBytes(StandardCharsets.UTF_8));
			}
		}
		catch (SocketException ex) {
			// The node was killed: the trial tells of that itself.
		}
		catch (IOException ex) {
			complain("has lost a node", ex);
		}
		finally {
			this.connections.remove(connection);
		}
	}

	private synchronized String answer(String question) {
		if (question.equals(LedgerClient.COUNT)) {
			return Integer.toString(this.entries.size());
		}
		try {
			return add(Line.parse(question)).accepted() ? LedgerClient.ACCEPTED : LedgerClient.REFUSED;
		}
		catch (IllegalArgumentException ex) {
			return ex.toString();
		}
	}

	private Entry add(Line line) {
		boolean accepted = true;
		if (line.what() == Line.What.GRANTED || line.what() == Line.What.WORK) {
			accepted = line.token() >= this.greatestToken;
			this.greatestToken = Math.max(line.token(), this.greatestToken);
		}
		Entry entry = new Entry(this.entries.size() + 1, Instant.now(), line, accepted);
		this.entries.add(entry);
		this.listener.accept(entry);
		return entry;
	}

	private void complain(String what, IOException ex) {
		if (!this.closed) {
			System.err.println("The ledger " + what + ": " + ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.server.close();
		for (Socket connection : this.connections) {
			connection.close();
		}
	}

}
