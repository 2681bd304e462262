/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network between a client and DynamoDB Local, on the loopback address: it can be
 * slow, cut, or swallow everything, and {@link #heal heals} again. Thread-safe; its
 * threads are daemons.
 */
public final class TcpProxy implements AutoCloseable {

	private static final int BUFFER = 16_384;

	private final InetSocketAddress target;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicInteger refused = new AtomicInteger();

	private final AtomicInteger bytesKept = new AtomicInteger();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private State state = State.PASSING;

	private Duration delay = Duration.ZERO;

	private TcpProxy(URI target) throws IOException {
		this.target = new InetSocketAddress(target.getHost(), target.getPort());
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		thread("accept", this::accept);
	}

	/** A proxy in front of the tests' DynamoDB Local, which passes everything on. */
	public static TcpProxy start() {
		try {
			return new TcpProxy(TestDynamoDb.endpoint());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The proxy could not listen on the loopback address", ex);
		}
	}

	/** Where a client has to connect to. */
	public URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.listener.getLocalPort());
	}

	/** Resets all connections, and all new ones. */
	public void cut() {
		change(State.CUT, Duration.ZERO);
		this.sockets.forEach(TcpProxy::reset);
	}

	/**
	 * Lets nothing through, and tells nobody. What was sent meanwhile arrives when the
	 * network heals, although its sender may have given it up: so it is with TCP.
	 */
	public void blackHole() {
		change(State.BLACK_HOLE, Duration.ZERO);
	}

	/** Lets everything take that much longer, in both directions. */
	public void slow(Duration delay) {
		change(State.PASSING, delay);
	}

	/** Passes everything on again. */
	public void heal() {
		change(State.PASSING, Duration.ZERO);
	}

	/** How many connections were reset because the network is cut. */
	public int refused() {
		return this.refused.get();
	}

	/** How many bytes are on their way through the black hole. */
	public int bytesKept() {
		return this.bytesKept.get();
	}

	@Override
	public void close() {
		change(State.CLOSED, Duration.ZERO);
		closeQuietly(this.listener);
		this.sockets.forEach(TcpProxy::reset);
	}

	private void change(State state, Duration delay) {
		this.lock.lock();
		try {
			this.state = state;
			this.delay = delay;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private State state() {
		this.lock.lock();
		try {
			return this.state;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void accept() {
		while (true) {
			try {
				connect(this.listener.accept());
			}
			catch (IOException ex) {
				if (this.listener.isClosed()) {
					return;
				}
			}
		}
	}

	private void connect(Socket client) throws IOException {
		if (state() == State.CUT) {
			this.refused.incrementAndGet();
			reset(client);
			return;
		}
		Socket server = new Socket(this.target.getAddress(), this.target.getPort());
		this.sockets.add(client);
		this.sockets.add(server);
		thread("request", () -> pump(client, server));
		thread("answer", () -> pump(server, client));
		if (state() == State.CUT || state() == State.CLOSED) {
			reset(client);
			reset(server);
		}
	}

	private void pump(Socket from, Socket to) {
		byte[] buffer = new byte[BUFFER];
		try {
			for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream()
				.read(buffer)) {
				this.bytesKept.addAndGet(length);
				boolean passes = awaitPassage();
				this.bytesKept.addAndGet(-length);
				if (!passes) {
					return;
				}
				to.getOutputStream().write(buffer, 0, length);
			}
			// Whoever hangs up is gone only when that comes through as well.
			if (awaitPassage()) {
				to.shutdownOutput();
			}
		}
		catch (IOException ex) {
			// One of the two has hung up, or the network is cut.
			closeQuietly(from);
			closeQuietly(to);
		}
		finally {
			if (from.isClosed() || from.isOutputShutdown()) {
				this.sockets.remove(from);
				this.sockets.remove(to);
				closeQuietly(from);
				closeQuietly(to);
			}
		}
	}

	/** Returns whether what was read may go on its way, once it may. */
	private boolean awaitPassage() {
		this.lock.lock();
		try {
			long left = this.delay.toNanos();
			while (this.state == State.BLACK_HOLE || (this.state == State.PASSING && left > 0)) {
				if (this.state == State.BLACK_HOLE) {
					this.changed.await();
				}
				else {
					left = this.changed.awaitNanos(left);
				}
			}
			return this.state == State.PASSING;
		}
		catch (InterruptedException ex) {
			return false;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void reset(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// It is closed already.
		}
		closeQuietly(socket);
	}

	private static void closeQuietly(AutoCloseable socket) {
		try {
			socket.close();
		}
		catch (Exception ex) {
			// Nothing is left to close.
		}
	}

	private static void thread(String role, Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy-" + role);
		thread.setDaemon(true);
		thread.start();
	}

	private enum State {

		PASSING, CUT, BLACK_HOLE, CLOSED

	}

}
