/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.ledger;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A node's connection with the ledger: a list of lines that all nodes append to, in a
 * process of its own. It stands for whatever a leader changes in earnest: a database, a
 * queue, another service. Thread-safe.
 */
public final class LedgerClient implements AutoCloseable {

	/** Asks how many lines there are. */
	public static final String COUNT = "count";

	/** Answers that a line was written down as what it is. */
	public static final String ACCEPTED = "accepted";

	/** Answers that a line came from a leader of the past. */
	public static final String REFUSED = "refused";

	private final ReentrantLock lock = new ReentrantLock();

	private final String node;

	private final Socket socket;

	private final BufferedReader answers;

	private final BufferedWriter questions;

	private LedgerClient(String node, Socket socket) throws IOException {
		this.node = node;
		this.socket = socket;
		this.answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
		this.questions = new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Connects with the ledger.
	 * @param address where it listens
	 * @param port where it listens
	 * @param node the name of this node
	 * @return the connection
	 * @throws IOException if it does not listen there
	 */
	public static LedgerClient connect(InetAddress address, int port, String node) throws IOException {
		Socket socket = new Socket(address, port);
		socket.setTcpNoDelay(true);
		return new LedgerClient(node, socket);
	}

	/**
	 * Reads how many lines the ledger has.
	 * @return how many
	 * @throws IOException if the ledger does not answer
	 */
	public int lines() throws IOException {
		return Integer.parseInt(ask(COUNT));
	}

	/**
	 * Writes a line as the leader.
	 * @param token the fencing token of the leadership
	 * @param read what {@link #lines()} gave before this node made sure that it leads
	 * @return {@code false} if the ledger knows a greater token, so that nothing was done
	 * @throws IOException if the ledger does not answer
	 */
	public boolean write(long token, int read) throws IOException {
		return tell(new Line(this.node, Line.What.WORK, token, read, Line.NOTHING));
	}

	/**
	 * Tells that this node is up.
	 * @throws IOException if the ledger does not answer
	 */
	public void tellReady() throws IOException {
		tell(new Line(this.node, Line.What.READY, 0, 0, Line.NOTHING));
	}

	/**
	 * Tells that this node was granted the leadership.
	 * @param token the fencing token of the leadership
	 * @throws IOException if the ledger does not answer
	 */
	public void tellGranted(long token) throws IOException {
		tell(new Line(this.node, Line.What.GRANTED, token, 0, Line.NOTHING));
	}

	/**
	 * Tells that this node has learnt that it leads no more.
	 * @param token the fencing token of the leadership
	 * @param reason why, in one word
	 * @throws IOException if the ledger does not answer
	 */
	public void tellRevoked(long token, String reason) throws IOException {
		tell(new Line(this.node, Line.What.REVOKED, token, 0, reason));
	}

	private boolean tell(Line line) throws IOException {
		String answer = ask(line.toText());
		return switch (answer) {
			case ACCEPTED -> true;
			case REFUSED -> false;
			default -> throw new IOException("The ledger answered \"" + answer + "\" to \"" + line.toText() + "\"");
		};
	}

	private String ask(String question) throws IOException {
		this.lock.lock();
		try {
			this.questions.write(question);
			this.questions.newLine();
			this.questions.flush();
			String answer = this.answers.readLine();
			if (answer == null) {
				throw new EOFException("The ledger has closed the connection");
			}
			return answer;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
