/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One worker's way to DynamoDB, on the loopback address. It knows where a request and an
 * answer begin and end, so that it can lose either alone, which a proxy of bytes cannot.
 * Thread-safe; its threads are daemons.
 */
public final class FaultyLink implements AutoCloseable {

	private static final int BACKLOG = 100;

	private final URI target;

	private final CallMeter meter;

	private final Consumer<AppliedClaim> claims;

	private final Random random;

	private final ServerSocket listener;

	private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

	private final Set<Socket> servers = ConcurrentHashMap.newKeySet();

	private LinkState state = LinkState.FINE;

	private FaultyLink(URI target, CallMeter meter, Consumer<AppliedClaim> claims, long seed) throws IOException {
		this.target = target;
		this.meter = meter;
		this.claims = claims;
		this.random = new Random(seed);
		this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
	}

	/**
	 * A link that passes everything on.
	 * @param target where DynamoDB is, now or later
	 * @param meter counts the requests that come
	 * @param claims is told, by many threads, of each claim that an answer shows, before
	 * anybody else is, and whether or not the answer is passed on
	 * @param seed of the choice which calls have a fault
	 * @return the link, which listens
	 */
	public static FaultyLink start(URI target, CallMeter meter, Consumer<AppliedClaim> claims, long seed) {
		try {
			FaultyLink link = new FaultyLink(target, meter, claims, seed);
			thread("link-accept", link::accept);
			return link;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The link to DynamoDB could not listen on the loopback address", ex);
		}
	}

	/** The port of the loopback address where the worker finds DynamoDB. */
	public int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * From now on, calls go as the state says. If it cuts them, those under way end for
	 * the worker; of what DynamoDB has got already, the answer is still looked at.
	 */
	public void set(LinkState state) {
		synchronized (this) {
			this.state = state;
			notifyAll();
		}
		if (state.isCut()) {
			this.clients.forEach(FaultyLink::reset);
		}
	}

	@Override
	public void close() {
		set(LinkState.CUT);
		this.servers.forEach(FaultyLink::reset);
		closeQuietly(this.listener);
	}

	synchronized LinkState state() {
		return this.state;
	}

	/** The fault of the next call; the state's, or none. */
	synchronized CallFault nextFault() {
		return (this.random.nextDouble() < this.state.share()) ? this.state.fault() : CallFault.NONE;
	}

	/** How long something that is late takes. */
	synchronized Duration nextLateness() {
		return Duration.ofMillis(this.random.nextInt((int) LinkState.MOST_LATE.toMillis()));
	}

	/**
	 * Waits until the link is no black hole, and as long as it is slow.
	 * @throws IOException if the link is cut
	 */
	void pass() throws IOException {
		try {
			awaitPassage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted", ex);
		}
		if (state().isCut()) {
			throw new IOException("The link is cut");
		}
	}

	private synchronized void awaitPassage() throws InterruptedException {
		while (this.state.isBlackHole()) {
			wait();
		}
		long end = System.nanoTime() + this.state.delay().toNanos();
		for (long left = end - System.nanoTime(); left > 0 && !this.state.isCut(); left = end - System.nanoTime()) {
			wait(left / 1_000_000 + 1);
		}
	}

	/** Looks at an answer of DynamoDB's. */
	void answered(HttpMessage answer) {
		AppliedClaim claim = AppliedClaim.in(answer);
		if (claim != null) {
			this.claims.accept(claim);
		}
	}

	CallMeter meter() {
		return this.meter;
	}

	Socket connect() throws IOException {
		Socket server = new Socket(this.target.getHost(), this.target.getPort());
		server.setTcpNoDelay(true);
		this.servers.add(server);
		return server;
	}

	void forget(Socket socket) {
		this.clients.remove(socket);
		this.servers.remove(socket);
		closeQuietly(socket);
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				if (state().isCut()) {
					reset(client);
				}
				else {
					client.setTcpNoDelay(true);
					this.clients.add(client);
					thread("link", new LinkConnection(this, client));
				}
			}
			catch (IOException ex) {
				// The listener is closed, or the client has gone: the loop finds out.
			}
		}
	}

	static void reset(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// It is closed already.
		}
		closeQuietly(socket);
	}

	static void closeQuietly(AutoCloseable socket) {
		try {
			socket.close();
		}
		catch (Exception ex) {
			// Nothing is left to close.
		}
	}

	static void thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

}
