/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A worker's connection to the coordinator. Thread-safe; one message at a time.
 */
public final class Connection implements AutoCloseable {

	/** So often the stream forgets what it has written, or it would grow for ever. */
	private static final int RESET_AFTER = 100;

	private final Socket socket;

	private final ObjectOutputStream out;

	private final ObjectInputStream in;

	private int written;

	/**
	 * Connects.
	 * @param port the coordinator's, on the loopback address
	 * @throws IOException if nobody is there
	 */
	public Connection(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.out = new ObjectOutputStream(new BufferedOutputStream(this.socket.getOutputStream()));
		this.out.flush();
		this.in = new ObjectInputStream(new BufferedInputStream(this.socket.getInputStream()));
	}

	/**
	 * Says something that is not answered.
	 * @param message the message
	 * @throws IOException if the coordinator has gone
	 */
	public synchronized void tell(Message message) throws IOException {
		if (++this.written % RESET_AFTER == 0) {
			this.out.reset();
		}
		this.out.writeObject(message);
		this.out.flush();
	}

	/**
	 * Asks, and waits for the answer.
	 * @param <T> the answer's type
	 * @param question the question
	 * @param type the answer's type
	 * @return the answer
	 * @throws IOException if the coordinator has gone
	 */
	public synchronized <T> T ask(Message.Question question, Class<T> type) throws IOException {
		tell(question);
		try {
			return type.cast(this.in.readObject());
		}
		catch (ClassNotFoundException ex) {
			throw new IOException("The coordinator gave an answer of an unknown type", ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
