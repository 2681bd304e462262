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
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.github.dynamodblock.faults.checker.History;
import io.github.dynamodblock.faults.checker.Hold;
import io.github.dynamodblock.faults.checker.Loss;
import io.github.dynamodblock.faults.checker.Resource;
import io.github.dynamodblock.faults.checker.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Where workers report, and find what the locks guard, on the loopback address. Its
 * threads are daemons. Thread-safe.
 */
public final class MessageServer implements AutoCloseable {

	private static final int BACKLOG = 200;

	private final History history;

	private final List<Resource> resources;

	private final ServerSocket listener;

	/**
	 * Begins to listen.
	 * @param history where reports go
	 * @param locks how many resources there are
	 * @param clock nanoseconds
	 * @throws IOException if there is no port
	 */
	public MessageServer(History history, int locks, LongSupplier clock) throws IOException {
		this.history = history;
		this.resources = IntStream.range(0, locks).mapToObj((lock) -> new Resource(lock, history, clock)).toList();
		this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
		thread(this::accept);
	}

	public int port() {
		return this.listener.getLocalPort();
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket worker = this.listener.accept();
				worker.setTcpNoDelay(true);
				thread(() -> serve(worker));
			}
			catch (IOException ex) {
				// It is closed, or the worker has gone: the loop finds out.
			}
		}
	}

	private void serve(Socket worker) {
		try (worker;
				ObjectOutputStream out = new ObjectOutputStream(new BufferedOutputStream(worker.getOutputStream()))) {
			out.flush();
			ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(worker.getInputStream()));
			while (true) {
				Serializable answer = receive((Message) in.readObject());
				if (answer != null) {
					out.writeUnshared(answer);
					out.flush();
				}
			}
		}
		catch (IOException ex) {
			// The worker has ended, in whatever way: that is seen elsewhere.
		}
		catch (ClassNotFoundException | RuntimeException ex) {
			this.history.found(Rule.WORKER, "a report could not be read: " + ex);
		}
	}

	/** The answer, if it is a question. */
	private @Nullable Serializable receive(Message message) {
		if (message instanceof Message.Question question) {
			return answer(question);
		}
		if (message instanceof Message.Granted granted) {
			this.history.granted(granted.grant());
		}
		else if (message instanceof Message.SeenHeld seen) {
			this.history.seenHeld(seen.grant(), seen.from(), seen.to());
		}
		else if (message instanceof Message.Releasing releasing) {
			this.history.releasing(releasing.grant());
		}
		else if (message instanceof Message.Ended end) {
			this.history.ended(end.grant(), new Hold.Ending(end.began(), end.ended(), end.outcome()));
		}
		else if (message instanceof Message.Lost lost) {
			this.history.lost(new Loss(lost.grant(), lost.reason(), lost.told(), lost.deadline()));
		}
		else if (message instanceof Message.LossSeen seen) {
			this.history.lossSeen(seen.grant(), seen.at());
		}
		else if (message instanceof Message.Count count) {
			this.history.count(count.what());
		}
		else if (message instanceof Message.Guarded guarded) {
			this.history.guardedWrite(guarded.write());
		}
		else if (message instanceof Message.Problem problem) {
			this.history.found(Rule.WORKER, problem.text());
		}
		return null;
	}

	private Serializable answer(Message.Question question) {
		if (question instanceof Message.Claim claim) {
			return this.resources.get(claim.lock()).claim(claim.token());
		}
		if (question instanceof Message.Read read) {
			return this.resources.get(read.lock()).read();
		}
		Message.Increment write = (Message.Increment) question;
		Resource resource = this.resources.get(write.lock());
		boolean accepted = write.token() != null
				&& resource.incrementFenced(write.grant(), write.token(), write.read());
		if (write.plain()) {
			resource.incrementPlain(write.grant(), write.read(), write.looked());
		}
		return accepted;
	}

	private static void thread(Runnable task) {
		Thread thread = new Thread(task, "messages");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

}
